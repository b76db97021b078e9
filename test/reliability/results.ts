import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What long runs came to, one file of JSON each, from which RELIABILITY.md is written. */
export const RESULTS = join(import.meta.dirname, 'results');

export function saveResult(name: string, figures: object): void {
  mkdirSync(RESULTS, { recursive: true });
  const at = new Date().toISOString().slice(0, 10);
  writeFileSync(join(RESULTS, `${name}.json`), `${JSON.stringify({ at, ...figures }, null, 2)}\n`);
}

export const readResult = (name: string): unknown => JSON.parse(readFileSync(join(RESULTS, `${name}.json`), 'utf8'));
