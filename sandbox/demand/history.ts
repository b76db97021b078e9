import { addDays, type Clock, DAY_MS, dateAt } from '../clock.ts';
import type { Store } from '../store.ts';
import type { CampaignRow, RowOf } from '../tables.ts';
import { type Bidder, bidderOf } from './day.ts';
import { type Cell, cellsFor, type KnownMarket, marketOf } from './market.ts';

/**
 * The state of rows at the start of each day. A day is calculated only from that state, so its auctions never change.
 * Each change of a row in auctions stores the row's former state with the last day that started with it. Triggers of
 * the writing connection do this for all callers.
 */
const KEPT = {
  campaign: { id: 'campaign_id', columns: ['status', 'daily_budget', 'start_date', 'end_date'] },
  ad_group: { id: 'ad_group_id', columns: ['status'] },
  keyword: { id: 'keyword_id', columns: ['bid', 'state', 'status'] },
  ad_item: { id: 'ad_item_id', columns: ['bid', 'status', 'review_status'] },
  multiplier: { id: 'multiplier_id', columns: ['multiplier'] },
} as const;

type KeptTable = keyof typeof KEPT;

/** Called once for a store, before anything is written to it. */
export function keepHistory(store: Store, clock: Clock): void {
  // A change exactly at midnight applies to the day that starts. Rows of one batch share an instant, so the last one is
  // cached.
  let last = { at: Number.NaN, day: '' };
  store.define('begun_day', () => {
    const at = clock.now();
    if (at !== last.at) last = { at, day: dateAt(at - 1) };
    return last.day;
  });
  for (const [table, { id: idColumn, columns }] of Object.entries(KEPT)) {
    const keep = (row: string, state: string) =>
      `INSERT OR IGNORE INTO past VALUES ('${table}', ${row}.${idColumn}, begun_day(), ${row}.campaign_id, ${state});`;
    const state = `json_object(${columns.map((column) => `'${column}', OLD.${column}`).join(', ')})`;
    const isChanged = columns.map((column) => `OLD.${column} IS NOT NEW.${column}`).join(' OR ');
    store.run(`CREATE TEMP TRIGGER "${table}.begins" AFTER INSERT ON main.${table} BEGIN ${keep('NEW', 'NULL')} END`);
    store.run(
      `CREATE TEMP TRIGGER "${table}.changes" AFTER UPDATE OF ${columns.join(', ')} ON main.${table} WHEN ${isChanged}
       BEGIN ${keep('OLD', state)} END`,
    );
  }
}

/**
 * Called after a scenario was built: its rows count as unchanged since their campaigns started, or as live until now.
 */
export function forgetBuilding(store: Store, clock: Clock): void {
  store.run('DELETE FROM past');
  store.run(
    `INSERT INTO past SELECT 'campaign', campaign_id, ?, campaign_id, json_object('status', 'live',
       'daily_budget', daily_budget, 'start_date', start_date, 'end_date', end_date)
     FROM campaign WHERE was_live = 1 AND status IN ('paused', 'completed')`,
    dateAt(clock.now()),
  );
}

const SETTING = 'markets';

/** The scenario's facts about shoppers; stored, so that a restarted sandbox keeps them. */
export interface Markets {
  /** Factor of searches compared with the default. */
  readonly busy: number;
  /** Keys are a campaign ID, a space, and the text of a keyword or the name of an item. */
  readonly rows: Readonly<Record<string, KnownMarket>>;
}

export function writeMarkets(store: Store, markets: Markets): void {
  store.writeSetting(SETTING, JSON.stringify(markets));
}

function readMarkets(store: Store): Markets {
  const text = store.readSetting(SETTING);
  return text === null ? { busy: 1, rows: {} } : (JSON.parse(text) as Markets);
}

/** A period in which a campaign and all its rows in auctions did not change. */
export interface Stretch {
  readonly days: readonly string[];
  readonly budgetCents: number | null;
  readonly cells: readonly Cell[];
  /** Keywords, or the items of an automatic campaign. Ordered by ID. */
  readonly rows: readonly { readonly id: number; readonly bidCents: number }[];
  readonly bidders: readonly Bidder[];
  /** The IDs of the shown items. */
  readonly items: readonly number[];
}

