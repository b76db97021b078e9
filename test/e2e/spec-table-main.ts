import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listSpecs, withSpecs } from './spec-table.ts';

/** `node test/e2e/spec-table-main.ts` writes the list of specs into the README of this folder. */
const readme = join(import.meta.dirname, 'README.md');
writeFileSync(readme, withSpecs(readFileSync(readme, 'utf8'), listSpecs()));
