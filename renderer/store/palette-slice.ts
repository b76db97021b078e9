import type { StateCreator } from 'zustand';

/**
 * What has been done in the palette. Keys come before its list does, and are kept here for it:
 *
 *   typing --Enter, the list is not there--> entered --the list is there--> what is chosen runs, once
 *     ^                                         | nothing matches
 *     '-----------------------------------------'
 */
export interface PaletteTyping {
  readonly text: string;
  /** Which entry of the list is chosen, counted on beyond its end, where the first comes again; below 0 from the end. */
  readonly at: number;
  readonly isEntered: boolean;
}

export interface PaletteSlice {
  readonly palette: PaletteTyping;
  readonly typeInPalette: (text: string) => void;
  readonly chooseInPalette: (at: number) => void;
  /** Notes that Enter was pressed, or that it has been answered. */
  readonly enterPalette: (isEntered: boolean) => void;
}

export const NOTHING_TYPED: PaletteTyping = { text: '', at: 0, isEntered: false };

export const createPaletteSlice: StateCreator<PaletteSlice> = (set) => ({
  palette: NOTHING_TYPED,
  typeInPalette: (text) => set({ palette: { text, at: 0, isEntered: false } }),
  chooseInPalette: (at) => set(({ palette }) => ({ palette: { ...palette, at } })),
  enterPalette: (isEntered) => set(({ palette }) => ({ palette: { ...palette, isEntered } })),
});
