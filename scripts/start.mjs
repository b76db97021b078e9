/** `npm start`: installs and builds what is missing, chooses the host, and opens Adslate. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_ENVIRONMENT, NODE_FLAGS } from '../main/hosts/start/node-flags.mjs';
import { ensureBuilt } from './build.mjs';
import { fetchElectron, findElectron, hasDisplay } from './electron-runtime.mjs';
import { ensureInstalled } from './install.mjs';
import { runProgram } from './program.mjs';
import { giveUp, root, say, USAGE } from './root.mjs';

const startedAt = Date.now();
const args = process.argv.slice(2).filter((word) => word !== '--');

if (args.includes('--help')) {
  process.stdout.write(
    `npm start -- [--host electron|web] [--data DIR] [--port N] [--no-open] [--practice] [--ready-json]

  --host        electron where its runtime is, else web; says which when nothing was said
  --data DIR    where everything is kept; two folders know nothing of each other
  --port N      the web host's port; 0, as usual, lets the system choose
  --no-open     opens no window: a link is printed
  --practice    opens on a practice account, also in a folder that has others
  --ready-json  prints one line of JSON with the address that signs in once
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
    giveUp(`There is no host "${host ?? ''}".`, 'Use --host electron or --host web.', USAGE);
  return host;
}

/** The runtime is asked for once per version; after that only `--host electron` asks again. */
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
  giveUp(
    `Adslate cannot open in Electron: ${runtime.missing}.`,
    'Start it with --host web, or install the runtime with `npx install-electron`.',
  );
} else {
  if (host === null) say(`Opening the web host, because ${runtime.missing}.`);
  process.exitCode = await runProgram('out/main/web.js', args, { env, nodeArgs: NODE_FLAGS });
}
