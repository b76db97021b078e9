import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import type { Finding, FindingCounts } from '../../../shared/rules/finding.ts';
import { type Checker, issueBit, issueMask } from '../check.ts';
import { asNumber, type Db, type DbValue } from '../db/db.ts';
import { idList } from '../db/id-list.ts';
import { memo } from '../db/memo.ts';
import { deriveStates } from '../known/campaign-status.ts';
import { ACCOUNT, readAccountCampaigns } from '../rows/account-campaigns.ts';
import { commonBits, withBit, withoutBits } from '../rows/issue-mask.ts';
import { readRows } from '../rows/read-rows.ts';
import { countIssues, formatCounts } from '../rows/rule-tally.ts';
import { tableOf } from '../schema/tables.ts';

/** What a campaign's check owns: files belong to the account. */
const CHECKED_KINDS = KINDS.filter((kind) => kind !== 'media');
const ACCOUNT_KINDS = ['campaign', 'media'] as const satisfies readonly Kind[];
const NOTHING: ReadonlyMap<number, number> = new Map();

export interface Rechecked {
  readonly kinds: ReadonlySet<Kind>;
  readonly moved: boolean;
}

type Masks = ReadonlyMap<Kind, Map<number, number>>;

/**
 * Derives the states of these campaigns, checks them and writes what was found: a bit per rule in `issues` of each row, and the numbers of
 * findings per campaign and rule. Bits of rules that look at the whole account are left alone.
 *
 * @param trees the campaigns of these ids that there are
 * @returns whether a state is another, and kinds of which some row's issues changed; campaigns when only the numbers of findings did, as when a
 *   second rule finds the rows of a first
 */
export function recheckCampaigns(
  db: Db,
  checker: Checker,
  campaignIds: readonly RowId[],
  trees: readonly CampaignTree[],
  nowMs: number,
): Rechecked {
  const masks = emptyMasks();
  const counts = new Map<number, Counted>(campaignIds.map((id) => [id, NONE]));
  const states = deriveStates(db, trees, checker.today, nowMs);
  for (const tree of states.trees) {
    const findings = checker.campaign(tree);
    if (findings.length === 0) continue;
    addToMasks(masks, findings);
    counts.set(tree.campaign.id, countFindings(findings));
  }
  const list = idList(campaignIds);
  const before = readIssues(db, CHECKED_KINDS, `campaign_id ${list.sql}`, list.bind);
  const changed = new Set<Kind>();
  for (const kind of CHECKED_KINDS) {
    const kept = (mask: number) => commonBits(mask, issueMask(kind, 'account'));
    if (writeIssues(db, kind, before.get(kind), masks.get(kind), kept)) changed.add(kind);
  }
  const recounted = [...counts].filter(([id, count]) => writeCount(db, id, count));
  return { kinds: orCampaign(changed, recounted.length > 0), moved: states.moved };
}

/** Checks what concerns several campaigns or the media library; leaves the bits of single campaigns alone. */
export function recheckAccount(db: Db, checker: Checker): ReadonlySet<Kind> {
  const findings = checker.account(readAccountCampaigns(db), readRows(db, 'media', 'true'));
  const masks = emptyMasks();
  addToMasks(masks, findings);
  const before = readIssues(db, ACCOUNT_KINDS, 'true');
  const changed = new Set<Kind>();
  for (const kind of ACCOUNT_KINDS) {
    const kept = (mask: number) => withoutBits(mask, issueMask(kind, 'account'));
    if (writeIssues(db, kind, before.get(kind), masks.get(kind), kept)) changed.add(kind);
  }
  return orCampaign(changed, writeCount(db, ACCOUNT, countFindings(findings)));
}

/** Nobody would ask for the new numbers if no kind were named. */
const orCampaign = (changed: ReadonlySet<Kind>, isRecounted: boolean): ReadonlySet<Kind> =>
  changed.size === 0 && isRecounted ? new Set<Kind>(['campaign']) : changed;

/** What stands in `issues` of the rows that have any, by kind and row; one statement, since an edit waits for it. */
function readIssues(db: Db, kinds: readonly Kind[], where: string, ...bind: readonly DbValue[]): Masks {
  const masks: Masks = new Map(kinds.map((kind) => [kind, new Map()]));
  for (const [at, id, issues] of db.all(issuesSql(kinds)(where), ...bind)) {
    const kind = kinds[asNumber(at)];
    if (kind !== undefined) masks.get(kind)?.set(asNumber(id), asNumber(issues));
  }
  return masks;
}

const issuesSql = memo((kinds: readonly Kind[]) =>
  memo((where: string) =>
    kinds
      .map((kind, at) => `SELECT ${at}, id, issues FROM ${tableOf(kind).name} WHERE issues <> 0 AND ${where}`)
      .join(' UNION ALL '),
  ),
);

interface Counted extends FindingCounts {
  /** Rule by rule, as `finding_count` holds them. */
  readonly rules: string;
}

const NONE: Counted = { error: 0, warning: 0, advice: 0, rules: formatCounts([]) };

function countFindings(findings: readonly Finding[]): Counted {
  const counts = { error: 0, warning: 0, advice: 0 };
  const tallies = countIssues(findings);
  for (const { severity, found } of tallies) counts[severity] += found;
  return { ...counts, rules: formatCounts(tallies) };
}

const emptyMasks = (): Masks => new Map(KINDS.map((kind) => [kind, new Map()]));

function addToMasks(masks: Masks, findings: readonly Finding[]): void {
  for (const finding of findings) {
    const { kind, id } = finding;
    const byId = masks.get(kind);
    byId?.set(id, withBit(byId.get(id) ?? 0, issueBit(finding)));
  }
}

/** Writes the masks that differ from before; `kept` picks the bits of a mask that this check does not own. */
function writeIssues(
  db: Db,
  kind: Kind,
  before: ReadonlyMap<number, number> = NOTHING,
  found: ReadonlyMap<number, number> = NOTHING,
  kept: (mask: number) => number,
): boolean {
  const idsByMask = new Map<number, number[]>();
  const note = (id: number, mask: number): void => {
    const ids = idsByMask.get(mask);
    if (ids === undefined) idsByMask.set(mask, [id]);
    else ids.push(id);
  };
  for (const [id, old] of before) {
    const mask = kept(old) + (found.get(id) ?? 0);
    if (mask !== old) note(id, mask);
  }
  for (const [id, mask] of found) if (!before.has(id)) note(id, mask);
  // A statement for each mask and not for each row, which takes a third off: many rows come to few masks.
  for (const [mask, ids] of idsByMask) {
    const list = idList(ids);
    db.run(`UPDATE ${tableOf(kind).name} SET issues = ?2 WHERE id ${list.sql}`, list.bind, mask);
  }
  return idsByMask.size > 0;
}

/** @returns true when it was another number before */
function writeCount(db: Db, campaignId: number, { error, warning, advice, rules }: Counted): boolean {
  if (error + warning + advice === 0) {
    return db.run('DELETE FROM finding_count WHERE campaign_id = ?', campaignId) > 0;
  }
  const written = db.run(
    `INSERT INTO finding_count(campaign_id, error, warning, advice, rules) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT DO UPDATE SET error = ?2, warning = ?3, advice = ?4, rules = ?5 WHERE rules <> ?5`,
    campaignId,
    error,
    warning,
    advice,
    rules,
  );
  return written > 0;
}
