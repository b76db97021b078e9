import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DemoFailed, numberedSteps, runDemo } from './demo.ts';
import { hasPostgres } from './postgres.ts';
import { runTeamDemo } from './team.ts';

/** Entry of `npm run demo`: uses a new folder, and exits with 0 only if every step succeeded. `--team` plays four people. */
const startedMs = performance.now();
const isSource = import.meta.url.endsWith('.ts');
const examples = new URL(isSource ? '../../../../examples/' : '../../examples/', import.meta.url);
const cli = [
  process.execPath,
  ...process.execArgv,
  fileURLToPath(new URL(isSource ? '../main.ts' : 'cli.js', import.meta.url)),
];
const dataDir = await mkdtemp(join(tmpdir(), 'adslate-demo-'));
const say = (line: string) => process.stdout.write(`${line}\n`);

try {
  if (!process.argv.includes('--team')) await runDemo({ dataDir, examples: fileURLToPath(examples), say });
  else if (hasPostgres) await runTeamDemo({ dataDir, step: numberedSteps(say), say, cli });
  else throw new DemoFailed('PostgreSQL for this platform is not among the packages');
  say(`Done in ${((performance.now() - startedMs) / 1000).toFixed(1)} s.`);
} catch (error) {
  if (!(error instanceof DemoFailed)) throw error;
  process.stderr.write(`The demo failed: ${error.message}.\n`);
  process.exitCode = 1;
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
