import { readIds } from '../../main/store/db/db.ts';
import type { OpenDb } from '../../main/store/db/open-db.ts';
import { openDb } from '../../main/store/db/open-db.ts';
import type { Workspace } from '../../main/store/workspace.ts';
import type { BulkScope, BulkTool } from '../../shared/api/bulk.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import { aView } from '../store/a-view.ts';
import { call } from '../store/call.ts';
import { echoThread } from './echo-thread.ts';
import { inTurns, median, repeated, said, share, timed } from './figure.ts';
import { openedView, WINDOW } from './keyword-view.ts';

const BULK = 100_000;
const PREVIEWED = 200_000;
/** Rows whose new values are read at once. */
const GHOSTS = 100;
const EDITS = 500;
/** Edits before the measured ones: SQLite's statements are compiled from the start, ours only after a while. */
const WARM_UP = 300;

export const editBid = (workspace: Workspace, id: number, bid: number) =>
  workspace.apply({
    label: 'Bid',
    source: 'user',
    updates: [{ kind: 'keyword', id: asRowId(id), field: 'bid', value: bid }],
  });

/** Bar 9: one edit all over the account, in turns with the least that is durable. */
export async function benchEdit(workspace: Workspace, floor: OpenDb): Promise<boolean[]> {
  const ids = readIds(floor, 'SELECT id FROM keyword ORDER BY id');
  const place = (i: number): number => (i * 33_331) % ids.length;
  const id = (i: number): number => ids[place(i)] ?? 0;
  for (let i = 0; i < WARM_UP; i++) await editBid(workspace, id(i), 700 + i);
  const echo = echoThread([]);
  const bare: number[] = [];
  const turns = await inTurns(
    EDITS,
    (i) => editBid(workspace, id(i), 1000 + i),
    async (i) => {
      bare.push(await timed(() => floor.run('UPDATE keyword SET bid = ? WHERE id = ?', 1000 + i, id(i))));
      await echo.answered();
    },
  );
  await echo.close();
  bare.sort((a, b) => a - b);
  const typing = await repeated(EDITS, (i) => editBid(workspace, id(0) + (i % 50), 2000 + i));
  const { viewId } = await openedView(workspace, aView());
  let patched = 0;
  const confirmed = await inTurns(
    EDITS,
    async (i) => {
      const edited = await editBid(workspace, id(i), TOO_HIGH + i);
      const row = edited.ok ? edited.value.rows?.find((each) => each.row.id === id(i)) : undefined;
      if (row === undefined || row.issues === null) await readAgain(workspace, viewId, place(i));
      else patched += 1;
    },
    async (i) => {
      await editBid(workspace, id(i + EDITS), TOO_HIGH + i);
      await readAgain(workspace, viewId, place(i + EDITS));
    },
  );
  return [
    said('9 one edit anywhere, durable and checked, median', median(turns.mine), 'ms', {
      bar: 5,
      peer: 'echo of a thread and the bare durable commit of one row',
      peerValue: median(turns.theirs),
      ratioBar: 3,
    }),
    said('9 one edit anywhere, durable and checked, 99 %', share(turns.mine, 0.99), 'ms', {
      bar: 5,
      peer: 'the bare durable commit alone',
      peerValue: share(bare, 0.99),
    }),
    said('  the bare durable commit alone, median', median(bare), 'ms'),
    said('9 an edited cell confirmed with its issues', median(confirmed.mine), 'ms', {
      bar: 5,
      peer: 'the edit, then its window and the issues of its rows read again',
      peerValue: median(confirmed.theirs),
      // The two calls that a window no longer makes cost as much again on their way.
      ratioBar: 0.7,
    }),
    said('  of these, without reading anything', (100 * patched) / EDITS, '%'),
    said('  edits of one campaign, one after another, 99 %', share(typing, 0.99), 'ms', { bar: 5 }),
  ];
}

/** A bid in cents about which the rules have something to say, so that there are issues to show. */
const TOO_HIGH = 9_000_000;

/** The page of an edited row and the issues of the rows in sight, as a window asks for them. */
async function readAgain(workspace: Workspace, viewId: number, place: number): Promise<void> {
  const window = await workspace.readWindow(viewId, Math.floor(place / WINDOW) * WINDOW, WINDOW);
  const from = Math.max(0, (place % WINDOW) - ROWS_IN_SIGHT);
  const rows = (window?.rows ?? []).slice(from, from + ROWS_IN_SIGHT);
  const marked = rows.flatMap((row) => (row.severity === null ? [] : [row.id]));
  if (marked.length > 0) await call(workspace, 'workspace', 'rowIssues', { kind: 'keyword', ids: marked });
}

const ROWS_IN_SIGHT = 40;

interface Round {
  readonly bulk: number;
  readonly undo: number;
  readonly redo: number;
  readonly plain: number;
}

