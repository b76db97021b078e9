import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROTOCOL_MUTANTS } from './mutants.ts';

/**
 * Loaded before a simulation (`node --import`): hands out the sources of the mutant named by ADSLATE_MUTANT with its
 * faults planted. Nothing on disk is changed.
 */
const root = join(import.meta.dirname, '..', '..', '..');
const name = process.env['ADSLATE_MUTANT'] ?? '';
const mutant = PROTOCOL_MUTANTS.find((one) => one.name === name);
if (mutant === undefined) throw new Error(`there is no mutant "${name}"`);

const changed = new Map<string, string>();
for (const { file, from, to } of mutant.edits) {
  const path = join(root, file);
  const source = changed.get(path) ?? readFileSync(path, 'utf8');
  if (source.split(from).length !== 2) throw new Error(`"${name}" does not fit ${file} exactly once: ${from}`);
  changed.set(
    path,
    source.replace(from, () => to),
  );
}

registerHooks({
  load: (url, context, next) => {
    const source = url.startsWith('file:') ? changed.get(fileURLToPath(url)) : undefined;
    return source === undefined ? next(url, context) : { format: 'module-typescript', source, shortCircuit: true };
  },
});
