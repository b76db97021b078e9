import { writeFileSync } from 'node:fs';
import { RULES } from '../shared/rules/registry.ts';
import { rulesDocument } from '../shared/rules/rules-document.ts';

/** Writes docs/rules.md from the registry: `node_modules/.bin/node scripts/rules-doc.ts`. */
writeFileSync(new URL('../docs/rules.md', import.meta.url), rulesDocument(RULES));
