import { memo } from '../memo.ts';
import type { CampaignTree } from '../model/campaign-tree.ts';
import { type Cell, type FieldSpec, isUnknownWord } from '../model/field-types.ts';
import { type AnyValues, FIELDS, LISTED_FIELDS } from '../model/fields.ts';
import type { Kind } from '../model/kinds.ts';
import { cellOf, isNew, type Row } from '../model/row.ts';
import { type Report, type Rule, rulesOf } from './rule.ts';

/**
 * Warns about words of the service that this version does not know (wire shapes, section 2, "enum casing"). They are
 * stored unchanged and sent back unchanged, so they block nothing.
 */
const family = <K extends Kind, const B extends number>(
  kind: K,
  prefix: string,
  article: 'a' | 'an',
  thing: string,
  bit: B,
) =>
  rulesOf(kind, prefix, 'practice', {
    'unknown-word': {
      bit,
      severity: 'warning',
      fields: wordFields(kind),
      needs: 'service state',
      name: `Unknown value in ${article} ${thing}`,
      text: `The {what} of ${thing} "{label}" is "{word}", which this version does not recognize. Adslate keeps the value unchanged. Update Adslate, or check the value in the retailer's console.`,
    },
  });

function wordFields(kind: Kind): readonly string[] {
  const specs: Readonly<Record<string, FieldSpec>> = FIELDS[kind];
  return Object.keys(specs).filter((field) => {
    const type = specs[field]?.type;
    return type?.is === 'choice' && type.isOpen && !LISTED_FIELDS.has(field);
  });
}

export const WORD_RULES: Readonly<Partial<Record<Kind, Readonly<Record<'unknown-word', Rule>>>>> = {
  campaign: family('campaign', 'campaign', 'a', 'campaign', 44),
  adGroup: family('adGroup', 'ad-group', 'an', 'ad group', 12),
  adItem: family('adItem', 'item', 'an', 'item', 24),
  keyword: family('keyword', 'keyword', 'a', 'keyword', 22),
  sbaProfile: family('sbaProfile', 'sba', 'an', 'SBA profile', 41),
  videoProfile: family('videoProfile', 'video-profile', 'a', 'video profile', 14),
  media: family('media', 'media', 'a', 'file', 34),
};

/** Names of fields in a sentence. */
const NAMES: Readonly<Record<string, string>> = {
  campaignType: 'type',
  targetingType: 'targeting',
  serviceStatus: 'service status',
  reviewStatus: 'review status',
  matchType: 'match type',
  mediaState: 'state',
};

/**
 * Reports the unknown words of a campaign.
 *
 * @returns the tree for the other checks, in which an unknown word is empty like a field that was not read
 */
export function checkUnknownWords(tree: CampaignTree, report: Report): CampaignTree {
  const [campaign = tree.campaign] = known([tree.campaign], report);
  const adGroups = known(tree.adGroups, report);
  const adItems = known(tree.adItems, report);
  const keywords = known(tree.keywords, report);
  const sbaProfiles = known(tree.sbaProfiles, report);
  const videoProfiles = known(tree.videoProfiles, report);
  const isSame =
    campaign === tree.campaign &&
    adGroups === tree.adGroups &&
    adItems === tree.adItems &&
    keywords === tree.keywords &&
    sbaProfiles === tree.sbaProfiles &&
    videoProfiles === tree.videoProfiles;
  return isSame ? tree : { ...tree, campaign, adGroups, adItems, keywords, sbaProfiles, videoProfiles };
}

/** Reports the unknown words of one row. @returns the row without them */
export function knownWordsOf<K extends Kind>(row: Row<K>, report: Report): Row<K> {
  const specs: Readonly<Record<string, FieldSpec>> = FIELDS[row.kind];
  const rule = WORD_RULES[row.kind]?.['unknown-word'];
  if (rule === undefined) return row;
  const unknownIn = (values: AnyValues | null): readonly string[] =>
    rule.fields.filter((field) => isUnknownWord(specs[field], cellOf(values, field)));
  for (const field of unknownIn(row.values)) {
    const word = String(cellOf(row.values, field));
    report.add(rule, row, { what: NAMES[field] ?? field, word }, undefined, field);
  }
  // New rows are sent as they are, so none of their fields counts as not read.
  if (isNew(row)) return row;
  const without = (values: AnyValues): Row<K>['values'] =>
    ({ ...values, ...Object.fromEntries(unknownIn(values).map((field) => [field, null])) }) as Row<K>['values'];
  return { ...row, values: without(row.values), base: row.base === null ? null : without(row.base) };
}

/** Most rows are keywords, so nothing is copied unless a word is unknown. */
function known<K extends Kind>(rows: readonly Row<K>[], report: Report): readonly Row<K>[] {
  const [first] = rows;
  if (first === undefined) return rows;
  const checked = checkedWords(first.kind);
  let cleaned: Row<K>[] | null = null;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at];
    if (row === undefined || !mayHaveUnknown(row, checked)) continue;
    cleaned ??= [...rows];
    cleaned[at] = knownWordsOf(row, report);
  }
  return cleaned ?? rows;
}

interface KnownWords {
  readonly field: string;
  readonly words: ReadonlySet<Cell>;
}

const checkedWords = memo((kind: Kind): readonly KnownWords[] => {
  const specs: Readonly<Record<string, FieldSpec>> = FIELDS[kind];
  return wordFields(kind).map((field) => {
    const type = specs[field]?.type;
    return { field, words: new Set<Cell>([null, ...(type?.is === 'choice' ? type.choices : [])]) };
  });
});

function mayHaveUnknown(row: Row, checked: readonly KnownWords[]): boolean {
  for (const { field, words } of checked) {
    if (!words.has(cellOf(row.values, field))) return true;
    if (row.base !== null && !words.has(cellOf(row.base, field))) return true;
  }
  return false;
}
