import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../main/clock.ts';
import { type OpenDb, openDb } from '../../main/workspace/db/open-db.ts';
import { readIds } from '../../main/workspace/db/read-ids.ts';
import { openWorkspace } from '../../main/workspace/open.ts';
import type { CellUpdate, Workspace } from '../../main/workspace/port.ts';
import { migrate } from '../../main/workspace/schema/migrate.ts';
import type { ViewSpec } from '../../shared/contract/workspace.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import { defaultProfile } from '../../shared/profile/profile.ts';
import { campaignsFor, fill, keywordValues } from './big-workspace.ts';
import { print, repeated, share, timed } from './figure.ts';

/**
 * The store against raw SQLite on the same data, in the same run: `node test/bench/workspace.bench.ts [KEYWORDS]`.
 * Every peer is the bare statement that any store would have to run.
 */
const WINDOW = 100;
const BULK = 100_000;

export async function benchWorkspace(keywords: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'adslate-bench-'));
  const file = join(folder, 'workspace.db');
  const verdicts: boolean[] = [];
  try {
    const open = () => opened(file);
    let workspace = await open();
    const imported = await timed(() => fill(workspace, keywords));
    const raw = rawInsert(join(folder, 'raw.db'), keywords);
    const perMillion = keywords / 1_000_000;
    verdicts.push(
      print({
        name: 'import through the store',
        value: imported,
        unit: 'ms',
        bar: 20_000 * perMillion,
        peer: 'raw prepared insert, same tables',
        peerValue: raw,
        ratioBar: 2.5,
      }),
    );
    const checked = await timed(() => workspace.rowsWithErrors());
    verdicts.push(
      print({
        name: 'checks that the import left',
        value: checked,
        unit: 'ms',
        bar: 10_000 * perMillion,
        peer: null,
        peerValue: null,
        ratioBar: null,
      }),
    );
    await workspace.close();
    verdicts.push(
      print({
        name: 'file size a keyword',
        value: statSync(file).size / keywords,
        unit: 'bytes',
        bar: 300,
        peer: null,
        peerValue: null,
        ratioBar: null,
      }),
    );
    const floor = openDb(join(folder, 'raw.db'));
    verdicts.push(await benchOpen(open, floor));
    workspace = await open();
    verdicts.push(...(await benchViews(workspace, floor)));
    verdicts.push(...(await benchEdits(workspace, floor, keywords)));
    const memory = process.memoryUsage().rss / 2 ** 20;
    verdicts.push(
      print({
        name: 'memory of the process',
        value: memory,
        unit: 'MB',
        bar: null,
        peer: null,
        peerValue: null,
        ratioBar: null,
      }),
    );
    floor.close();
    await workspace.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return verdicts.every(Boolean);
}

async function opened(file: string): Promise<Workspace> {
  const profile = defaultProfile('shop.example');
  const workspace = await openWorkspace({ file, workspaceId: 'bench', profile, clock: systemClock, migrated: true });
  if (!workspace.ok) throw new Error(JSON.stringify(workspace.error));
  return workspace.value;
}

const view = (changes: Partial<ViewSpec>): ViewSpec => ({
  kind: 'keyword',
  filter: '',
  sort: [],
  campaignId: null,
  only: 'all',
  ...changes,
});

/** The same rows in the same tables, written with one prepared statement a kind in one transaction. */
function rawInsert(file: string, keywords: number): number {
  const db = openDb(file);
  migrate(db);
  const start = performance.now();
  db.tx(() => {
    let id = 0;
    for (let c = 0; c < campaignsFor(keywords); c++) {
      const campaign = ++id;
      db.run(
        'INSERT INTO campaign(id, campaign_id, name, sort_key, dirty) VALUES (?1, ?1, ?2, ?2, 1048576)',
        campaign,
        `campaign ${c}`,
      );
      const group = ++id;
      db.run(
        'INSERT INTO ad_group(id, campaign_id, name, sort_key, dirty) VALUES (?, ?, ?3, ?3, 1048576)',
        group,
        campaign,
        `group ${c}`,
      );
      for (let i = 0; i < 10; i++) {
        db.run(
          'INSERT INTO ad_item(id, campaign_id, ad_group_id, itemId, bid, dirty) VALUES (?, ?, ?, ?, 60, 1048576)',
          ++id,
          campaign,
          group,
          String(100_000_000 + c * 100 + i),
        );
      }
      for (let i = 0; i < 600; i++) {
        const { text, bid } = keywordValues(c, i);
        db.run(
          `INSERT INTO keyword(id, campaign_id, ad_group_id, text, sort_key, matchType, bid, state, dirty)
           VALUES (?, ?, ?, ?4, ?4, ?, ?, 0, 1048576)`,
          ++id,
          campaign,
          group,
          text ?? null,
          i % 3,
          bid ?? null,
        );
      }
    }
  });
  const took = performance.now() - start;
  db.close();
  return took;
}

