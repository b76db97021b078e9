import type { StateCreator } from 'zustand';
import type { Dialog } from './dialog.ts';
import { NOTHING_TYPED, type PaletteSlice } from './palette-slice.ts';

/** Which dialog is open: one takes the place of another, so that Escape never leads to a dialog behind it. */
export interface DialogSlice {
  readonly dialog: Dialog | null;
  readonly show: (dialog: Dialog) => void;
  readonly dismiss: () => void;
}

export const createDialogSlice: StateCreator<DialogSlice & PaletteSlice, [], [], DialogSlice> = (set) => ({
  dialog: null,
  show: (dialog) => set({ dialog, palette: NOTHING_TYPED }),
  dismiss: () => set({ dialog: null }),
});
