import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { saveResult } from '../../reliability/render.ts';
import { TEAM_MUTANTS } from '../../team/mutants/mutants.ts';
import { SENDER_MUTANTS } from '../../team/senders/mutants.ts';
import { PROTOCOL_MUTANTS, type ProtocolMutant } from './mutants.ts';

/**
 * `npm run test:protocol-mutants`, `test:team-mutants`, `test:team-sender-mutants [-- PART_OF_NAME]`: plants one fault, plays lives
 * until the simulator notices, then the next. Ends with 1 when one went unnoticed.
 */
interface Suite {
  readonly mutants: readonly ProtocolMutant[];
  /** The simulation that has to notice them, and the most lives it plays. */
  readonly simulate: string;
  readonly lives: number;
  readonly more: (mutant: ProtocolMutant) => readonly string[];
}

const SUITES: Readonly<Record<string, Suite>> = {
  protocol: {
    mutants: PROTOCOL_MUTANTS,
    simulate: 'sync/simulator/main.ts',
    lives: 6000,
    // Faults in the store show in the store alone, not in its model.
    more: ({ edits }) => {
      const store = edits.some(({ file }) => file.startsWith('main/store/')) ? 'real' : 'model';
      return ['--store', store, '--workers', '0'];
    },
  },
  team: { mutants: TEAM_MUTANTS, simulate: 'team/simulator/main.ts', lives: 2000, more: () => [] },
  senders: { mutants: SENDER_MUTANTS, simulate: 'team/senders/main.ts', lives: 500, more: () => [] },
};

interface Caught {
  readonly name: string;
  readonly takesAway: string;
  /** The number of the life that noticed it; null when none did. */
  readonly life: number | null;
  readonly noticed: string;
}

const plant = join(import.meta.dirname, 'plant.ts');

function tryOne({ simulate, lives, more }: Suite, mutant: ProtocolMutant): Caught {
  const { name, takesAway, from } = mutant;
  const begin = from === undefined ? [] : ['--seed', String(from)];
  const program = join(import.meta.dirname, '../..', simulate);
  const args = ['--import', plant, program, '--runs', String(lives), ...begin, ...more(mutant)];
  const run = spawnSync(process.execPath, args, {
    env: { ...process.env, ADSLATE_MUTANT: name },
    encoding: 'utf8',
    timeout: 600_000,
  });
  const found = /^seed (\d+): (.*)$/m.exec(run.stdout);
  if (found === null && run.status !== 0) throw new Error(`the simulation of "${name}" failed:\n${run.stderr}`);
  return { name, takesAway, life: found === null ? null : Number(found[1]), noticed: found?.[2] ?? '' };
}

const [which = '', wanted = ''] = process.argv.slice(2);
const suite = SUITES[which];
if (suite === undefined) throw new Error(`"${which}" is none of ${Object.keys(SUITES).join(', ')}`);
const results: Caught[] = [];
for (const mutant of suite.mutants.filter(({ name }) => name.includes(wanted))) {
  const result = tryOne(suite, mutant);
  results.push(result);
  console.log(
    `${result.life === null ? 'SURVIVED' : `caught by life ${result.life}`}: ${result.name}: ${result.noticed}`,
  );
}
const survived = results.filter(({ life }) => life === null).length;
const caught = results.length - survived;
console.log(`${caught} of ${results.length} ${which} mutants caught`);
if (which === 'protocol' && wanted === '') saveResult('protocol-mutants', { caught, of: results.length, results });
process.exitCode = survived === 0 ? 0 : 1;
