import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemClock } from '../../main/app/clock.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { aView } from '../store/a-view.ts';
import { openedView, WINDOW } from './keyword-view.ts';

/** Opens a workspace with the store that `bundledStore` has loaded, two views, reads 5,000 windows, and says what the process with all its threads takes, in MB. */
const [file = '', folder = ''] = process.argv.slice(2);
const store: unknown = await import(pathToFileURL(join(folder, 'part.js')).href);
const { openWorkspace } = store as typeof import('../../main/store/workspace.ts');
const profile = defaultDeploymentSettings('shop.example');
const opened = await openWorkspace({ file, profile, clock: systemClock, migrated: true });
if (!opened.ok) throw new Error(JSON.stringify(opened.error));
const workspace = opened.value;
const views = [
  await openedView(workspace, aView()),
  await openedView(workspace, aView({ sort: [{ column: 'bid', descending: false }] })),
];
for (let i = 0; i < 5000; i++) {
  const { viewId, length } = views[i % 2] ?? { viewId: 0, length: 0 };
  await workspace.readWindow(viewId, (i * 7919 * 613) % Math.max(1, length - WINDOW), WINDOW);
}
process.stdout.write(`${process.memoryUsage().rss / 2 ** 20}\n`);
await workspace.close();
