import type { OpenDb } from '../../main/workspace/db/open-db.ts';
import { readIds } from '../../main/workspace/db/read-ids.ts';
import type { CellUpdate, Workspace } from '../../main/workspace/port.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import { print, repeated, share, timed } from './figure.ts';
import { openedView, WINDOW } from './workspace-views.ts';

const BULK = 100_000;

/** One edit, a bulk edit with windows read meanwhile, its undo and redo. */
export async function benchEdits(workspace: Workspace, floor: OpenDb, keywords: number): Promise<boolean[]> {
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
