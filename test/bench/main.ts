import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { z } from 'zod';

/**
 * `npm run bench -- [NAME] [--rows N] [--json]`: runs every `*.bench.ts` of this folder, one after another
 * in a process of its own, so that one does not warm or crowd the next. Prints a table, or with `--json` the
 * figures a line each, and writes them all to `bench/results.json`. Ends with 1 when a figure misses its limit.
 */
const Printed = z.object({
  name: z.string(),
  value: z.number(),
  unit: z.string(),
  bar: z.number().nullable(),
  ok: z.boolean(),
  peer: z.string().nullable().optional(),
  peerValue: z.number().nullable().optional(),
  ratio: z.number().nullable().optional(),
});
type Printed = z.infer<typeof Printed>;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, rows: { type: 'string' }, json: { type: 'boolean', default: false } },
});
const only = values.only ?? positionals[0];
/** Those of a team need a PostgreSQL, so they run when they are named. */
const NAMED_ONLY = 'team';
const root = join(import.meta.dirname, '..', '..');
const files = readdirSync(import.meta.dirname)
  .filter(
    (file) => file.endsWith('.bench.ts') && (only === undefined ? !file.startsWith(NAMED_ONLY) : file.startsWith(only)),
  )
  .sort();
if (files.length === 0) process.stderr.write(`There is no bench named ${only}.\n`);

const figures: Printed[] = [];
let broken = files.length === 0;
for (const file of files) broken = (await runBench(file)) === 'broken' || broken;

mkdirSync(join(root, 'bench'), { recursive: true });
writeFileSync(
  join(root, 'bench', 'results.json'),
  `${JSON.stringify({ node: process.versions.node, platform: process.platform, figures }, null, 2)}\n`,
);
process.exitCode = !broken && figures.every((figure) => figure.ok) ? 0 : 1;

/** A bench ends with 1 when a figure misses its limit; one that prints nothing has broken. */
async function runBench(file: string): Promise<'done' | 'broken'> {
  const rows = values.rows === undefined ? [] : [values.rows];
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...rows], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const before = figures.length;
  for await (const line of createInterface({ input: child.stdout })) {
    const figure = line.startsWith('{') ? Printed.parse(JSON.parse(line)) : null;
    if (figure !== null) figures.push(figure);
    process.stdout.write(`${figure === null || values.json ? line : row(figure)}\n`);
  }
  return figures.length === before ? 'broken' : 'done';
}

function row({ name, value, unit, bar, ok, peer, peerValue, ratio }: Printed): string {
  const limit = bar === null ? '' : `limit ${bar} ${unit}`;
  const beside = peer && peerValue !== null ? `${peer} ${peerValue} ${unit}, ratio ${ratio ?? '-'}` : '';
  return `${ok ? 'ok    ' : 'MISSED'} ${name.padEnd(52)} ${`${value} ${unit}`.padEnd(16)} ${limit.padEnd(22)} ${beside}`.trimEnd();
}
