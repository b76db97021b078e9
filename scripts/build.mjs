import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAboutTexts } from './about-texts.mjs';
import { pinnedNode } from './install.mjs';
import { exitWithError, print, root } from './repository-root.mjs';

/**
 * Builds outdated programs. Each program lists its source folders; a fingerprint of their files (name, size, time) in
 * out/ decides whether the last build is current. The check takes a few milliseconds.
 */
const PROGRAMS = [
  { mode: 'main', sources: ['main', 'shared', 'sandbox'], result: 'out/main/web.js' },
  { mode: 'preload', sources: ['preload'], result: 'out/preload/preload.cjs' },
  { mode: 'sandbox', sources: ['sandbox'], result: 'out/sandbox/cli.js' },
  { mode: 'renderer', sources: ['renderer', 'shared'], result: 'out/renderer/index.html' },
];
const ALWAYS = ['package-lock.json', 'vite.config.ts', 'tsconfig.base.json'];

function* filesBelow(path) {
  if (!statSync(path).isDirectory()) {
    yield path;
    return;
  }
  for (const entry of readdirSync(path, { withFileTypes: true })) yield* filesBelow(join(path, entry.name));
}

function fingerprint(sources) {
  const hash = createHash('sha256');
  for (const source of [...sources, ...ALWAYS]) {
    for (const file of filesBelow(join(root, source))) {
      const { size, mtimeMs } = statSync(file);
      hash.update(`${file} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest('hex');
}

/** Builds the given programs, or all of them, where their sources changed. */
export function ensureBuilt(modes = PROGRAMS.map((program) => program.mode)) {
  let built = false;
  for (const { mode, sources, result } of PROGRAMS.filter((program) => modes.includes(program.mode))) {
    const stamp = join(root, 'out', `${mode}.stamp`);
    const now = fingerprint(sources);
    if (existsSync(join(root, result)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === now) continue;
    print(`Building ${mode}...`);
    const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
    const args = [vite, 'build', '--logLevel', 'warn', ...(mode === 'renderer' ? [] : ['--mode', mode])];
    const done = spawnSync(pinnedNode(), args, { cwd: root, stdio: ['ignore', 2, 2] });
    if (done.status !== 0)
      exitWithError(`Building ${mode} failed; the message is above.`, 'Fix the source it names and try again.');
    mkdirSync(join(root, 'out'), { recursive: true });
    writeFileSync(stamp, now);
    built = true;
  }
  if (built) writeAboutTexts();
}
