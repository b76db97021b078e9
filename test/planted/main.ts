import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import type { PlantedFault } from './fault.ts';
import { METRICS_FAULTS } from './metrics.ts';
import { WINDOW_FAULTS } from './window.ts';

/**
 * `npm run test:metrics-mutants`, `test:window-mutants [-- PART_OF_NAME]`: plants one fault after the other in a copy of the sources,
 * and runs the tests that hold the promise it breaks. Ends with 1 when a fault went unnoticed. Further faults of the arithmetic are
 * planted by `test/shared/suggestions/planted-faults.test.ts` in every test run.
 */
const SETS: Readonly<Record<string, readonly PlantedFault[]>> = { metrics: METRICS_FAULTS, window: WINDOW_FAULTS };
const [which = '', wanted = ''] = process.argv.slice(2);
const faults = SETS[which]?.filter(({ name }) => name.includes(wanted));
if (faults === undefined) throw new Error(`"${which}" is none of ${Object.keys(SETS).join(', ')}`);

const root = join(import.meta.dirname, '../..');
const copy = mkdtempSync(join(tmpdir(), 'adslate-planted-'));
const LEFT_OUT = new Set(['.git', 'node_modules', 'out', 'dist', 'docs', 'bench']);

/** @returns the first test that failed, or null when none did */
function firstFailure(tests: readonly string[], zone: string | undefined): string | null {
  const words = ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1', '--bail=1', ...tests];
  const run = spawnSync(process.execPath, words, {
    cwd: copy,
    env: {
      ...process.env,
      NO_COLOR: '1',
      PLANTED_FAULT: '1',
      WINDOW_PATIENCE_MS: '20000',
      ...(zone === undefined ? {} : { TZ: zone }),
    },
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  });
  if (run.status === 0) return null;
  const failed = /^ FAIL +(.*)$/m.exec(run.stderr + run.stdout)?.[1];
  // A run in which no test failed is no verdict on the fault.
  if (failed === undefined) throw new Error(`The tests could not be run:\n${run.stdout}${run.stderr}`);
  return failed;
}

let survived = 0;
try {
  cpSync(root, copy, {
    recursive: true,
    filter: (path) => !LEFT_OUT.has(path.slice(root.length + 1).split(sep)[0] ?? ''),
  });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  symlinkSync(join(root, 'docs'), join(copy, 'docs'), 'junction');
  // Tests that fail anyway would notice everything.
  const failing = wanted === '' ? firstFailure([...new Set(faults.flatMap(({ tests }) => tests))], undefined) : null;
  if (failing !== null) throw new Error(`Without any fault this fails: ${failing}`);
  for (const { name, file, from, to, tests, zone, takesAway } of faults) {
    const path = join(copy, file);
    const source = readFileSync(path, 'utf8');
    if (source.split(from).length !== 2) throw new Error(`"${name}" does not fit ${file} exactly once.`);
    writeFileSync(
      path,
      source.replace(from, () => to),
    );
    const noticed = firstFailure(tests, zone);
    writeFileSync(path, source);
    if (noticed === null) survived += 1;
    console.log(`${noticed === null ? 'SURVIVED' : 'caught'}: ${name}: ${noticed ?? takesAway ?? tests.join(', ')}`);
  }
  console.log(`${faults.length - survived} of ${faults.length} ${which} faults caught`);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.exitCode = survived === 0 ? 0 : 1;
