/**
 * `npm test`: installs what is missing and runs every check, from the static gates to the browser. Ends with what
 * failed, a line each, and one line that sums everything up. `--only gates|unit|e2e` runs a part. Seconds of CPU are
 * told beside the time, since a busy machine changes them less.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { cpuSeconds } from './cpu.mjs';
import { ensureInstalled } from './install.mjs';
import { giveUp, root, USAGE } from './root.mjs';
import { endToEnd } from './test-e2e.mjs';
import { gates } from './test-gates.mjs';
import { unitTests } from './test-unit.mjs';

const PARTS = { gates, unit: unitTests, e2e: endToEnd };

const [word, part, ...rest] = process.argv.slice(2);
// A word that is not known is refused, not ignored: everything takes a quarter of an hour.
if (word !== undefined && (word !== '--only' || !Object.hasOwn(PARTS, part ?? '') || rest.length > 0)) {
  giveUp(
    `"${process.argv.slice(2).join(' ')}" is not a valid option.`,
    `Use --only with one of: ${Object.keys(PARTS).join(', ')}.`,
    USAGE,
  );
}
const only = part === undefined ? Object.keys(PARTS) : [part];

ensureInstalled();
mkdirSync(join(root, 'out', 'test'), { recursive: true });
ensureBuilt();

const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
for (const name of only) {
  const startedAt = Date.now();
  const cpuBefore = cpuSeconds();
  const counts = await PARTS[name]();
  total.passed += counts.passed;
  total.failed += counts.failed;
  total.skipped += counts.skipped;
  failures.push(...counts.failures.map((what) => `${name}: ${what}`));
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  const cpu = cpuBefore === null ? '' : `, ${Math.round((cpuSeconds() ?? 0) - cpuBefore)} s of CPU`;
  process.stdout.write(
    `${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped in ${seconds} s${cpu}\n`,
  );
}
if (failures.length > 0) process.stdout.write(`\nFailed:\n${failures.map((what) => `  ${what}\n`).join('')}`);
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
