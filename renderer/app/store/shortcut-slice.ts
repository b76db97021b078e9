import type { StateCreator } from 'zustand';

/** Keys the user chose, by command; an empty text means none. Kept in the preferences as `keys.<command>`. */
export interface ShortcutSlice {
  readonly keys: Readonly<Record<string, string>>;
  /** Ids of the commands last run from the palette, the latest first. */
  readonly recentCommands: readonly string[];
  readonly chooseKeys: (chosen: Readonly<Record<string, string>>) => void;
  /** One command, or all of them, back to the keys of the table. */
  readonly resetKeys: (command: string | null) => void;
  readonly noteCommand: (id: string) => void;
}

const RECENT_MAX = 5;

export const createShortcutSlice: StateCreator<ShortcutSlice> = (set) => ({
  keys: {},
  recentCommands: [],
  chooseKeys: (chosen) => set(({ keys }) => ({ keys: { ...keys, ...chosen } })),
  resetKeys: (command) =>
    set(({ keys }) => ({
      keys: command === null ? {} : Object.fromEntries(Object.entries(keys).filter(([id]) => id !== command)),
    })),
  noteCommand: (id) =>
    set(({ recentCommands }) => ({
      recentCommands: [id, ...recentCommands.filter((other) => other !== id)].slice(0, RECENT_MAX),
    })),
});
