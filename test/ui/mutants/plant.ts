import { join } from 'node:path';
import type { Plugin } from 'vite';
import { WINDOW_MUTANTS } from './mutants.ts';

const root = join(import.meta.dirname, '../../..');

/** Hands out the source of the mutant named by WINDOW_MUTANT with its fault planted; nothing on disk is changed. */
export function plantedFault(): Plugin[] {
  const name = process.env['WINDOW_MUTANT'];
  if (name === undefined) return [];
  const mutant = WINDOW_MUTANTS.find((each) => each.name === name);
  if (mutant === undefined) throw new Error(`There is no window mutant "${name}".`);
  const path = join(root, mutant.file);
  return [
    {
      name: 'planted-fault',
      enforce: 'pre',
      transform: (source, id) => {
        if (id.split('?')[0] !== path) return null;
        if (source.split(mutant.from).length !== 2) throw new Error(`"${name}" does not fit ${mutant.file} once.`);
        return { code: source.replace(mutant.from, () => mutant.to), map: null };
      },
    },
  ];
}
