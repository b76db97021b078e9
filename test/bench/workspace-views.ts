import { readIds } from '../../main/store/db/db.ts';
import type { OpenDb } from '../../main/store/db/open-db.ts';
import { openDb } from '../../main/store/db/open-db.ts';
import { metricKey, rowMetricsOf, wantedMetrics } from '../../main/store/reader/row-metrics.ts';
import { createViews } from '../../main/store/reader/views.ts';
import { sqlList, tableOf } from '../../main/store/schema/tables.ts';
import type { Workspace } from '../../main/store/workspace.ts';
import type { ViewSpec } from '../../shared/api/workspace.ts';
import { SUMMED } from '../../shared/reports/account-metrics.ts';
import type { Period } from '../../shared/reports/period.ts';
import { aView } from '../store/a-view.ts';
import { call } from '../store/call.ts';
import { echoThread } from './echo-thread.ts';
import { inTurns, median, repeated, said, share, timed } from './figure.ts';
import { byBid, openedView, WINDOW } from './keyword-view.ts';

/** The same columns as a window has, without the campaign, the marks and the words. */
const RAW_WINDOW = `SELECT k.id, k.campaign_id, k.ad_group_id, k.remote_id, k.dirty, k.issues,
  ${sqlList(tableOf('keyword').columns, 'k.')} FROM json_each(?) j CROSS JOIN keyword k ON k.id = j.value ORDER BY j.key`;

/** Bars 3 and 4: windows as the reader's thread makes them, on a connection of its own in this thread. */
export async function benchWindows(file: string): Promise<boolean[]> {
  const db = openDb(file, { readOnly: true });
  const views = createViews(db);
  const opened = views.open(byBid);
  if (!opened.ok) throw new Error(opened.error.problem);
  const { viewId, length } = opened.value;
  const order = readIds(db, 'SELECT id FROM keyword ORDER BY bid, id');
  const at = (i: number): number => (i * 7919 * 613) % Math.max(1, length - WINDOW);
  // Other windows than ours, or ours would have brought their pages into memory.
  const elsewhere = (i: number): number => (i * 104_729 * 37 + 12_345) % Math.max(1, length - WINDOW);
  const ids = (from: number): string => `[${order.subarray(from, from + WINDOW).join(',')}]`;
  const anywhere = await inTurns(
    1500,
    (i) => views.read(viewId, at(i), WINDOW),
    (i) => db.all(RAW_WINDOW, ids(elsewhere(i))),
  );
  const depths = [0, Math.floor(length / 2), length - WINDOW];
  const byDepth: number[][] = [[], [], []];
  for (let round = 0; round < 300; round++) {
    for (const [i, from] of depths.entries()) {
      byDepth[i]?.push(await timed(() => views.read(viewId, from, WINDOW)));
    }
  }
  const medians = byDepth.map((times) => median(times.toSorted((a, b) => a - b)));
  db.close();
  return [
    said('3 window of 100 rows anywhere, median', median(anywhere.mine), 'ms', {
      bar: 5,
      peer: 'raw rows by id, same columns',
      peerValue: median(anywhere.theirs),
      ratioBar: 2,
    }),
    said('3 window of 100 rows anywhere, 95 %', share(anywhere.mine, 0.95), 'ms', { bar: 5 }),
    said('4 window at its slowest depth (top, middle, end), median', Math.max(...medians), 'ms', {
      bar: 5,
      peer: 'at its fastest depth',
      peerValue: Math.min(...medians),
      ratioBar: 2,
    }),
  ];
}

