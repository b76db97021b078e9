import { z } from 'zod';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import { planChanges } from '../../shared/plan/plan.ts';
import { checkCampaign } from '../../shared/rules/check.ts';
import { parseSearch } from '../../shared/search/parse-search.ts';
import { compilePredicate, type SearchRow } from '../../shared/search/predicate.ts';
import { linkSheet } from '../../shared/sheet/link-sheet.ts';
import { lookupInTrees } from '../../shared/sheet/lookup.ts';
import { parseSheet } from '../../shared/sheet/parse-sheet.ts';
import { aCampaign, aKeyword, anAdGroup, anAdItem, aTree, cents, env, planInput } from '../shared/builders.ts';
import { type Figure, print, timed } from './figure.ts';

/**
 * Rules, plan and sheet without a database: `node test/bench/domain.bench.ts [KEYWORDS]`. The peer of the rules is
 * a zod schema with a few of them, row by row.
 */
export async function benchDomain(keywords: number): Promise<boolean> {
  const perMillion = keywords / 1_000_000;
  const campaigns = keywordCampaigns(keywords);
  const Row = z.object({
    text: z.string().min(1).max(80),
    matchType: z.enum(['exact', 'phrase', 'broad']),
    bid: z.int().min(150).max(10_000),
    state: z.enum(['enabled', 'paused', 'archived']),
  });
  const zod = await timed(() => {
    for (const { keywords: rows } of campaigns) for (const row of rows) Row.safeParse(row.values);
  });
  const rules = await timed(() => {
    for (const tree of campaigns) checkCampaign(tree, env);
  });
  const [edited] = campaigns;
  const again = await timed(() => {
    if (edited !== undefined) for (let at = 0; at < RECHECKS; at++) checkCampaign(edited, env);
  });
  const rows: SearchRow[] = campaigns.flatMap((tree) =>
    tree.keywords.map((row) => ({ row, campaignName: tree.campaign.values.name, severity: null, outbox: null })),
  );
  const search = await timed(() => {
    const query = parseSearch('bid>2 matchType:exact -state:archived', 'keyword');
    if (!query.ok) throw new Error(query.error.problem);
    rows.filter(compilePredicate(query.value, 'keyword'));
  });
  const items = changedItems(100_000);
  const plan = await timed(() => planChanges(planInput(items)));
  const sheet = await timed(() => {
    const read = parseSheet(sheetRows(keywords));
    if (read.kind === 'sheet') linkSheet(read.rows, lookupInTrees([]));
  });
  const verdicts = [
    said('all rules over the keywords', rules, 2500 * perMillion, {
      peer: 'zod with four rules, per row',
      peerValue: zod,
    }),
    said('re-check of a campaign with 100 keywords after one edit', again / RECHECKS, 1),
    said('search compiled and run over the keywords', search, 300 * perMillion),
    said('plan of 100,000 changes', plan, 2000),
    said('sheet read and linked', sheet, 15_000 * perMillion),
  ];
  return verdicts.every(Boolean);
}

const said = (name: string, value: number, bar: number, beside: Partial<Figure> = {}): boolean =>
  print({ name, value, unit: 'ms', bar, peer: null, peerValue: null, ratioBar: null, ...beside });

const PER_CAMPAIGN = 100;
const RECHECKS = 1000;

const liveCampaign = (at: number): Pick<CampaignTree, 'campaign' | 'adGroups'> => ({
  campaign: aCampaign({ serviceStatus: 'live' }, { id: at + 1, remote: `${at + 1}` }),
  adGroups: [anAdGroup({}, { id: at + 1, campaignId: at + 1, remote: `${at + 1}` })],
});

function keywordCampaigns(count: number): readonly CampaignTree[] {
  return Array.from({ length: count / PER_CAMPAIGN }, (_, campaign) =>
    aTree({
      ...liveCampaign(campaign),
      keywords: Array.from({ length: PER_CAMPAIGN }, (_, at) => {
        const id = campaign * PER_CAMPAIGN + at + 1;
        const place = { id, campaignId: campaign + 1, adGroupId: campaign + 1, remote: `${id}` };
        return aKeyword({ text: `keyword number ${id}`, bid: cents(150 + at) }, place);
      }),
    }),
  );
}

function changedItems(count: number): readonly CampaignTree[] {
  return Array.from({ length: count / 10 }, (_, campaign) =>
    aTree({
      ...liveCampaign(campaign),
      adItems: Array.from({ length: 10 }, (_, at) => {
        const id = campaign * 10 + at + 1;
        const place = { id, campaignId: campaign + 1, adGroupId: campaign + 1, remote: `${id}` };
        return anAdItem(
          { itemId: String(id).padStart(10, '0'), bid: cents(200) },
          { ...place, was: { bid: cents(150) } },
        );
      }),
    }),
  );
}

function* sheetRows(count: number): Generator<readonly string[]> {
  yield ['Type', 'Campaign', 'Ad group', 'Keyword', 'Match type', 'Bid', 'Status'];
  for (let at = 0; at < count; at++) {
    const campaign = `Campaign ${Math.floor(at / PER_CAMPAIGN)}`;
    if (at % PER_CAMPAIGN === 0) yield ['campaign', campaign, '', '', '', '', 'enabled'];
    yield ['keyword', campaign, 'Group', `keyword number ${at}`, 'exact', '1.65', 'enabled'];
  }
}

if (import.meta.main) {
  const holds = await benchDomain(Number(process.argv[2] ?? 1_000_000));
  process.exitCode = holds ? 0 : 1;
}
