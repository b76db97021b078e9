import type { StateCreator } from 'zustand';

/** The menu of the grid at a point of the window: for cells and rows, or for the active column. */
export interface GridMenu {
  readonly of: 'cells' | 'column';
  readonly x: number;
  readonly y: number;
}

/** The one menu of the grid that may be open. */
export interface MenuSlice {
  readonly menu: GridMenu | null;
  readonly openMenu: (menu: GridMenu) => void;
  readonly closeMenu: () => void;
}

export const createMenuSlice: StateCreator<MenuSlice> = (set) => ({
  menu: null,
  openMenu: (menu) => set({ menu }),
  closeMenu: () => set({ menu: null }),
});
