/** `npm start`: installs and builds what is missing, chooses the host, and opens Adslate. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_ENVIRONMENT, NODE_FLAGS } from '../main/hosts/start/node-flags.mjs';
import { ensureBuilt } from './build.mjs';
import { fetchElectron, findElectron, hasDisplay } from './electron-runtime.mjs';
import { ensureInstalled } from './install.mjs';
import { exitWithError, print, root, USAGE } from './repository-root.mjs';
import { runProgram } from './run-program.mjs';

const startedAt = Date.now();
const args = process.argv.slice(2).filter((word) => word !== '--');

if (args.includes('--help')) {
  process.stdout.write(
    `npm start -- [--host electron|web] [--data DIR] [--port N] [--no-open] [--practice] [--sample]
             [--ready-json]

Opens Adslate.

  --host        electron (desktop app) or web (browser). The default is electron if it can run.
  --data DIR    Data folder. Each data folder has its own accounts.
  --port N      Port of the web host. The default is 0: the system chooses a port.
  --no-open     Prints a link to sign in, instead of opening a window.
  --practice    Opens a practice account, and adds one if there is none.
  --sample      Opens a sample account with example campaigns, and adds one if there is none.
  --ready-json  Prints one line of JSON with a link that signs in once.

Example: npm start -- --host web --data ./work
`,
  );
  process.exit(0);
}

function wantedHost() {
  const at = args.findIndex((word) => word === '--host' || word.startsWith('--host='));
  if (at < 0) return null;
  const host = args[at].includes('=') ? args[at].slice('--host='.length) : args[at + 1];
  args.splice(at, args[at].includes('=') ? 1 : 2);
  if (host !== 'electron' && host !== 'web')
    exitWithError(`"${host ?? ''}" is not a host.`, 'Use --host electron or --host web.', USAGE);
  return host;
}

/** The runtime is downloaded once per version; after a failure only `--host electron` tries again. */
async function electron(isWanted) {
  const found = findElectron();
  if ('path' in found) return found;
  const asked = join(root, 'out', 'electron-asked.stamp');
  if (!hasDisplay() || (existsSync(asked) && !isWanted)) return found;
  writeFileSync(asked, new Date().toISOString());
  return (await fetchElectron()) ? findElectron() : { missing: 'the Electron runtime could not be downloaded' };
}

const host = wantedHost();
ensureInstalled();
ensureBuilt(['main', 'preload', 'renderer']);

const runtime = host === 'web' ? { missing: '' } : await electron(host === 'electron');
const env = { ...NODE_ENVIRONMENT, ADSLATE_STARTED_AT: String(startedAt) };
if ('path' in runtime) {
  process.exitCode = await runProgram('out/main/electron.js', args, { executable: runtime.path, env });
} else if (host === 'electron') {
  exitWithError(
    `Can't open Adslate in Electron: ${runtime.missing}.`,
    'Start Adslate with --host web, or run `npx install-electron` to install the runtime.',
  );
} else {
  if (host === null) print(`Opening Adslate in the browser, because ${runtime.missing}.`);
  process.exitCode = await runProgram('out/main/web.js', args, { env, nodeArgs: NODE_FLAGS });
}