/** Bars 6, 10, 11 and 12: a bulk edit of clean rows, its undo and redo, windows meanwhile. */
export async function benchBulk(workspace: Workspace, floor: OpenDb, file: string): Promise<boolean[]> {
  const { viewId, length } = await openedView(workspace, aView());
  const size = Math.min(BULK, length);
  const at = () => Math.floor(Math.random() * (length - WINDOW));
  const idle = await repeated(300, () => workspace.readWindow(viewId, at(), WINDOW));
  const scope: BulkScope = { viewId, ranges: [{ from: Math.floor((length - size) / 2), count: size }] };
  const ids = JSON.stringify(Array.from(readIds(floor, 'SELECT id FROM keyword ORDER BY id').slice(0, size)));
  const raise: BulkTool = { tool: 'amount', field: 'bid', expression: '+10%', min: null, max: null, roundTo: 0 };
  const busy: number[] = [];
  const rounds: Round[] = [];
  for (let round = 0; round < 3; round++) {
    const bulk = await timed(() => whileReading(workspace, scope, raise, viewId, at, busy));
    const undo = await timed(() => call(workspace, 'workspace', 'undo'));
    const redo = await timed(() => call(workspace, 'workspace', 'redo'));
    await call(workspace, 'workspace', 'undo');
    const plain = await timed(() =>
      floor.run('UPDATE keyword SET bid = bid + 1 + bid / 10 WHERE id IN (SELECT value FROM json_each(?))', ids),
    );
    rounds.push({ bulk, undo, redo, plain });
  }
  const of = (pick: (round: Round) => number): number => median(rounds.map(pick).toSorted((a, b) => a - b));
  const [bulk, plain] = [of((round) => round.bulk), of((round) => round.plain)];
  const named: BulkTool = { tool: 'append', field: 'text', before: '', after: ' new' };
  const preview = await timed(() => call(workspace, 'bulk', 'preview', { scope, tool: named, count: 100 }));
  const wide: BulkScope = { viewId, ranges: [{ from: 0, count: Math.min(PREVIEWED, length) }] };
  const page = { rows: [{ kind: 'keyword' as const, ids: JSON.parse(ids).slice(0, GHOSTS) }] };
  const counts = median(
    await repeated(5, () => call(workspace, 'bulk', 'preview', { scope: wide, tool: raise, count: 0 })),
  );
  const ghosts = median(
    await repeated(20, () => call(workspace, 'bulk', 'preview', { scope: page, tool: raise, count: GHOSTS })),
  );
  const settled = await timed(() => workspace.rowsWithErrors());
  busy.sort((a, b) => a - b);
  return [
    said(`10 bulk edit of ${size} clean rows, with undo and base`, bulk, 'ms', {
      bar: 1500,
      peer: 'the bare UPDATE',
      peerValue: plain,
      ratioBar: 6,
    }),
    said(
      '11 its undo',
      of((round) => round.undo),
      'ms',
      { bar: 1500, peer: 'the edit', peerValue: bulk, ratioBar: 1.5 },
    ),
    said(
      '11 its redo',
      of((round) => round.redo),
      'ms',
      { bar: 1500, peer: 'the edit', peerValue: bulk, ratioBar: 1.5 },
    ),
    said('  its checks, done afterwards in slices', settled, 'ms', { bar: 1500 }),
    said('  preview of a tool over the same rows', preview, 'ms', { bar: 1500 }),
    said(`  counts, means and effects of a tool over ${Math.min(PREVIEWED, length)} rows`, counts, 'ms', { bar: 500 }),
    said(`  new values of the ${GHOSTS} rows on screen`, ghosts, 'ms', { bar: 100 }),
    said('6 window while it runs, 95 %', share(busy, 0.95), 'ms', {
      bar: 20,
      peer: 'idle, 95 %',
      peerValue: share(idle, 0.95),
      ratioBar: 20,
    }),
    said('6 window while it runs, 99 %', share(busy, 0.99), 'ms', { bar: 20 }),
    said('6 window while it runs, longest', busy.at(-1) ?? 0, 'ms', { bar: 150 }),
    await undoStorage(workspace, file, scope, size),
  ];
}

async function whileReading(
  workspace: Workspace,
  scope: BulkScope,
  tool: BulkTool,
  viewId: number,
  at: () => number,
  durations: number[],
): Promise<void> {
  let isEditing = true;
  const reading = (async () => {
    while (isEditing) durations.push(await timed(() => workspace.readWindow(viewId, at(), WINDOW)));
  })();
  const outcome = await workspace.applyTool(scope, tool, 'Bids', { taskId: 'bench' });
  isEditing = false;
  await reading;
  if (!outcome.ok || outcome.value.cells === 0) throw new Error(`nothing was edited: ${JSON.stringify(outcome)}`);
}

/** Bar 12: pages of the history before and after. */
async function undoStorage(workspace: Workspace, file: string, scope: BulkScope, cells: number): Promise<boolean> {
  const db = openDb(file, { readOnly: true });
  const bytes = () => Number(db.get(`SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE name = 'step_cell'`)?.[0]);
  // A new edit forgets what was undone.
  await editBid(workspace, Number(db.get('SELECT max(id) FROM keyword')?.[0]), 1);
  const before = bytes();
  await workspace.applyTool(scope, { tool: 'set', values: { bid: 321 } }, 'Set', { taskId: 'bench' });
  const each = (bytes() - before) / cells;
  db.close();
  await call(workspace, 'workspace', 'undo');
  return said('12 undo storage of a changed number', each, 'bytes', { bar: 40 });
}
