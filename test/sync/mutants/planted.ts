import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProtocolMutant } from './mutants.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/**
 * @returns the sources of a mutant with its faults planted, under their absolute paths
 * @throws when one of its texts does not stand in its file exactly once: the source has moved on
 */
export function planted({ name, edits }: ProtocolMutant): ReadonlyMap<string, string> {
  const changed = new Map<string, string>();
  for (const { file, from, to } of edits) {
    const path = join(root, file);
    const source = changed.get(path) ?? readFileSync(path, 'utf8');
    if (source.split(from).length !== 2) throw new Error(`"${name}" does not fit ${file} exactly once: ${from}`);
    changed.set(
      path,
      source.replace(from, () => to),
    );
  }
  return changed;
}
