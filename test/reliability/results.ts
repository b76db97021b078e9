import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What long runs came to, one file of JSON each, from which RELIABILITY.md is written. */
export const RESULTS = join(import.meta.dirname, 'results');

export const readResult = (name: string): unknown => JSON.parse(readFileSync(join(RESULTS, `${name}.json`), 'utf8'));
