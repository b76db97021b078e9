import type { OpenDb } from '../../main/workspace/db/open-db.ts';
import { readIds } from '../../main/workspace/db/read-ids.ts';
import type { Workspace } from '../../main/workspace/port.ts';
import type { ViewSpec } from '../../shared/contract/workspace.ts';
import { print, repeated, share } from './figure.ts';

/** Rows of a window, as many as a screen asks for. */
export const WINDOW = 100;

const view = (changes: Partial<ViewSpec>): ViewSpec => ({
  kind: 'keyword',
  filter: '',
  sort: [],
  campaignId: null,
  only: 'all',
  ...changes,
});

/** From nothing to the first rows on screen, five times over. */
export async function benchOpen(open: () => Promise<Workspace>, floor: OpenDb): Promise<boolean> {
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

/** Orders, windows at any depth, and the figures of the status bar. */
export async function benchViews(workspace: Workspace, floor: OpenDb): Promise<boolean[]> {
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

export async function openedView(workspace: Workspace) {
  const view_ = await workspace.openView(view({ sort: [{ column: 'bid', descending: false }] }));
  if (!view_.ok) throw new Error(view_.error.problem);
  return view_.value;
}