async function benchOpen(open: () => Promise<Workspace>, floor: OpenDb): Promise<boolean> {
  const sorted = view({ sort: [{ column: 'bid', descending: false }] });
  const durations = await repeated(5, async () => {
    const workspace = await open();
    const opened = await workspace.openView(sorted);
    if (!opened.ok) throw new Error(opened.error.problem);
    await workspace.readWindow(opened.value.viewId, 0, WINDOW);
    await workspace.close();
  });
  const peer = await repeated(5, () => readIds(floor, 'SELECT id FROM keyword ORDER BY bid, id'));
  return print({
    name: 'open to first window, threads included',
    value: share(durations, 0.5),
    unit: 'ms',
    bar: 1000,
    peer: 'one ordered query',
    peerValue: share(peer, 0.5),
    ratioBar: null,
  });
}

async function benchViews(workspace: Workspace, floor: OpenDb): Promise<boolean[]> {
  const verdicts: boolean[] = [];
  const shapes = [
    {
      name: 'sort by bid',
      spec: view({ sort: [{ column: 'bid', descending: false }] }),
      sql: 'SELECT id FROM keyword ORDER BY bid, id',
    },
    {
      name: 'sort by text',
      spec: view({ sort: [{ column: 'text', descending: false }] }),
      sql: 'SELECT id FROM keyword ORDER BY sort_key, id',
    },
    {
      name: 'sort by match type, no index',
      spec: view({ sort: [{ column: 'matchType', descending: false }] }),
      sql: 'SELECT id FROM keyword ORDER BY matchType, id',
    },
    {
      name: 'filter by a field, sort by bid',
      spec: view({ filter: 'text:"towel pack"', sort: [{ column: 'bid', descending: false }] }),
      sql: `SELECT id FROM keyword WHERE sort_key LIKE '%towel pack%' ORDER BY +bid, id`,
    },
  ];
  for (const { name, spec, sql } of shapes) {
    const mine = await repeated(5, () => workspace.openView(spec));
    const peer = await repeated(5, () => readIds(floor, sql));
    verdicts.push(
      print({
        name,
        value: share(mine, 0.5),
        unit: 'ms',
        bar: 1000,
        peer: 'the bare query',
        peerValue: share(peer, 0.5),
        ratioBar: 3,
      }),
    );
  }
  const { viewId, length } = await openedView(workspace);
  for (const [name, from] of [
    ['top', 0],
    ['middle', length / 2],
    ['end', length - WINDOW],
  ] as const) {
    const mine = await repeated(200, () => workspace.readWindow(viewId, Math.floor(from), WINDOW));
    const ids = JSON.stringify(
      (await workspace.readWindow(viewId, Math.floor(from), WINDOW))?.rows.map((row) => row.id),
    );
    const peer = await repeated(200, () =>
      floor.all('SELECT k.* FROM json_each(?) j CROSS JOIN keyword k ON k.id = j.value ORDER BY j.key', ids),
    );
    verdicts.push(
      print({
        name: `window of 100 rows, ${name}, median`,
        value: share(mine, 0.5),
        unit: 'ms',
        bar: 5,
        peer: 'raw rows by id, no thread',
        peerValue: share(peer, 0.5),
        ratioBar: null,
      }),
    );
  }
  const figures = await repeated(20, () => workspace.summary());
  verdicts.push(
    print({
      name: 'all figures of the status bar',
      value: share(figures, 0.5),
      unit: 'ms',
      bar: 50,
      peer: null,
      peerValue: null,
      ratioBar: null,
    }),
  );
  return verdicts;
}

