import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { SENDER_MUTANTS } from './mutants.ts';

/** `npm run test:team-sender-mutants`: plants one fault after the other and plays lives until one notices. Ends with 1 when one went unnoticed. */
const LIVES_MAX = 500;
const simulate = join(import.meta.dirname, 'main.ts');
const plant = join(import.meta.dirname, 'plant.ts');
let survived = 0;
for (const { name, from = 1 } of SENDER_MUTANTS) {
  const run = spawnSync(
    process.execPath,
    ['--import', plant, simulate, '--runs', String(LIVES_MAX), '--seed', String(from)],
    {
      env: { ...process.env, ADSLATE_MUTANT: name },
      encoding: 'utf8',
    },
  );
  const noticed = /^seed \d+: .*$/m.exec(run.stdout)?.[0];
  if (noticed === undefined && run.status !== 0) throw new Error(`the simulation of "${name}" failed:\n${run.stderr}`);
  if (noticed === undefined) survived++;
  console.log(`${name}: ${noticed ?? 'SURVIVED'}`);
}
console.log(`${SENDER_MUTANTS.length - survived} of ${SENDER_MUTANTS.length} faults noticed`);
process.exitCode = survived === 0 ? 0 : 1;
