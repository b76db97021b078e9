import type { KeywordIdeas } from '../../shared/api/items.ts';
import { keywordIdeas, type SearchTerm } from '../../shared/bulk/keyword-ideas.ts';
import { finalStatus } from '../../shared/lifecycle/states.ts';
import { takesPart } from '../../shared/model/campaign-tree.ts';
import { type AnyRow, isDeleted } from '../../shared/model/row.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import type { ActiveAccount } from '../core/active-account.ts';

/** Name of a search-term column. No report of the document has one, but a deployment's report may. */
const TERMS = /search.?term|query/i;
const ORDERS = 'attributedOrders14days';
const TERMS_MAX = 200;

/** Keyword ideas for a campaign, from data on this computer. */
export async function campaignIdeas(
  { workspace, pictures, reports }: ActiveAccount,
  campaignId: RowId,
): Promise<Result<KeywordIdeas, ReturnType<typeof noCampaign>>> {
  const [tree] = await workspace.readTrees([campaignId]);
  if (tree === undefined) return { ok: false, error: noCampaign(campaignId) };
  const { campaignType, targetingType } = tree.campaign.values;
  const isThere = (row: AnyRow): boolean => !isDeleted(row) && finalStatus(row.kind, row.values) === null;
  const adItems = tree.adItems.filter(isThere);
  const keywords = tree.keywords.filter(isThere);
  const names = await Promise.all(
    adItems.map(
      async ({ values }) => values.itemName ?? (values.itemId && (await pictures.item(values.itemId))?.name) ?? '',
    ),
  );
  const known = names.filter((name) => name !== '');
  const bids = [keywords, adItems].map((rows) => rows.flatMap(({ values }) => values.bid ?? []));
  const [some] = bids.filter((each) => each.length > 0);
  const isTaken = takesPart(campaignType ?? '', targetingType ?? '', 'keyword');
  return ok({
    adGroupId: isTaken ? (tree.adGroups.find((row) => !isDeleted(row))?.id ?? null) : null,
    bid: some === undefined ? null : Math.round(some.reduce((sum, bid) => sum + bid, 0) / some.length),
    items: known.length,
    ideas: [
      ...keywordIdeas(
        known,
        await searchTerms(reports),
        keywords.flatMap(({ values }) => values.text ?? []),
      ),
    ],
  });
}

const noCampaign = (id: RowId) => fail('NO_ROW', { kind: 'campaign' as const, id }).error;

/** The search terms of the newest report with such a column. */
async function searchTerms(reports: ActiveAccount['reports']): Promise<readonly SearchTerm[]> {
  const look = { contains: '', sortBy: ORDERS, descending: true, figure: ORDERS, from: 0, count: TERMS_MAX };
  const { snapshots } = await reports.list();
  const [kept] = snapshots.filter(({ reportType }) => TERMS.test(reportType));
  if (kept === undefined) return [];
  const seen = await reports.view(kept.id, { ...look, groupBy: '' });
  const groupBy = seen.ok ? seen.value.groupings.find((name) => TERMS.test(name)) : undefined;
  if (groupBy === undefined) return [];
  const view = await reports.view(kept.id, { ...look, groupBy });
  return view.ok ? view.value.page.map(({ label, figures }) => ({ text: label, orders: figures[ORDERS] ?? 0 })) : [];
}
