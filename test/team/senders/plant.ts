import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { planted } from '../../sync/mutants/mutants.ts';
import { SENDER_MUTANTS } from './mutants.ts';

/** Loaded before a simulation (`node --import`): hands out the sources with the fault named by ADSLATE_MUTANT planted. */
const name = process.env['ADSLATE_MUTANT'] ?? '';
const mutant = SENDER_MUTANTS.find((one) => one.name === name);
if (mutant === undefined) throw new Error(`there is no mutant "${name}"`);

const changed = planted(mutant);

registerHooks({
  load: (url, context, next) => {
    const source = url.startsWith('file:') ? changed.get(fileURLToPath(url)) : undefined;
    return source === undefined ? next(url, context) : { format: 'module-typescript', source, shortCircuit: true };
  },
});
