import { documentMoves } from '../conformance/document-moves.ts';
import { lawCount } from './invariants.ts';
import { walk } from './walk.ts';

/** `npm run test:walks -- [ACTIONS] [SEED]`: one long walk; ends with 1 when a law was broken. */
const [count = 100_000, seed = 20_260_505] = process.argv.slice(2).map(Number);
const result = await walk(seed, count);
const print = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);
for (const [action, { taken, changed }] of result.actions) print({ action, taken, changed });
for (const violation of result.violations) print({ violation });
const taken = [...result.actions.values()].reduce((sum, one) => sum + one.taken, 0);
print({
  seed,
  actions: taken,
  seconds: Math.round(result.seconds),
  laws: lawCount,
  moves: result.moves.size,
  // What the document lists and this walk did not meet.
  unmet: documentMoves
    .map(({ machine, from, to }) => `${machine} ${from}>${to}`)
    .filter((move) => !result.moves.has(move)),
  violations: result.violations.length,
});
process.exitCode = result.violations.length === 0 ? 0 : 1;
