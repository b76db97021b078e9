import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { compareSides, type Side, type SideRow } from '../../shared/compare/compare.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import { planChanges } from '../../shared/plan/plan.ts';
import { checkCampaign } from '../../shared/rules/check.ts';
import { parseSearch } from '../../shared/search/parse-search.ts';
import { compilePredicate, type SearchRow } from '../../shared/search/predicate.ts';
import { sheetReader } from '../../shared/spreadsheet/parse-sheet.ts';
import { linkSheet } from '../../shared/spreadsheet/sheet-linker.ts';
import type { SheetRow } from '../../shared/spreadsheet/sheet-row.ts';
import {
  aCampaign,
  aKeyword,
  anAdGroup,
  anAdItem,
  aTree,
  cents,
  env,
  id,
  lookupOf,
  planInput,
} from '../shared/builders.ts';
import { type Figure, print, timed } from './figure.ts';

/**
 * Rules, search, plan and sheet without a store: `node test/bench/domain.bench.ts [KEYWORDS]`. The peer of the rules is
 * a zod schema with a few of them, row by row; that of the search the same filter in SQLite, over a plain table.
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
  const again = [PER_CAMPAIGN, MOST_IN_A_CAMPAIGN].map((size) => recheck(size));
  const rows: SearchRow[] = campaigns.flatMap((tree) =>
    tree.keywords.map((row) => ({ row, campaignName: tree.campaign.values.name, severity: null, outbox: null })),
  );
  let found = 0;
  const search = await timed(() => {
    const query = parseSearch('bid>2 matchType:exact -state:archived', 'keyword');
    if (!query.ok) throw new Error(query.error.problem);
    found = rows.filter(compilePredicate(query.value, 'keyword')).length;
  });
  const inSqlite = searchInSqlite(campaigns);
  if (inSqlite.found !== found) throw new Error(`the search finds ${found}, SQLite ${inSqlite.found}`);
  const items = changedItems(100_000);
  const plan = await timed(() => planChanges(planInput(items)));
  const sheet = await timed(() => {
    const reader = sheetReader();
    const read: SheetRow[] = [];
    for (const cells of sheetRows(keywords)) {
      const row = reader.take(cells);
      if (row !== null) read.push(row);
    }
    linkSheet(read, lookupOf([]));
  });
  const compared = compareBeside(100_000);
  const verdicts = [
    said('all rules over the keywords', rules, 4000 * perMillion, {
      peer: 'zod with four rules, per row',
      peerValue: zod,
    }),
    ...again.map(({ size, ms }) => said(`re-check of a campaign with ${size} keywords after one edit`, ms, 1)),
    said('search compiled and run over the keywords', search, 300 * perMillion, {
      peer: 'the same filter in SQLite',
      peerValue: inSqlite.ms,
    }),
    said('plan of 100,000 changes', plan, 1500),
    said('sheet read and linked', sheet, 10_000 * perMillion),
    said('two campaigns of 100,000 keywords compared', compared.ms, 2000, {
      peer: 'the same rows joined in SQLite',
      peerValue: compared.peerMs,
    }),
  ];
  return verdicts.every(Boolean);
}

const said = (name: string, value: number, bar: number, beside: Partial<Figure> = {}): boolean =>
  print({ name, value, unit: 'ms', bar, peer: null, peerValue: null, ratioBar: null, ...beside });

const PER_CAMPAIGN = 100;
/** As many as the service takes: 200 texts in three match types. */
const MOST_IN_A_CAMPAIGN = 600;
const RECHECKS = 1000;
const WARM_UP = 200;

/** Milliseconds for one check of a campaign in which one bid was edited. */
function recheck(size: number): { readonly size: number; readonly ms: number } {
  const tree = keywordCampaign(0, size);
  const [first, ...others] = tree.keywords;
  if (first === undefined) throw new Error('a campaign without keywords');
  const edits = [160, 170].map((bid) => ({
    ...tree,
    keywords: [{ ...first, values: { ...first.values, bid: cents(bid) } }, ...others],
  }));
  const check = (times: number): void => {
    for (let at = 0; at < times; at++) checkCampaign(edits[at % 2] ?? tree, env);
  };
  check(WARM_UP);
  const start = performance.now();
  check(RECHECKS);
  return { size, ms: (performance.now() - start) / RECHECKS };
}

