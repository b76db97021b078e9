import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DemoFailed, runDemo } from './demo.ts';

/** Entry of `npm run demo`: a fresh folder, the whole walk, and exit code 0 only if all of it happened. */
const startedMs = performance.now();
const examples = new URL(
  import.meta.url.endsWith('.ts') ? '../../../../examples/' : '../../examples/',
  import.meta.url,
);
const dataDir = await mkdtemp(join(tmpdir(), 'adslate-demo-'));
const say = (line: string) => process.stdout.write(`${line}\n`);

try {
  await runDemo({ dataDir, examples: fileURLToPath(examples), say });
  say(`Done in ${((performance.now() - startedMs) / 1000).toFixed(1)} s.`);
} catch (error) {
  if (!(error instanceof DemoFailed)) throw error;
  process.stderr.write(`The demo failed: ${error.message}.\n`);
  process.exitCode = 1;
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
