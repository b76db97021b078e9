import { type RefObject, useEffect, useRef } from 'react';
import { useAppContext } from '../app/desk.ts';
import { rangeOf } from '../store/selection-slice.ts';
import type { Column } from './columns.ts';
import type { GridEdit } from './grid-door.ts';

interface Doings {
  readonly openEditor: () => void;
  readonly fit: (col: number) => void;
}

/** Opens the door for commands while the grid is on screen; what they ask for is done by the newest drawing of it. */
export function useGridDoor(
  element: RefObject<HTMLDivElement | null>,
  columns: readonly Column[],
  edit: GridEdit,
  doings: Doings,
): void {
  const { store, openGrid } = useAppContext();
  const newest = useRef(doings);
  newest.current = doings;
  // The middle of the window has the focus as long as the rows of a list are on their way.
  useEffect(() => {
    if (document.activeElement?.localName === 'main') element.current?.focus();
  }, [element]);
  useEffect(() => {
    openGrid.current = {
      edit,
      columns,
      range: () => rangeOf(store.getState(), columns.length),
      openEditor: () => newest.current.openEditor(),
      fit: (col) => newest.current.fit(col),
      focus: () => element.current?.focus(),
    };
    return () => {
      openGrid.current = null;
    };
  }, [openGrid, edit, columns, store, element]);
}