async function openedView(workspace: Workspace) {
  const view_ = await workspace.openView(view({ sort: [{ column: 'bid', descending: false }] }));
  if (!view_.ok) throw new Error(view_.error.problem);
  return view_.value;
}

async function benchEdits(workspace: Workspace, floor: OpenDb, keywords: number): Promise<boolean[]> {
  const verdicts: boolean[] = [];
  const ids = readIds(floor, `SELECT id FROM keyword ORDER BY id LIMIT ${Math.min(BULK, keywords)}`);
  const single = await repeated(300, (i) =>
    workspace.apply({ label: 'Bid', source: 'user', updates: [bidOf(ids[(i * 331) % ids.length], 1000 + i)] }),
  );
  const bare = await repeated(300, (i) =>
    floor.run('UPDATE keyword SET bid = ? WHERE id = ?', 1000 + i, ids[(i * 331) % ids.length] ?? 0),
  );
  verdicts.push(
    print({
      name: 'one edit, durable and checked, median',
      value: share(single, 0.5),
      unit: 'ms',
      bar: 5,
      peer: 'bare durable commit',
      peerValue: share(bare, 0.5),
      ratioBar: null,
    }),
  );
  verdicts.push(
    print({
      name: 'one edit, durable and checked, 99 %',
      value: share(single, 0.99),
      unit: 'ms',
      bar: 50,
      peer: 'bare durable commit',
      peerValue: share(bare, 0.99),
      ratioBar: null,
    }),
  );

  const updates = Array.from(ids, (id, i) => bidOf(id, 200 + (i % 97)));
  const { viewId, length } = await openedView(workspace);
  const windows: number[] = [];
  let isEditing = true;
  const reading = (async () => {
    while (isEditing)
      windows.push(
        await timed(() => workspace.readWindow(viewId, Math.floor(Math.random() * (length - WINDOW)), WINDOW)),
      );
  })();
  const bulk = await timed(() => workspace.apply({ label: 'Bids', source: 'user', updates }));
  isEditing = false;
  await reading;
  const settled = await timed(() => workspace.rowsWithErrors());
  const update = 'UPDATE keyword SET bid = bid + 1 WHERE id IN (SELECT value FROM json_each(?))';
  const plain = share(await repeated(3, () => floor.run(update, JSON.stringify(Array.from(ids)))), 0.5);
  const peer = { peer: 'the bare UPDATE', peerValue: plain };
  verdicts.push(
    print({ name: `bulk edit of ${ids.length} rows`, value: bulk, unit: 'ms', bar: 1500, ...peer, ratioBar: 6 }),
  );
  verdicts.push(
    print({
      name: 'its checks, done afterwards in slices',
      value: settled,
      unit: 'ms',
      bar: 1500,
      ...peer,
      ratioBar: null,
    }),
  );
  windows.sort((a, b) => a - b);
  verdicts.push(
    print({
      name: 'window during the bulk edit, 99 %',
      value: share(windows, 0.99),
      unit: 'ms',
      bar: 20,
      peer: null,
      peerValue: null,
      ratioBar: null,
    }),
  );
  verdicts.push(
    print({
      name: 'undo of it',
      value: await timed(() => workspace.undo()),
      unit: 'ms',
      bar: 1500,
      ...peer,
      ratioBar: 6,
    }),
  );
  verdicts.push(
    print({
      name: 'redo of it',
      value: await timed(() => workspace.redo()),
      unit: 'ms',
      bar: 1500,
      ...peer,
      ratioBar: 6,
    }),
  );
  return verdicts;
}

const bidOf = (id: number | undefined, value: number): CellUpdate => ({
  kind: 'keyword',
  id: asRowId(id ?? 0),
  field: 'bid',
  value,
});

if (import.meta.main) {
  const holds = await benchWorkspace(Number(process.argv[2] ?? 1_000_000));
  process.exitCode = holds ? 0 : 1;
}