/** Bar 5: the same from the main thread; the peer is a thread that hands back 100 ready rows, and the raw query. */
export async function benchRoundTrip(workspace: Workspace, floor: OpenDb): Promise<boolean[]> {
  const { viewId, length } = await openedView(workspace);
  const window = await workspace.readWindow(viewId, 0, WINDOW);
  const echo = echoThread(window?.rows ?? []);
  const ids = JSON.stringify(window?.rows.map((row) => row.id));
  const turns = await inTurns(
    600,
    (i) => workspace.readWindow(viewId, (i * 7919 * 613) % Math.max(1, length - WINDOW), WINDOW),
    async () => {
      floor.all(RAW_WINDOW, ids);
      await echo.answered();
    },
  );
  await echo.close();
  return [
    said('5 window asked for by the main thread, median', median(turns.mine), 'ms', {
      bar: 5,
      peer: 'echo of 100 rows and the raw query',
      peerValue: median(turns.theirs),
      ratioBar: 3,
    }),
    said('5 window asked for by the main thread, 95 %', share(turns.mine, 0.95), 'ms', { bar: 10 }),
  ];
}

/** Bars 7, 8 and 13: orders, first and again, filters, and the counts that are always on screen. */
export async function benchOrders(workspace: Workspace, floor: OpenDb): Promise<boolean[]> {
  const verdicts: boolean[] = [];
  const shapes = [
    ['7 sort by bid (indexed)', { sort: [{ column: 'bid', descending: false }] }, 'bid, id', 500],
    ['7 sort by text (indexed)', { sort: [{ column: 'text', descending: false }] }, 'sort_key, id', 500],
    ['7 sort by match type (no index)', { sort: [{ column: 'matchType', descending: false }] }, 'matchType, id', 1000],
    [
      '7 sort by state, then bid (no index)',
      {
        sort: [
          { column: 'state', descending: false },
          { column: 'bid', descending: true },
        ],
      },
      'state, bid DESC, id DESC',
      1500,
    ],
    [
      '7 sort by service id (text, no order of its own)',
      { sort: [{ column: 'remoteId', descending: false }] },
      'length(remote_id), remote_id, id',
      1500,
    ],
  ] as const;
  for (const [name, changes, order, bar] of shapes) {
    const spec = aView({ ...changes, sort: [...changes.sort] });
    const first = await timed(() => openedView(workspace, spec));
    const again = await repeated(5, () => openedView(workspace, spec));
    const raw = await repeated(3, () => readIds(floor, `SELECT id FROM keyword ORDER BY ${order}`));
    verdicts.push(
      said(name, first, 'ms', { bar, peer: 'raw SQL sort', peerValue: median(raw), ratioBar: 2.5 }),
      said('  the same again', median(again), 'ms', { bar: 50 }),
    );
  }
  const like = `SELECT count(*) FROM keyword WHERE sort_key LIKE '%towel pack%'`;
  const text = await inTurns(
    5,
    (i) => openedView(workspace, aView({ filter: `text:"towel pack" bid>0.0${i}`, sort: byBid.sort })),
    () => floor.get(like),
  );
  verdicts.push(
    said('8 filter by text, sorted by bid', median(text.mine), 'ms', {
      bar: 1000,
      peer: 'raw LIKE count',
      peerValue: median(text.theirs),
      ratioBar: 3,
    }),
  );
  const filter = await inTurns(
    5,
    (i) => openedView(workspace, aView({ filter: `bid<2.5${i} matchType:exact` })),
    (i) => readIds(floor, `SELECT id FROM keyword WHERE bid < 25${i} AND matchType = 0 ORDER BY id`),
  );
  verdicts.push(
    said('8 filter by two fields to a count', median(filter.mine), 'ms', {
      bar: 250,
      peer: 'the raw query',
      peerValue: median(filter.theirs),
      ratioBar: 3,
    }),
  );
  return verdicts;
}

/**
 * A list sorted by a metric that it has not seen, as the reader's thread does it: the numbers are taken over, then the order is
 * made. The peers are a join with a table of the same numbers, and an order that an index has.
 */
