import type { WindowRow } from '../../../shared/api/workspace.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { isDeleted } from '../../../shared/model/row.ts';
import { editText, plainText } from '../../app/locale/cells.ts';
import { locale } from '../../app/locale/current.ts';
import { typedAmount } from '../../app/locale/read-amount.ts';
import { cellOf } from '../../app/row-cells.ts';
import type { CampaignShape } from '../../app/store/dialog.ts';
import { BANNER_LINES, CAMPAIGN_LINES, type CampaignDraft, EMPTY_DRAFT, FORM_LINES, type FormLine } from './draft.ts';
import { withBids } from './lines.ts';

/** The rows of a campaign that a form can contain, without values owned by the service. */
export interface CampaignRows {
  readonly campaign: WindowRow;
  readonly items: readonly WindowRow[];
  readonly keywords: readonly WindowRow[];
  readonly profiles: readonly WindowRow[];
}

const text = (kind: Kind, row: WindowRow, field: string): string => editText(kind, field, cellOf(kind, row, field));

const texts = (lines: readonly FormLine[], row: WindowRow): Partial<CampaignDraft> =>
  Object.fromEntries(lines.map(({ kind, field }) => [field, text(kind, row, field)]));

const isDay = ({ spec }: FormLine): boolean => spec.type.is === 'date';

export function shapeOf(campaign: WindowRow): CampaignShape {
  const type = cellOf('campaign', campaign, 'campaignType');
  if (type === 'video' || type === 'sba') return type;
  return cellOf('campaign', campaign, 'targetingType') === 'auto' ? 'auto' : 'manual';
}

/** The form that would create the same campaign again, with items, keywords and bids, but without dates. */
export function draftOf({ campaign, items, keywords, profiles }: CampaignRows): CampaignDraft {
  const [profile] = profiles.filter((row) => !isDeleted(row));
  const lines = (kind: 'adItem' | 'keyword', rows: readonly WindowRow[], fields: readonly string[]): string =>
    rows
      .filter((row) => !isDeleted(row))
      .map((row) => fields.map((field) => text(kind, row, field)).join('\t'))
      .join('\n');
  return {
    ...EMPTY_DRAFT,
    ...texts(
      CAMPAIGN_LINES.filter((line) => !isDay(line)),
      campaign,
    ),
    items: lines('adItem', items, ['itemId', 'bid']),
    keywords: lines('keyword', keywords, ['text', 'matchType', 'bid']),
    ...(profile === undefined ? {} : texts(BANNER_LINES, profile)),
  };
}

/** The kind whose rules parse each amount of the form, by field. */
const AMOUNTS: ReadonlyMap<string, Kind> = new Map([
  ...FORM_LINES.filter(({ spec }) => spec.type.is === 'money').map(({ field, kind }) => [field, kind] as const),
  ['bid', 'keyword'],
]);

/** A stored form as a draft; fields that no longer exist are ignored. */
export function draftFrom(form: Readonly<Record<string, string>>): CampaignDraft {
  const known = Object.entries(EMPTY_DRAFT).map(([field, empty]): [string, string] => [field, form[field] ?? empty]);
  return rewritten({ ...EMPTY_DRAFT, ...Object.fromEntries(known) }, typedAmountHere);
}

/**
 * A form for storage: amounts with decimal points, so that it reads the same in every locale, without dates and file.
 */
export function storedForm(draft: CampaignDraft): Readonly<Record<string, string>> {
  const days = new Set<string>(FORM_LINES.filter(isDay).map(({ field }) => field));
  const form = rewritten(draft, (field, kind, text) => {
    const plain = plainText(kind, field, text);
    // Invalid amounts are stored as typed; the form reports them when it is used.
    return plain.ok ? plain.value : text;
  });
  return Object.fromEntries(Object.entries(form).filter(([field]) => field !== 'file' && !days.has(field)));
}

const typedAmountHere = (_field: string, _kind: Kind, text: string): string => typedAmount(text, locale().style);

/** The form with every amount replaced by `write`, those of items and keywords too. */
function rewritten(draft: CampaignDraft, write: (field: string, kind: Kind, text: string) => string): CampaignDraft {
  const bid = (text: string): string => write('bid', 'keyword', text);
  const fields = Object.entries(draft).map(([field, text]: [string, string]) => {
    const kind = AMOUNTS.get(field);
    return [field, kind === undefined ? text : write(field, kind, text)];
  });
  return {
    ...draft,
    ...Object.fromEntries(fields),
    items: withBids('adItem', draft.items, bid),
    keywords: withBids('keyword', draft.keywords, bid),
  };
}
