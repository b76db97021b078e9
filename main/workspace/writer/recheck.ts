import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import type { Finding } from '../../../shared/rules/finding.ts';
import { type Checker, issueBit, issueMask } from '../check.ts';
import { asNumber, type Db } from '../db/db.ts';
import { ACCOUNT, readAccountCampaigns } from '../rows/account-campaigns.ts';
import { commonBits, withBit, withoutBits } from '../rows/issue-mask.ts';
import { readRows } from '../rows/read-rows.ts';
import { tableOf } from '../schema/tables.ts';

type Masks = ReadonlyMap<Kind, Map<number, number>>;

/**
 * Checks these campaigns and writes what was found: a bit per rule in `issues` of each row, and the number of
 * findings per campaign. Bits of rules that look at the whole account are left alone.
 *
 * @param trees the campaigns of these ids that there are
 * @returns kinds of which some row's issues changed
 */
export function recheckCampaigns(
  db: Db,
  checker: Checker,
  campaignIds: readonly RowId[],
  trees: readonly CampaignTree[],
): ReadonlySet<Kind> {
  const masks = emptyMasks();
  const counts = new Map<number, Counts>(campaignIds.map((id) => [id, { error: 0, warning: 0, advice: 0 }]));
  for (const tree of trees) {
    const findings = checker.campaign(tree);
    if (findings.length === 0) continue;
    addToMasks(masks, findings);
    counts.set(tree.campaign.id, countFindings(findings));
  }
  const [only] = campaignIds;
  const isOne = campaignIds.length === 1 && only !== undefined;
  const ids = isOne ? only : JSON.stringify(campaignIds);
  const changed = new Set<Kind>();
  for (const kind of KINDS) {
    if (kind === 'media') continue;
    const sql = `SELECT id, issues FROM ${tableOf(kind).name}
      WHERE issues <> 0 AND campaign_id ${isOne ? '= ?' : 'IN (SELECT value FROM json_each(?))'}`;
    const before = new Map(db.all(sql, ids).map((row) => [asNumber(row[0]), asNumber(row[1])]));
    if (writeIssues(db, kind, before, masks.get(kind), (mask) => commonBits(mask, issueMask(kind, 'account')))) {
      changed.add(kind);
    }
  }
  for (const [id, count] of counts) writeCount(db, id, count);
  return changed;
}

/** Checks what concerns several campaigns or the media library; leaves the bits of single campaigns alone. */
export function recheckAccount(db: Db, checker: Checker): ReadonlySet<Kind> {
  const findings = checker.account(readAccountCampaigns(db), readRows(db, 'media', 'true'));
  const masks = emptyMasks();
  addToMasks(masks, findings);
  const changed = new Set<Kind>();
  for (const kind of ['campaign', 'media'] as const) {
    const rows = db.all(`SELECT id, issues FROM ${tableOf(kind).name} WHERE issues <> 0`);
    const before = new Map(rows.map((row) => [asNumber(row[0]), asNumber(row[1])]));
    const account = issueMask(kind, 'account');
    if (writeIssues(db, kind, before, masks.get(kind), (mask) => withoutBits(mask, account))) changed.add(kind);
  }
  writeCount(db, ACCOUNT, countFindings(findings));
  return changed;
}

interface Counts {
  error: number;
  warning: number;
  advice: number;
}

function countFindings(findings: readonly Finding[]): Counts {
  const counts: Counts = { error: 0, warning: 0, advice: 0 };
  for (const finding of findings) counts[finding.severity]++;
  return counts;
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
  before: ReadonlyMap<number, number>,
  found: ReadonlyMap<number, number> | undefined,
  kept: (mask: number) => number,
): boolean {
  const differing: [number, number][] = [];
  for (const [id, old] of before) {
    const mask = kept(old) + (found?.get(id) ?? 0);
    if (mask !== old) differing.push([id, mask]);
  }
  for (const [id, mask] of found ?? []) if (!before.has(id)) differing.push([id, mask]);
  const sql = `UPDATE ${tableOf(kind).name} SET issues = ? WHERE id = ?`;
  for (const [id, mask] of differing) db.run(sql, mask, id);
  return differing.length > 0;
}

function writeCount(db: Db, campaignId: number, { error, warning, advice }: Counts): void {
  if (error + warning + advice === 0) {
    db.run('DELETE FROM finding_count WHERE campaign_id = ?', campaignId);
    return;
  }
  db.run(
    `INSERT INTO finding_count(campaign_id, error, warning, advice) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT DO UPDATE SET error = ?2, warning = ?3, advice = ?4`,
    campaignId,
    error,
    warning,
    advice,
  );
}
