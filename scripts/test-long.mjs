/**
 * `npm run test:long`: everything that `npm test` runs only in part, or skips because of its length, one after
 * another. Takes hours; `--only NAME` runs one part. Prints a line for each part, and exits with 1 when one has
 * failed.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { cpuSeconds } from './cpu.mjs';
import { ensureInstalled } from './install.mjs';
import { exitWithError, root, USAGE } from './repository-root.mjs';
import { runProgram } from './run-program.mjs';

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Runs a script of package.json of the form `node FILE`. */
const script =
  (name, ...args) =>
  () => {
    const [node, file, ...rest] = scripts[name].split(' ');
    if (node !== 'node') throw new Error(`${name} of package.json does not begin with node`);
    return runProgram(file, [...rest, ...args]);
  };

const PARTS = {
  lives: script('test:simulation', '--runs', '300000'),
  schedules: script('test:simulation', '--schedules', '1'),
  team: script('test:team'),
  'team-senders': script('test:team-senders'),
  'team-sender-mutants': script('test:team-sender-mutants'),
  'team-kills': script('test:team-kills'),
  'team-desk-kills': script('test:team-desk-kills'),
  'protocol-mutants': script('test:protocol-mutants'),
  'metrics-mutants': script('test:metrics-mutants'),
  'window-mutants': script('test:window-mutants'),
  tables: wholeTables,
  deployments: script('test:deployments'),
  'domain-laws': script('test:domain-laws'),
  backtest: script('backtest'),
  'sheet-laws': script('test:sheet-laws'),
  mutation: script('test:mutation'),
  walks: script('test:walks'),
  states: script('test:states'),
  'long-work': script('test:long-work'),
  'store-kills': script('test:store-kills'),
  'cube-kills': script('test:cube-kills'),
  'sync-kills': script('test:sync-kills'),
  'upload-kills': script('test:upload-kills'),
  'dropped-files': script('test:dropped-files'),
  ...(process.platform === 'linux' ? { 'full-disk': script('test:full-disk') } : {}),
  'end-to-end': longSpecs,
  soak: script('test:soak'),
};

/** Every suite that `npm test` runs only in part or not at all, in full, except those that are a separate part here. */
function wholeTables() {
  const files = readdirSync(join(root, 'test'), { recursive: true })
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.test.ts') && !name.startsWith('test/deployments/'))
    .filter((name) => name.endsWith('.long.test.ts') || SHRINKS.test(readText(name)));
  process.stdout.write(`In full:\n${files.map((name) => `  ${name}\n`).join('')}`);
  const env = { TEST_FULL: '1' };
  return runProgram('node_modules/vitest/vitest.mjs', ['run', '--root', root, ...files], {
    env,
  });
}

/** The import of a suite that shrinks in `npm test`. */
const SHRINKS = /import \{[^}]*\b(?:share|runs|isFull)\b[^}]*\} from '[./]+share\.ts'/u;

const readText = (name) => readFileSync(join(root, name), 'utf8');

/** The end-to-end specs that are marked with `@long`. */
async function longSpecs() {
  const browser = await ensureChromium();
  if ('missing' in browser) {
    process.stdout.write(`${browser.missing}\n`);
    return 1;
  }
  const env = { TEST_FULL: '1', ...('executable' in browser ? { CHROMIUM: browser.executable } : {}) };
  const config = join(root, 'playwright.config.ts');
  const args = ['test', '--config', config, '--project', 'long'];
  return runProgram('node_modules/@playwright/test/cli.js', args, { env });
}

const [word, only, ...rest] = process.argv.slice(2);
if (word !== undefined && (word !== '--only' || !Object.hasOwn(PARTS, only ?? '') || rest.length > 0)) {
  exitWithError(
    `"${process.argv.slice(2).join(' ')}" is not a valid option.`,
    `Use --only with one of: ${Object.keys(PARTS).join(', ')}.`,
    USAGE,
  );
}

ensureInstalled();
ensureBuilt();

const lines = [];
for (const [name, run] of Object.entries(PARTS)) {
  if (only !== undefined && name !== only) continue;
  process.stdout.write(`\n=== ${name}\n`);
  const startedAt = Date.now();
  const cpuBefore = cpuSeconds();
  const code = await run();
  if (code !== 0) process.exitCode = 1;
  const cpu = cpuBefore === null ? '' : `, ${Math.round((cpuSeconds() ?? 0) - cpuBefore)} s of CPU`;
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  lines.push(`${code === 0 ? 'ok    ' : 'FAILED'}  ${name} in ${seconds} s${cpu}`);
}
process.stdout.write(`\n${lines.join('\n')}\n`);
