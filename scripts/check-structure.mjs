/**
 * `npm run check:structure`: counts files, lines, import circles, files with a single importer and READMEs, and
 * prints a table. `--commit HASH` counts a commit instead of the working tree; `--list` names circles and files.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { exitWithError, root } from './repository-root.mjs';

const PRODUCT = ['shared', 'main', 'preload', 'renderer', 'sandbox'];
/** Imports, type imports included, and `import()` of a fixed path. A thread's entry is named by a URL and counts as none. */
const IMPORT =
  /^\s*(?:import|export)\b[^;'"]*?\bfrom\s+'(\.[^']+)'|^\s*import\s+'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'/gm;
const SMALL_FILE_LINES = 60;

const options = process.argv.slice(2);
const isListing = options.includes('--list');
const commit = options.includes('--commit') ? options[options.indexOf('--commit') + 1] : null;
const known = ['--list', '--commit', commit];
if (commit === undefined || options.some((option) => !known.includes(option)))
  exitWithError(`"${options.join(' ')}" is not a valid option.`, 'Use --list or --commit HASH.');

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
const paths =
  commit === null
    ? git('ls-files', '-z', '--cached', '--others', '--exclude-standard')
        .split('\0')
        .filter((path) => existsSync(join(root, path)))
    : git('ls-tree', '-r', '-z', '--name-only', commit).split('\0');
const codeBelow = (folders) => paths.filter((path) => /\.tsx?$/.test(path) && folders.includes(path.split('/')[0]));
const read = commit === null ? (path) => readFileSync(join(root, path), 'utf8') : readerOf(commit);
const sources = new Map(codeBelow(PRODUCT).map((path) => [path, read(path)]));
const tests = codeBelow(['test']).map((path) => read(path));

const importsByFile = new Map([...sources].map(([path, text]) => [path, importsOf(path, text)]));
const importersByFile = new Map([...sources.keys()].map((path) => [path, []]));
for (const [path, targets] of importsByFile) for (const target of targets) importersByFile.get(target).push(path);

const circles = circlesOf(importsByFile);
const single = [...importersByFile]
  .filter(([path, importers]) => importers.length === 1 && posix.dirname(importers[0]) === posix.dirname(path))
  .map(([path]) => path);
const small = single.filter((path) => linesOf(sources.get(path)) < SMALL_FILE_LINES);
const largest = Math.max(0, ...circles.map((circle) => circle.length));
const readmes = paths.filter((path) => posix.basename(path) === 'README.md');

const rows = [
  ...PRODUCT.map((folder) => {
    const texts = [...sources].filter(([path]) => path.startsWith(`${folder}/`)).map(([, text]) => text);
    return [`${folder}/: files, lines`, `${texts.length} / ${sum(texts)}`];
  }),
  ['product: files, lines', `${sources.size} / ${sum([...sources.values()])}`],
  ['test/: files, lines', `${tests.length} / ${sum(tests)}`],
  ['import circles (files in the largest)', `${circles.length} (${largest})`],
  ['single importer, in the same folder', String(single.length)],
  [`... of them under ${SMALL_FILE_LINES} lines`, String(small.length)],
  ['READMEs', String(readmes.length)],
];
process.stdout.write('| figure | value |\n|---|---|\n');
for (const [name, value] of rows) process.stdout.write(`| ${name} | ${value} |\n`);
if (isListing) {
  for (const circle of circles) process.stdout.write(`\ncircle of ${circle.length}:\n${lines(circle)}`);
  process.stdout.write(`\nsingle importer, in the same folder:\n${lines(single)}`);
  process.stdout.write(`\nREADMEs:\n${lines(readmes)}`);
}

function lines(items) {
  return items.map((item) => `  ${item}\n`).join('');
}

function linesOf(text) {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

function sum(texts) {
  return texts.reduce((total, text) => total + linesOf(text), 0);
}

/** Reads all code of a commit in one call of git. */
function readerOf(hash) {
  const wanted = codeBelow([...PRODUCT, 'test']);
  const answer = execFileSync('git', ['cat-file', '--batch'], {
    cwd: root,
    input: wanted.map((path) => `${hash}:${path}\n`).join(''),
    maxBuffer: 256 * 1024 * 1024,
  });
  const texts = new Map();
  let at = 0;
  for (const path of wanted) {
    const headEnd = answer.indexOf('\n', at);
    const size = Number(answer.toString('utf8', at, headEnd).split(' ')[2]);
    texts.set(path, answer.toString('utf8', headEnd + 1, headEnd + 1 + size));
    at = headEnd + 1 + size + 1;
  }
  return (path) => texts.get(path);
}

/** Product files that a file imports, each once. */
function importsOf(path, text) {
  const targets = [...text.matchAll(IMPORT)].map(([, from, bare, dynamic]) =>
    posix.join(posix.dirname(path), from ?? bare ?? dynamic),
  );
  return [...new Set(targets)].filter((target) => sources.has(target) && target !== path);
}

/** Strongly connected groups of two or more files (Tarjan), largest first. */
function circlesOf(graph) {
  const found = [];
  const numbers = new Map();
  const lowest = new Map();
  const stack = [];
  const onStack = new Set();
  const visit = (path) => {
    numbers.set(path, numbers.size);
    lowest.set(path, numbers.get(path));
    stack.push(path);
    onStack.add(path);
    for (const target of graph.get(path)) {
      if (!numbers.has(target)) visit(target);
      if (onStack.has(target)) lowest.set(path, Math.min(lowest.get(path), lowest.get(target)));
    }
    if (lowest.get(path) !== numbers.get(path)) return;
    const group = stack.splice(stack.indexOf(path));
    for (const member of group) onStack.delete(member);
    if (group.length > 1) found.push(group.sort());
  };
  for (const path of graph.keys()) if (!numbers.has(path)) visit(path);
  return found.sort((a, b) => b.length - a.length);
}
