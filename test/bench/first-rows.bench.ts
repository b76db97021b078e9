import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../main/app/clock.ts';
import type { Workspace } from '../../main/store/workspace.ts';
import type { ViewSpec } from '../../shared/api/workspace.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import { aView } from '../store/a-view.ts';
import { applied, batches, campaignsFor, ROWS_A_CAMPAIGN } from './big-workspace.ts';
import { median, said, timed } from './figure.ts';
import { WINDOW } from './keyword-view.ts';
import { bundledStore, makeKnown } from './workspace-open.ts';

/**
 * How long an account that was just opened takes to its first rows, in each of the lists with many: `npm run bench --
 * first-rows --rows 3300000`. So many rows take minutes to create, so that it has few of them when no one asks for more.
 */
const ROWS = Number(process.argv[2] ?? 110_000);
const ROUNDS = 5;
const LIMIT_MS = 200;

const sorted = (column: string, descending = false): ViewSpec => aView({ sort: [{ column, descending }] });
const LISTS: readonly (readonly [string, ViewSpec])[] = [
  ['keywords by campaign', aView({ group: 'campaign' })],
  ['keywords as created', aView()],
  ['keywords by bid, highest first', sorted('bid', true)],
  ['keywords by name', sorted('text')],
  ['items by campaign', { ...aView({ group: 'campaign' }), kind: 'adItem' }],
  ['keywords of one campaign', aView({ campaignId: asRowId(113) })],
];

const middle = (durations: readonly number[]): number => median(durations.toSorted((a, b) => a - b));

const folder = mkdtempSync(join(tmpdir(), 'adslate-first-rows-'));
const file = join(folder, 'workspace.db');
const verdicts: boolean[] = [];
try {
  const { openWorkspace } = await bundledStore(folder);
  const open = async (migrated: boolean | null = true): Promise<Workspace> => {
    const profile = defaultDeploymentSettings('shop.example');
    const opened = await openWorkspace({ file, profile, clock: systemClock, migrated });
    if (!opened.ok) throw new Error(JSON.stringify(opened.error));
    return opened.value;
  };
  const keywords = Math.round((ROWS * 100) / ROWS_A_CAMPAIGN);
  const rows = campaignsFor(keywords) * ROWS_A_CAMPAIGN;
  const filled = await open();
  for (const { first, creates } of batches(keywords)) await applied(filled, first, creates);
  await filled.rowsWithErrors();
  await filled.close();
  await makeKnown(open, file, join(folder, 'floor.db'));

  const opened: number[] = [];
  const counted: number[] = [];
  for (const [name, view] of LISTS) {
    const first: number[] = [];
    const further: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const startedAt = performance.now();
      const { openView, readWindow, summary, close } = await open();
      opened.push(performance.now() - startedAt);
      let length = 0;
      let viewId = -1;
      first.push(
        await timed(async () => {
          const answer = await openView(view, { window: { from: 0, count: WINDOW } });
          if (!answer.ok) throw new Error(answer.error.problem);
          ({ viewId, length } = answer.value);
        }),
      );
      if (length === 0) throw new Error(`${name}: there are no rows`);
      counted.push(await timed(summary));
      further.push(await timed(() => readWindow(viewId, Math.floor(length / 2), WINDOW)));
      await close();
    }
    verdicts.push(
      said(`first rows of ${rows}: ${name}`, middle(first), 'ms', { bar: LIMIT_MS }),
      said('  the first rows from its middle', middle(further), 'ms'),
    );
  }
  verdicts.push(
    said(`account of ${rows} rows opened`, middle(opened), 'ms', { bar: LIMIT_MS }),
    said('  its figures of the status bar', middle(counted), 'ms'),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = verdicts.every(Boolean) ? 0 : 1;
