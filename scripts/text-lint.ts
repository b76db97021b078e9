import { fileURLToPath } from 'node:url';
import { lintTexts, type TextSet, textsOf } from '../test/gates/text-lint.ts';

/** Prints every hit of the text lint, and their number in each set: `npm run lint:text [ui|text|cli|docs]`. */
const root = fileURLToPath(new URL('..', import.meta.url));
const wanted = process.argv.slice(2);
const SETS: readonly TextSet[] = ['ui', 'text', 'cli', 'docs'];

for (const set of SETS.filter((each) => wanted.length === 0 || wanted.includes(each))) {
  const { texts } = textsOf(root, set);
  const hits = lintTexts(texts);
  if (wanted.length > 0) {
    for (const { file, line, rule, text } of hits) console.log(`${file}:${line}: ${rule}: ${text.slice(0, 200)}`);
  }
  const rules = Map.groupBy(hits, ({ rule }) => rule);
  const counts = [...rules].map(([rule, { length }]) => `${rule} ${length}`).join(', ');
  console.log(`${set}: ${texts.length} texts, ${hits.length} hits${counts === '' ? '' : ` (${counts})`}`);
}