export function benchMetricSort(file: string): boolean[] {
  const db = openDb(file, { readOnly: true });
  const ids = db.all('SELECT id FROM keyword ORDER BY id').map(([id]) => Number(id));
  const values = new Float64Array(Math.max(...ids.slice(-1)) + 1).fill(Number.NaN);
  for (const [i, id] of ids.entries()) values[id] = (i * 7919) % 5000;
  const views = createViews(db);
  const sorted = (period: Period) => aView({ sort: [{ column: 'metric.clicks', descending: true }], period });
  db.exec('CREATE TEMP TABLE floor(id INTEGER PRIMARY KEY, value INTEGER NOT NULL) STRICT');
  for (const id of ids) db.run('INSERT INTO temp.floor VALUES (?, ?)', id, values[id] ?? 0);
  const mine: number[] = [];
  const theirs: number[] = [];
  const clock = (durations: number[], work: () => unknown): void => {
    const start = performance.now();
    work();
    durations.push(performance.now() - start);
  };
  for (let round = 0; round < 5; round++) {
    const spec = sorted(`last-${round + 1}`);
    clock(mine, () => {
      for (const wanted of wantedMetrics(spec)) rowMetricsOf(db).keep(metricKey(wanted), '1', values);
      views.open(spec, 0, 100);
    });
    clock(theirs, () =>
      readIds(db, 'SELECT k.id FROM keyword k LEFT JOIN temp.floor f ON f.id = k.id ORDER BY f.value DESC, k.id'),
    );
  }
  const all = views.open(aView({}));
  const columns = SUMMED.map(() => values);
  const totals: number[] = [];
  for (let round = 0; round < 5 && all.ok; round++) {
    // Two periods, as the row below the grid shows them.
    clock(totals, () => [1, 2].map(() => views.metricSums(all.value.viewId, null, columns)));
  }
  db.close();
  const middle = (durations: readonly number[]): number => median(durations.toSorted((a, b) => a - b));
  return [
    said(`Q6 totals of ${ids.length} rows over two periods`, middle(totals), 'ms', {
      bar: Math.max(50, (50 * ids.length) / 200_000),
    }),
    said(`Q5 order of ${ids.length} rows by a metric, to the first window`, middle(mine), 'ms', {
      bar: Math.max(250, (250 * ids.length) / 200_000),
      peer: 'a join with the same numbers',
      peerValue: middle(theirs),
      ratioBar: 3,
    }),
  ];
}

/** Every keyword grouped by campaign, as the reader's thread does it, and the first rows of a list whose order is not made yet. */
export function benchGroups(file: string): boolean[] {
  const db = openDb(file, { readOnly: true });
  const fresh = (spec: ViewSpec): number => {
    const views = createViews(db);
    const start = performance.now();
    views.open(spec, 0, WINDOW);
    return performance.now() - start;
  };
  const grouped: number[] = [];
  const opened: number[] = [];
  for (let round = 0; round < 5; round++) {
    const views = createViews(db);
    const start = performance.now();
    const view = views.open(aView({ group: 'campaign' }), 0, WINDOW);
    if (view.ok) views.outline(view.value.viewId);
    grouped.push(performance.now() - start);
    opened.push(fresh(aView()), fresh(byBid));
  }
  db.close();
  const middle = (durations: number[]): number => median(durations.toSorted((a, b) => a - b));
  return [
    said('7 all keywords grouped by campaign, with where each group begins', middle(grouped), 'ms', { bar: 1000 }),
    said('7 first rows of a list before its order is made', middle(opened), 'ms', { bar: 200 }),
  ];
}

/** Bar 13, after an edit, so that nothing is remembered. */
export async function benchCounts(workspace: Workspace, edit: (i: number) => Promise<unknown>): Promise<boolean[]> {
  const figures: number[] = [];
  const counts: number[] = [];
  for (let i = 0; i < 9; i++) {
    await edit(i);
    figures.push(await timed(() => workspace.summary()));
    counts.push(await timed(() => call(workspace, 'views', 'counts', { kind: 'keyword' })));
  }
  return [
    said('13 figures of the status bar after an edit', median(figures.toSorted((a, b) => a - b)), 'ms', { bar: 50 }),
    said('13 rows behind each one-click filter after an edit', median(counts.toSorted((a, b) => a - b)), 'ms', {
      bar: 250,
    }),
  ];
}
