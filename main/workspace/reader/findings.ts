import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import type { DeploymentProfile } from '../../../shared/profile/profile.ts';
import type { Finding, FindingCounts } from '../../../shared/rules/finding.ts';
import type { Checker } from '../check.ts';
import { asNumber, type Db } from '../db/db.ts';
import { createJudge } from '../judge.ts';
import type { FindingsPage } from '../port-reads.ts';
import { ACCOUNT, readAccountCampaigns } from '../rows/account-campaigns.ts';
import { readRows } from '../rows/read-rows.ts';
import { readTrees } from '../rows/read-trees.ts';
import { tableOf } from '../schema/tables.ts';
import { letOthersPass } from './let-others-pass.ts';

export interface FindingsReader {
  page(nowMs: number, from: number, count: number, campaignId: RowId | null): FindingsPage;
  /** What is said about the rows of this campaign, those of the account's rules included. */
  ofCampaign(nowMs: number, tree: CampaignTree): readonly Finding[];
  ofAccount(nowMs: number): readonly Finding[];
  /** What is said about these rows, campaign by campaign; windows are answered in between. */
  ofRows(nowMs: number, kind: Kind, ids: readonly RowId[]): Promise<readonly Finding[]>;
}

type Shown = FindingsPage['findings'][number];

/**
 * Stored are a bit per rule and row, and how many findings each campaign has. The findings themselves, with their
 * facts, are made anew for the campaigns on the page that is looked at.
 */
export function createFindings(db: Db, profile: DeploymentProfile, migrated: boolean | null): FindingsReader {
  const judge = createJudge(db, profile, migrated);
  const checkerFor = (nowMs: number): Checker => judge(nowMs).checker;
  const ofAccount = (nowMs: number) =>
    checkerFor(nowMs).account(readAccountCampaigns(db), readRows(db, 'media', 'true'));
  const ofCampaign = (nowMs: number, tree: CampaignTree) => [
    ...ofAccount(nowMs).filter((finding) => finding.campaignId === tree.campaign.id),
    ...checkerFor(nowMs).campaign(tree),
  ];
  return {
    ofAccount,
    ofCampaign,
    ofRows: async (nowMs, kind, ids) => {
      const asked = new Set<number>(ids);
      const said: Finding[] = [];
      const keep = (findings: readonly Finding[]): void => {
        for (const finding of findings) if (finding.kind === kind && asked.has(finding.id)) said.push(finding);
      };
      keep(ofAccount(nowMs));
      for (const campaign of campaignsOf(db, kind, ids)) {
        await letOthersPass();
        for (const tree of readTrees(db, [campaign])) keep(checkerFor(nowMs).campaign(tree));
      }
      return said;
    },
    page: (nowMs, from, count, campaignId) => {
      if (campaignId !== null) {
        const found = readTrees(db, [campaignId]).flatMap((tree) => shown(ofCampaign(nowMs, tree), tree));
        return { total: found.length, counts: countOf(found), findings: found.slice(from, from + count) };
      }
      const counts = readFindingCounts(db);
      const total = counts.error + counts.warning + counts.advice;
      const findings: Shown[] = [];
      let at = 0;
      for (const { id, size } of readSizes(db)) {
        if (at >= from + count) break;
        if (at + size > from) {
          const found = id === ACCOUNT ? accountShown(db, ofAccount(nowMs)) : ownShown(db, checkerFor(nowMs), id);
          const start = Math.max(0, from - at);
          findings.push(...found.slice(start, Math.min(size, from + count - at)));
        }
        at += size;
      }
      return { total, counts, findings };
    },
  };
}

/** The campaigns that rows of a kind stand in; files of the library stand in none. */
function campaignsOf(db: Db, kind: Kind, ids: readonly RowId[]): readonly RowId[] {
  if (kind === 'campaign') return ids;
  if (kind === 'media') return [];
  const sql = `SELECT DISTINCT campaign_id FROM ${tableOf(kind).name} WHERE id IN (SELECT value FROM json_each(?))`;
  return db.all(sql, JSON.stringify(ids)).map(([id]) => asNumber(id) as RowId);
}

/** How many findings there are in all, from the stored counts of each campaign. */
export function readFindingCounts(db: Db): FindingCounts {
  const row = db.get('SELECT total(error), total(warning), total(advice) FROM finding_count') ?? [];
  return { error: asNumber(row[0]), warning: asNumber(row[1]), advice: asNumber(row[2]) };
}

/** Campaigns with findings, those with errors first. */
function readSizes(db: Db): readonly { readonly id: RowId; readonly size: number }[] {
  const sql = 'SELECT campaign_id, error + warning + advice FROM finding_count ORDER BY error = 0, campaign_id';
  return db.all(sql).map(([id, size]) => ({ id: asNumber(id) as RowId, size: asNumber(size) }));
}

const ownShown = (db: Db, checker: Checker, id: RowId): readonly Shown[] =>
  readTrees(db, [id]).flatMap((tree) => shown(checker.campaign(tree), tree));

const shown = (findings: readonly Finding[], tree: CampaignTree): readonly Shown[] =>
  bySeverity(findings).map((finding) => ({
    ...finding,
    label: labelOf(finding),
    campaignName: tree.campaign.values.name ?? '',
  }));

function accountShown(db: Db, findings: readonly Finding[]): readonly Shown[] {
  const names = new Map(readAccountCampaigns(db).map(({ id, name }) => [id, name]));
  return bySeverity(findings).map((finding) => {
    const campaignName = finding.campaignId === null ? '' : (names.get(finding.campaignId) ?? '');
    return { ...finding, label: labelOf(finding), campaignName };
  });
}

/** Every finding carries the label of its row among its facts. */
const labelOf = (finding: Finding): string => String(finding.params['label'] ?? '');

const RANK = { error: 0, warning: 1, advice: 2 } as const;
const bySeverity = (findings: readonly Finding[]): readonly Finding[] =>
  [...findings].sort((a, b) => RANK[a.severity] - RANK[b.severity]);

function countOf(findings: readonly Finding[]): FindingCounts {
  const counts = { error: 0, warning: 0, advice: 0 };
  for (const finding of findings) counts[finding.severity]++;
  return counts;
}
