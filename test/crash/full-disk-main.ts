import { spawnSync } from 'node:child_process';
import { workOnFullDisk } from './full-disk.ts';

/**
 * `npm run test:full-disk`: edits a workspace on a disk of its own, which is filled to its last byte. The disk is in
 * memory and is mounted where nobody else sees it, which takes a Linux that lets users have namespaces of their own.
 * Prints one line of JSON; ends with 1 when anything was lost, or nothing could be written any more.
 */
const [mode, folder = ''] = process.argv.slice(2);
if (mode === 'within') {
  const report = await workOnFullDisk(folder);
  process.stdout.write(`${JSON.stringify(report)}\n`);
  const { acknowledgedWhenFull, refusedWith, lost, broken } = report;
  process.exitCode = acknowledgedWhenFull > 0 && refusedWith === 'disk-full' && lost + broken === 0 ? 0 : 1;
} else {
  const mount = 'd=$(mktemp -d) && mount -t tmpfs -o size=256m none "$d" && exec "$0" "$1" within "$d"';
  const done = spawnSync('unshare', ['-rm', 'sh', '-c', mount, process.execPath, import.meta.filename], {
    stdio: 'inherit',
  });
  if (done.error !== undefined) throw done.error;
  process.exitCode = done.status ?? 1;
}
