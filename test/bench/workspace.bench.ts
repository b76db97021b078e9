import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../main/app/clock.ts';
import { openDb } from '../../main/store/db/open-db.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { benchBulk, benchEdit, editBid } from './workspace-edits.ts';
import {
  benchCreation,
  benchFullCheck,
  benchMemory,
  benchOpen,
  benchSize,
  bundledStore,
  makeKnown,
  type Open,
} from './workspace-open.ts';
import { benchPlan, benchPlanPage } from './workspace-plan.ts';
import {
  benchCounts,
  benchGroups,
  benchMetricSort,
  benchOrders,
  benchRoundTrip,
  benchWindows,
} from './workspace-views.ts';

/**
 * The store beside raw SQLite on the same data, in the same run: `node test/bench/workspace.bench.ts [KEYWORDS]`. The
 * numbers before the names are those of the limits the store was designed for; 16 and 17, sheets, are in
 * `exchange.bench.ts`; 20 and 21, kills and the oracle of sessions, are tests. Every peer is the bare statement that any store would have to run.
 */
export async function benchWorkspace(keywords: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'adslate-bench-'));
  const file = join(folder, 'workspace.db');
  const floorFile = join(folder, 'floor.db');
  const { openWorkspace } = await bundledStore(folder);
  const profile = defaultDeploymentSettings('shop.example');
  const open: Open = async (migrated = true) => {
    const opened = await openWorkspace({ file, profile, clock: systemClock, migrated });
    if (!opened.ok) throw new Error(JSON.stringify(opened.error));
    return opened.value;
  };
  const verdicts: boolean[] = [];
  try {
    verdicts.push(...(await benchCreation(open, folder, keywords)));
    await makeKnown(open, file, floorFile);
    verdicts.push(benchSize(file));
    verdicts.push(...(await benchOpen(open, floorFile)));
    verdicts.push(await benchMemory(file, folder));
    verdicts.push(...(await benchWindows(file)));
    verdicts.push(...benchMetricSort(file));
    verdicts.push(...benchGroups(file));
    const floor = openDb(floorFile);
    const workspace = await open();
    verdicts.push(...(await benchRoundTrip(workspace, floor)));
    verdicts.push(...(await benchOrders(workspace, floor)));
    verdicts.push(...(await benchEdit(workspace, floor)));
    const someId = Number(floor.get('SELECT min(id) FROM keyword')?.[0]);
    verdicts.push(...(await benchCounts(workspace, (i) => editBid(workspace, someId, 400 + i))));
    verdicts.push(...(await benchBulk(workspace, floor, file)));
    const { viewId } = await openedAll(workspace);
    const change = (count: number) =>
      workspace.applyTool({ viewId, ranges: [{ from: 0, count }] }, { tool: 'set', values: { bid: 333 } }, 'Set', {
        taskId: 'plan',
      });
    const changed = Math.min(115_000, keywords);
    await change(changed);
    verdicts.push(await benchPlan(workspace, floor, changed));
    const shown = Math.min(200_000, keywords);
    await change(shown);
    verdicts.push(...(await benchPlanPage(workspace, shown)));
    await workspace.close();
    verdicts.push(...(await benchFullCheck(open, floor, keywords)));
    floor.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return verdicts.every(Boolean);
}

async function openedAll(workspace: Awaited<ReturnType<Open>>) {
  const view = await workspace.openView({ kind: 'keyword', filter: '', sort: [], campaignId: null, only: 'all' });
  if (!view.ok) throw new Error(view.error.problem);
  return view.value;
}

if (import.meta.main) {
  const holds = await benchWorkspace(Number(process.argv[2] ?? 1_000_000));
  process.exitCode = holds ? 0 : 1;
}