/** The search of the bench as a person would write it in SQL, over the same rows in a table without an index. */
function searchInSqlite(campaigns: readonly CampaignTree[]): { readonly found: number; readonly ms: number } {
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE keyword(id INTEGER PRIMARY KEY, text TEXT, matchType TEXT, bid INTEGER, state TEXT) STRICT');
  const insert = db.prepare('INSERT INTO keyword VALUES (?, ?, ?, ?, ?)');
  db.exec('BEGIN');
  for (const { keywords } of campaigns) {
    for (const { id, values } of keywords) insert.run(id, values.text, values.matchType, values.bid, values.state);
  }
  db.exec('COMMIT');
  const start = performance.now();
  const sql = "SELECT id FROM keyword WHERE bid > 200 AND matchType = 'exact' AND NOT state = 'archived'";
  const found = db.prepare(sql).all().length;
  const ms = performance.now() - start;
  db.close();
  return { found, ms };
}

const liveCampaign = (at: number): Pick<CampaignTree, 'campaign' | 'adGroups'> => ({
  campaign: aCampaign({ serviceStatus: 'live' }, { id: at + 1, remote: `${at + 1}` }),
  adGroups: [anAdGroup({}, { id: at + 1, campaignId: at + 1, remote: `${at + 1}` })],
});

const keywordCampaigns = (count: number): readonly CampaignTree[] =>
  Array.from({ length: count / PER_CAMPAIGN }, (_, campaign) => keywordCampaign(campaign, PER_CAMPAIGN));

const keywordCampaign = (campaign: number, size: number): CampaignTree =>
  aTree({
    ...liveCampaign(campaign),
    keywords: Array.from({ length: size }, (_, at) => {
      const id = campaign * size + at + 1;
      const place = { id, campaignId: campaign + 1, adGroupId: campaign + 1, remote: `${id}` };
      const matchType = (['exact', 'phrase', 'broad'] as const)[at % 3] ?? 'exact';
      return aKeyword({ text: `keyword number ${id - (at % 3)}`, matchType, bid: cents(150 + at) }, place);
    }),
  });

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

/** Two campaigns with as many keywords, of which every tenth differs, and the same rows joined in SQLite. */
function compareBeside(count: number): { readonly ms: number; readonly peerMs: number } {
  const sideOf = (first: number, bidOf: (at: number) => number): Side => ({
    campaigns: [
      {
        id: id(first),
        name: 'Campaign',
        rows: Array.from({ length: count }, (_, at): SideRow => {
          const values = { text: `keyword ${at}`, matchType: 'exact', bid: cents(bidOf(at)), state: 'enabled' };
          return { kind: 'keyword', id: id(first + at), adGroupId: null, isNew: false, label: '', group: '', values };
        }),
      },
    ],
    media: new Map(),
    isPartial: false,
  });
  const left = sideOf(1, () => 100);
  const right = sideOf(1_000_000, (at) => (at % 10 === 0 ? 110 : 100));
  const started = performance.now();
  const { differences } = compareSides(left, right, 'content');
  const ms = performance.now() - started;
  const db = new DatabaseSync(':memory:');
  for (const [name, side] of [['l', left] as const, ['r', right] as const]) {
    db.exec(`CREATE TABLE ${name}(text TEXT COLLATE NOCASE, match TEXT, bid INT, PRIMARY KEY(text, match))`);
    const insert = db.prepare(`INSERT INTO ${name} VALUES (?, ?, ?)`);
    db.exec('BEGIN');
    for (const { values } of side.campaigns[0]?.rows ?? []) {
      insert.run(String(values['text']), String(values['matchType']), Number(values['bid']));
    }
    db.exec('COMMIT');
  }
  const joining = performance.now();
  const rows = db.prepare('SELECT * FROM l LEFT JOIN r USING (text, match) WHERE l.bid IS NOT r.bid').all();
  const peerMs = performance.now() - joining;
  db.close();
  if (rows.length !== differences.length) throw new Error(`we find ${differences.length}, SQLite ${rows.length}`);
  return { ms, peerMs };
}