type State = Readonly<Record<string, string | number | null>>;

/** Days of a campaign between two dates on which it ran. */
export function createHistory(store: Store, seed: number) {
  const markets = readMarkets(store);
  const changed = new Set(
    store.all<{ campaign_id: number }>('SELECT DISTINCT campaign_id FROM past').map((row) => row.campaign_id),
  );

  return (campaign: CampaignRow, from: string, to: string): readonly Stretch[] => {
    const id = campaign.campaign_id;
    const past = changed.has(id) ? store.list('past', { campaign_id: id }) : [];
    const pastByRow = Map.groupBy(past, (row) => `${row.row_table} ${row.row_id}`);
    for (const rows of pastByRow.values()) rows.sort((a, b) => (a.through_date < b.through_date ? -1 : 1));
    const current = rowsOf(store, id);
    const known = new Map<number, ReturnType<typeof marketOf>>();
    const marketAt = (row: number, text: string) => {
      const market = known.get(row) ?? marketOf(seed, id, row, markets.rows[`${id} ${text}`], markets.busy);
      known.set(row, market);
      return market;
    };

    const ends = [...new Set(past.map((row) => row.through_date))].filter((day) => day >= from && day < to).toSorted();
    return [...ends, to].flatMap((end, at) => {
      const first = at === 0 ? from : addDays(ends[at - 1] ?? from, 1);
      /** The row's state at the start of the period; null if it did not exist yet. */
      const then = <T extends State>(table: KeptTable, row: T): T | null => {
        const rows = pastByRow.get(`${table} ${row[KEPT[table].id]}`);
        const kept = rows?.find(({ through_date }) => through_date >= first);
        if (kept === undefined) return row;
        return kept.state === null ? null : { ...row, ...(JSON.parse(kept.state) as State) };
      };
      const all = <T extends State>(table: KeptTable, rows: readonly T[]): readonly T[] =>
        rows.map((row) => then(table, row)).filter((row) => row !== null);

      const head = then('campaign', campaign);
      const isShown = all('ad_group', current.groups).some(({ status }) => status === 'enabled');
      if (head === null || head.status !== 'live' || !isShown) return [];
      const days = datesBetween(
        first > head.start_date ? first : head.start_date,
        end < head.end_date ? end : head.end_date,
      );
      if (days.length === 0) return [];
      const items = all('ad_item', current.items).filter(
        (item) => item.status === 'enabled' && item.review_status === 'approved',
      );
      const words = all('keyword', current.keywords).filter(
        (word) => word.state === 'enabled' && word.status === 'approved',
      );
      const isAuto = campaign.targeting_type === 'auto';
      const rows = isAuto
        ? items.map((item) => ({ id: item.ad_item_id, bidCents: item.bid, text: item.name }))
        : words.map((word) => ({ id: word.keyword_id, bidCents: word.bid, text: word.keyword_text }));
      const cells = cellsFor(new Map(all('multiplier', current.multipliers).map((row) => [row.type, row.multiplier])));
      const shown = items.length === 0 ? [] : rows;
      return [
        {
          days,
          budgetCents: head.daily_budget,
          cells,
          rows: shown,
          bidders: shown.map(({ id: row, bidCents, text }) => bidderOf(marketAt(row, text), bidCents, cells)),
          items: items.map((item) => item.ad_item_id),
        },
      ];
    });
  };
}

function rowsOf(store: Store, campaignId: number) {
  return {
    groups: store.list('ad_group', { campaign_id: campaignId }),
    keywords: store.list('keyword', { campaign_id: campaignId }),
    items: store.all<RowOf<'ad_item'> & { name: string }>(
      'SELECT ad_item.*, item.name FROM ad_item JOIN item USING (item_key) WHERE campaign_id = ? ORDER BY ad_item_id',
      campaignId,
    ),
    multipliers: store.list('multiplier', { campaign_id: campaignId }),
  };
}

function datesBetween(from: string, to: string): readonly string[] {
  const dates: string[] = [];
  const last = Date.parse(to);
  for (let at = Date.parse(from); at <= last; at += DAY_MS) dates.push(new Date(at).toISOString().slice(0, 10));
  return dates;
}
