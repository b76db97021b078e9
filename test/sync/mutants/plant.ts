import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { TEAM_MUTANTS } from '../../team/mutants/mutants.ts';
import { SENDER_MUTANTS } from '../../team/senders/mutants.ts';
import { PROTOCOL_MUTANTS, planted } from './mutants.ts';

/**
 * Loaded before a simulation (`node --import`): hands out the sources of the mutant named by ADSLATE_MUTANT with its
 * faults planted. Nothing on disk is changed.
 */
const name = process.env['ADSLATE_MUTANT'] ?? '';
const mutant = [...PROTOCOL_MUTANTS, ...TEAM_MUTANTS, ...SENDER_MUTANTS].find((one) => one.name === name);
if (mutant === undefined) throw new Error(`there is no mutant "${name}"`);

const changed = planted(mutant);

registerHooks({
  load: (url, context, next) => {
    const source = url.startsWith('file:') ? changed.get(fileURLToPath(url)) : undefined;
    return source === undefined ? next(url, context) : { format: 'module-typescript', source, shortCircuit: true };
  },
});
