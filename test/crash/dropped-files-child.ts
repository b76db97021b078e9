import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../main/app/clock.ts';
import { THREADS } from '../../main/core/core-options.ts';
import { createProber } from '../../main/files/probe/prober.ts';
import { createWatchedFolder } from '../../main/files/watched/watched-folder.ts';
import { asWorkspaceId } from '../../shared/model/scalars.ts';
import { startCore } from '../core/a-core.ts';

/** Watches a folder and says how many files it took, until it is killed. */
const [dataDir = '', workspaceId = '', drop = ''] = process.argv.slice(2);
const core = await startCore(dataDir, { host: 'cli', threads: THREADS });
const opened = await core.open.get(asWorkspaceId(workspaceId));
if (!opened.ok) throw new Error('the account cannot be opened');
const { workspace, library } = opened.value;
const watched = createWatchedFolder({
  workspace,
  library,
  prober: createProber(),
  clock: systemClock,
  logFile: join(dataDir, 'dropped.db'),
  ownFolder: drop,
  isReadOnly: false,
  changed: () => undefined,
  tell: () => undefined,
  pace: { settle: 100, check: 100, full: 1000 },
});
await watched.set({ on: true, path: drop, patterns: '{campaign}_{creative}.png' }, true);
for (;;) {
  await systemClock.sleep(100);
  writeSync(1, `${watched.state().total}\n`);
}
