import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { expect, test } from 'vitest';

/** A class that a file names exists in its sheet, every class has a user, and every sheet stands in its layer. */
const root = join(import.meta.dirname, '..', '..');
const IMPORT = /import (\w+) from '([^']+\.module\.css)'/g;
const LAYER = /^@layer (shared|components|features) \{\n(?: .*\n|\n)*\}\n$/;

type Sources = ReadonlyMap<string, string>;

const classesOf = (sheet: string): ReadonlySet<string> => {
  const own = sheet.replace(/\/\*[\s\S]*?\*\//g, '').replace(/:global\([^)]*\)/g, '');
  return new Set([...own.matchAll(/\.([a-z][\w-]*)(?=[^{};]*[{,])/g)].map(([, name = '']) => name));
};

/** What a class is called in the page; `scopedClass` in vite.config.ts. */
const scoped = (sheet: string, name: string): string => {
  const module = basename(sheet, '.module.css');
  return name === module || name.startsWith(`${module}-`) ? name : `${module}-${name}`;
};

function faultsOf(sources: Sources): readonly string[] {
  const faults: string[] = [];
  const sheets = new Map([...sources].filter(([file]) => file.endsWith('.module.css')));
  const unused = new Map([...sheets].map(([file, text]) => [file, new Set(classesOf(text))]));
  for (const [file, text] of sources) {
    for (const [, variable = '', from = ''] of text.matchAll(IMPORT)) {
      const sheet = posix.join(posix.dirname(file), from);
      const classes = [...classesOf(sheets.get(sheet) ?? '')];
      for (const [, plain, start] of text.matchAll(new RegExp(`\\b${variable}\\[(?:'([^']+)'|\`([^\`$]*)\\$)`, 'g'))) {
        const meant = classes.filter((name) => (plain === undefined ? name.startsWith(start ?? '') : name === plain));
        if (meant.length === 0) faults.push(`${file}: ${sheet} has no class ${plain ?? start}`);
        for (const name of meant) unused.get(sheet)?.delete(name);
      }
    }
  }
  for (const [file, text] of sheets) {
    const names = [...classesOf(text)].map((name) => scoped(file, name));
    for (const name of names.filter((each, at) => names.indexOf(each) !== at)) faults.push(`${file}: two are ${name}`);
  }
  const known = new Set([...sheets].flatMap(([file, text]) => [...classesOf(text)].map((name) => scoped(file, name))));
  for (const [file, text] of sheets) {
    if (!LAYER.test(text)) faults.push(`${file}: is not one @layer block`);
    for (const [, name = ''] of text.matchAll(/:global\(\.([\w-]+)\)/g)) {
      if (!/^(mantine|recharts)-/.test(name) && !known.has(name)) faults.push(`${file}: no sheet has ${name}`);
    }
    for (const name of unused.get(file) ?? []) faults.push(`${file}: nothing uses ${name}`);
  }
  return faults;
}

test('a wrong name, a rule without a user and a sheet without a layer are noticed', () => {
  const planted = new Map([
    [
      'a/a.module.css',
      '@layer features {\n  .used,\n  .a-used,\n  .left {\n  }\n\n  .used > :global(.a-gone) {\n  }\n}\n',
    ],
    ['a/b.module.css', '.state-good {\n}\n'],
    [
      'a/A.tsx',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the planted source has a template
      "import styles from './a.module.css';\nimport b from './b.module.css';\n[styles['used'], styles['usde'], b[`state-${tone}`]];",
    ],
  ]);
  expect(faultsOf(planted)).toEqual([
    'a/A.tsx: a/a.module.css has no class usde',
    'a/a.module.css: two are a-used',
    'a/a.module.css: no sheet has a-gone',
    'a/a.module.css: nothing uses a-used',
    'a/a.module.css: nothing uses left',
    'a/b.module.css: is not one @layer block',
  ]);
});

test('every class that the window names is in its sheet, and every class of a sheet is named', () => {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', 'renderer'], {
    cwd: root,
    encoding: 'utf8',
  });
  const files = listed.split('\0').filter((file) => /\.(tsx?|css)$/.test(file));
  expect(files.filter((file) => file.endsWith('.module.css')).length).toBeGreaterThan(20);
  const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  expect(faultsOf(sources)).toEqual([]);
});
