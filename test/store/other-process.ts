import { systemClock } from '../../main/app/clock.ts';
import { openWorkspace } from '../../main/store/workspace.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';

/** A process of its own for the tests that need one: prints what opening the file it is given comes to. */
const [file = ''] = process.argv.slice(2);
const opened = await openWorkspace({
  file,
  profile: defaultDeploymentSettings(),
  clock: systemClock,
  migrated: null,
});
process.stdout.write(JSON.stringify(opened.ok ? { ok: true } : opened));
process.exit(0);
