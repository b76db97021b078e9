import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** CPU time of this process and of its ended children, in seconds; null where the system does not report it. */
export function cpuSeconds() {
  if (process.platform !== 'linux') return null;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The program name, in brackets, may contain anything; utime is the 12th field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks / TICKS_PER_SECOND;
}
