import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../main/clock.ts';
import { openDb } from '../../main/workspace/db/open-db.ts';
import { openWorkspace } from '../../main/workspace/open.ts';
import type { Workspace } from '../../main/workspace/port.ts';
import { defaultProfile } from '../../shared/profile/profile.ts';
import { fill } from './big-workspace.ts';
import { type Figure, print, timed } from './figure.ts';
import { rawInsert } from './raw-insert.ts';
import { benchEdits } from './workspace-edits.ts';
import { benchOpen, benchViews } from './workspace-views.ts';

/**
 * The store against raw SQLite on the same data, in the same run: `node test/bench/workspace.bench.ts [KEYWORDS]`.
 * Every peer is the bare statement that any store would have to run.
 */
export async function benchWorkspace(keywords: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'adslate-bench-'));
  const file = join(folder, 'workspace.db');
  const open = () => opened(file);
  const perMillion = keywords / 1_000_000;
  const verdicts: boolean[] = [];
  try {
    const first = await open();
    const imported = await timed(() => fill(first, keywords));
    const raw = { peer: 'raw prepared insert, same tables', peerValue: rawInsert(join(folder, 'raw.db'), keywords) };
    verdicts.push(said('rows created through the store', imported, 20_000 * perMillion, { ...raw, ratioBar: 2.5 }));
    const checked = await timed(() => first.rowsWithErrors());
    verdicts.push(said('checks that the creation left', checked, 10_000 * perMillion));
    await first.close();
    verdicts.push(said('file size a keyword', statSync(file).size / keywords, 300, {}, 'bytes'));
    const floor = openDb(join(folder, 'raw.db'));
    verdicts.push(await benchOpen(open, floor));
    const workspace = await open();
    verdicts.push(...(await benchViews(workspace, floor)));
    verdicts.push(...(await benchEdits(workspace, floor, keywords)));
    verdicts.push(said('memory of the process', process.memoryUsage().rss / 2 ** 20, null, {}, 'MB'));
    floor.close();
    await workspace.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return verdicts.every(Boolean);
}

const said = (name: string, value: number, bar: number | null, beside: Partial<Figure> = {}, unit = 'ms'): boolean =>
  print({ name, value, unit, bar, peer: null, peerValue: null, ratioBar: null, ...beside });

async function opened(file: string): Promise<Workspace> {
  const profile = defaultProfile('shop.example');
  const workspace = await openWorkspace({ file, workspaceId: 'bench', profile, clock: systemClock, migrated: true });
  if (!workspace.ok) throw new Error(JSON.stringify(workspace.error));
  return workspace.value;
}

if (import.meta.main) {
  const holds = await benchWorkspace(Number(process.argv[2] ?? 1_000_000));
  process.exitCode = holds ? 0 : 1;
}
