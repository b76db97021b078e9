import type { MouseEvent, RefObject } from 'react';
import { useAppContext } from '../app/desk.ts';
import { ACTIVE_CELL_ID } from './GridRow.tsx';
import { placeUnder } from './pointer.ts';
import type { GridSelection } from './use-grid-selection.ts';

interface GridMenus {
  /** The menu opens on the selection when that is clicked, else on the cell that is; the menu key opens it at the active cell. */
  readonly onContextMenu: (event: MouseEvent) => void;
  readonly onColumnMenu: (col: number, x: number, y: number) => void;
}

/** Where the menus of the grid open, and what is selected for them. */
export function useGridMenus(element: RefObject<HTMLDivElement | null>, selection: GridSelection): GridMenus {
  const { store } = useAppContext();
  const { active, range, select } = selection;
  return {
    onContextMenu: (event) => {
      event.preventDefault();
      const place = placeUnder(event.target);
      if (place === null) {
        const cell = document.getElementById(ACTIVE_CELL_ID)?.getBoundingClientRect();
        if (event.target !== element.current || cell === undefined) return;
        store.getState().openMenu({ of: 'cells', x: cell.left + 8, y: cell.bottom });
        return;
      }
      const { row, col } = place;
      const inside = row >= range.top && row <= range.bottom && (col < 0 || (col >= range.left && col <= range.right));
      if (!inside && col < 0) store.getState().selectRows(row, row);
      else if (!inside) select(row, col, false);
      store.getState().openMenu({ of: 'cells', x: event.clientX, y: event.clientY });
    },
    onColumnMenu: (col, x, y) => {
      store.getState().select({ row: active.row, col }, false);
      store.getState().openMenu({ of: 'column', x, y });
    },
  };
}
