import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { saveResult } from '../../reliability/results.ts';
import { PROTOCOL_MUTANTS, type ProtocolMutant } from './mutants.ts';

/**
 * `npm run test:protocol-mutants [-- PART_OF_NAME]`: takes one promise of the protocol away, plays lives until the
 * simulator notices, then the next. Ends with 1 when one went unnoticed.
 */
const LIVES_MAX = 6000;
const simulate = join(import.meta.dirname, '../simulator/main.ts');
const plant = join(import.meta.dirname, 'plant.ts');

interface Caught {
  readonly name: string;
  readonly takesAway: string;
  /** The number of the life that noticed it; null when none did. */
  readonly life: number | null;
  readonly noticed: string;
}

function tryOne({ name, takesAway, edits, from = 1 }: ProtocolMutant): Caught {
  // Faults in the store show in the store alone, not in its model.
  const store = edits.some(({ file }) => file.startsWith('main/store/')) ? 'real' : 'model';
  const args = [
    '--import',
    plant,
    simulate,
    '--runs',
    String(LIVES_MAX),
    '--seed',
    String(from),
    '--store',
    store,
    '--workers',
    '0',
  ];
  const run = spawnSync(process.execPath, args, {
    env: { ...process.env, ADSLATE_MUTANT: name },
    encoding: 'utf8',
    timeout: 600_000,
  });
  const found = /^seed (\d+): (.*)$/m.exec(run.stdout);
  if (found === null && run.status !== 0) throw new Error(`the simulation of "${name}" failed:\n${run.stderr}`);
  return { name, takesAway, life: found === null ? null : Number(found[1]), noticed: found?.[2] ?? '' };
}

const wanted = process.argv[2] ?? '';
const results: Caught[] = [];
for (const mutant of PROTOCOL_MUTANTS.filter(({ name }) => name.includes(wanted))) {
  const result = tryOne(mutant);
  results.push(result);
  console.log(
    `${result.life === null ? 'SURVIVED' : `caught by life ${result.life}`}: ${result.name}: ${result.noticed}`,
  );
}
const survived = results.filter(({ life }) => life === null).length;
console.log(`${results.length - survived} of ${results.length} protocol mutants caught`);
if (wanted === '') saveResult('protocol-mutants', { caught: results.length - survived, of: results.length, results });
process.exitCode = survived === 0 ? 0 : 1;
