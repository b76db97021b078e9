import { systemClock } from '../../main/app/clock.ts';
import { openWorkspace } from '../../main/store/store.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';

/**
 * A process of its own for the tests that need one: `open FILE` prints what opening comes to; `edit FILE` sets the
 * bid of all keywords to 1, 2, 3 ... until it is killed, and prints each number once the edit is acknowledged.
 */
const [verb, file = ''] = process.argv.slice(2);
const opened = await openWorkspace({
  file,
  workspaceId: 'test',
  profile: defaultDeploymentSettings(),
  clock: systemClock,
  migrated: null,
});
if (verb === 'open' || !opened.ok) {
  process.stdout.write(JSON.stringify(opened.ok ? { ok: true } : opened));
  process.exit(0);
}
const workspace = opened.value;
const keywords: RowRef[] = (await workspace.readTrees('all')).flatMap((tree) =>
  tree.keywords.map(({ kind, id }) => ({ kind, id })),
);
for (let bid = 1; ; bid++) {
  const updates = keywords.map((ref) => ({ ...ref, field: 'bid', value: bid }));
  const outcome = await workspace.apply({ label: `Bid ${bid}`, source: 'user', updates });
  if (outcome.ok) process.stdout.write(`${bid}\n`);
}
