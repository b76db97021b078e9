import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Mutant, mutantsOf } from './mutants.ts';
import { openSuite, SAME } from './suite.ts';

/**
 * `npm run test:mutation [-- PART_OF_FILE_NAME]`: plants a fault in the rules, runs the tests of the rules, and says
 * whether they noticed; then the next. Ends with 1 when one went unnoticed. Nothing on disk is changed.
 */

/** Words and types; their faults show in the texts, which other tests read. */
const NOT_RULES: ReadonlySet<string> = new Set(['messages.ts', 'rules-document.ts']);
/** Fewer than this means that the faults are no longer made, not that the rules are small. */
const ENOUGH = 60;

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'shared', 'rules');
const wanted = process.argv[2] ?? '';
const mutants = readdirSync(folder)
  .filter((name) => name.endsWith('.ts') && !NOT_RULES.has(name) && name.includes(wanted))
  .flatMap((name) => mutantsOf(join(folder, name), readFileSync(join(folder, name), 'utf8')));

const isKnown = ({ file, what }: Mutant, same: (typeof SAME)[number]): boolean =>
  same.file === basename(file) && what.startsWith(same.what);
const reasonWhySame = (mutant: Mutant): string | null => SAME.find((same) => isKnown(mutant, same))?.because ?? null;

// A rule that moved to another file would leave its reason behind.
const stale = SAME.filter((same) => !mutants.some((mutant) => isKnown(mutant, same)));
if (wanted === '' && stale.length > 0)
  throw new Error(`No planted fault matches: ${stale.map(({ file, what }) => `${file} ${what}`).join('; ')}`);

// All cases, and the same for every fault, so that a survivor tells of the fault and not of the draw.
process.env['TEST_FULL'] = '1';
process.env['TEST_SEED'] ??= '1';
const suite = await openSuite(root, 'test/shared/rules/*.test.ts');
const before = await suite.run(null);
if (before !== null) throw new Error(`The tests fail without any fault planted: ${before}`);
const counts = { caught: 0, same: 0, survived: 0 };
for (const [at, mutant] of mutants.entries()) {
  const noticedBy = await suite.run(mutant);
  const why = noticedBy === null ? reasonWhySame(mutant) : null;
  const outcome = noticedBy !== null ? 'caught' : why === null ? 'survived' : 'same';
  counts[outcome]++;
  const place = `${mutant.file.slice(root.length + 1)}:${mutant.line}`;
  const because = why === null ? '' : ` (${why})`;
  console.log(`${at + 1}/${mutants.length} ${outcome} ${place} ${mutant.what}${because}`);
}
await suite.close();
const { caught, same, survived } = counts;
console.log(
  `${caught} of ${caught + survived} planted faults caught, ${survived} survived; ${same} more change nothing`,
);
process.exitCode = survived === 0 && (wanted !== '' || caught >= ENOUGH) ? 0 : 1;
