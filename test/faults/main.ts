import { writeFileSync } from 'node:fs';
import { faultsDocument } from './document.ts';

/** `node test/faults/main.ts`: writes `docs/faults.md` anew. */
writeFileSync('docs/faults.md', faultsDocument());
