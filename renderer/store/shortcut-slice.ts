import type { StateCreator } from 'zustand';
import type { DeskState } from './desk-store.ts';

/** Keys the user chose, by command; an empty text means none. Kept in the preferences as `keys.<command>`. */
export interface ShortcutSlice {
  readonly keys: Readonly<Record<string, string>>;
  readonly chooseKeys: (chosen: Readonly<Record<string, string>>) => void;
  /** One command, or all of them, back to the keys of the table. */
  readonly resetKeys: (command: string | null) => void;
}

export const createShortcutSlice: StateCreator<DeskState, [], [], ShortcutSlice> = (set) => ({
  keys: {},
  chooseKeys: (chosen) => set(({ keys }) => ({ keys: { ...keys, ...chosen } })),
  resetKeys: (command) =>
    set(({ keys }) => ({
      keys: command === null ? {} : Object.fromEntries(Object.entries(keys).filter(([id]) => id !== command)),
    })),
});
