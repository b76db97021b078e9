import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { root, runTool } from './tool.ts';

/** Code that is written twice is mended once. Eight lines and sixty tokens that are the same count as a copy. */
const Report = z.object({
  statistics: z.object({ total: z.object({ sources: z.number(), percentage: z.number() }) }),
  duplicates: z.array(
    z.object({ firstFile: z.object({ name: z.string() }), secondFile: z.object({ name: z.string() }) }),
  ),
});
/** Share of the lines. Two short copies are known: each is simpler than what would hold them together. */
const MOST_PERCENT = 0.15;

let report: string;
beforeEach(() => {
  report = mkdtempSync(join(tmpdir(), 'adslate-copies-'));
});
afterEach(() => rmSync(report, { recursive: true, force: true }));

function copies(folders: readonly string[]): z.infer<typeof Report> {
  const run = runTool('jscpd', ['-k', '60', '-l', '8', '-r', 'json', '-o', report, '--no-gitignore', ...folders]);
  expect(run.status, run.output).toBe(0);
  return Report.parse(JSON.parse(readFileSync(join(report, 'jscpd-report.json'), 'utf8')));
}

test('the program holds next to no copies of itself', () => {
  const { statistics, duplicates } = copies(['shared', 'main', 'preload', 'renderer', 'sandbox', 'scripts']);
  expect(statistics.total.sources).toBeGreaterThan(400);
  expect(statistics.total.percentage, JSON.stringify(duplicates)).toBeLessThanOrEqual(MOST_PERCENT);
});

test('planted, a copy is noticed', () => {
  const text = readFileSync(join(root, 'main', 'host', 'web', 'guard.ts'), 'utf8');
  for (const name of ['one.ts', 'two.ts']) writeFileSync(join(report, name), text);
  const { statistics, duplicates } = copies([report]);
  expect(duplicates.length).toBeGreaterThan(0);
  expect(statistics.total.percentage).toBeGreaterThan(30);
});
