import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `npm run bench -- [ROWS] [NAME ...]`: runs every `*.bench.ts` of this folder, or those whose name is given, one
 * after another in a process of its own, so that one does not warm or crowd the next. Prints their figures.
 */
const args = process.argv.slice(2);
const rows = args.filter((arg) => /^\d+$/u.test(arg));
const names = args.filter((arg) => !/^\d+$/u.test(arg));

const run = (file: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, file), ...rows], { stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });

const files = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .filter((file) => names.length === 0 || names.some((name) => file.startsWith(name)))
  .sort();
if (files.length === 0) process.stderr.write(`There is no bench named ${names.join(' or ')}.\n`);
const verdicts: boolean[] = [];
for (const file of files) verdicts.push(await run(file));
process.exitCode = files.length > 0 && verdicts.every(Boolean) ? 0 : 1;
