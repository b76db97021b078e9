import { useEffect, useRef } from 'react';
import { useAppContext, useView } from '../../app/desk.ts';
import { useSourceVersion } from '../../data/use-window-source.ts';
import type { OpenView } from '../../data/window-source.ts';

/** How far a row is looked for after the order changed. Further away, the selection stays where it was. */
const NEAR = 200;

/**
 * Keeps the selection on its row when a new order moves it: the active row's id is remembered, and when another
 * row stands in its place it is looked for nearby among the rows that are here. Draws nothing.
 */
export function KeepActiveRow({ view }: { readonly view: OpenView }) {
  const { store } = useAppContext();
  const { source } = view;
  const version = useSourceVersion(source);
  const active = useView((s) => s.active.row);
  const known = useRef<{ readonly row: number; readonly id: number; readonly length: number } | null>(null);

  useEffect(() => {
    const here = source.rowAt(active);
    const before = known.current;
    if (here === undefined) return;
    const moved =
      before !== null && before.row === active && before.id !== here.id && before.length !== source.length();
    if (moved && version > 0) {
      for (let by = 1; by <= NEAR; by += 1) {
        const row = [active - by, active + by].find((index) => source.rowAt(index)?.id === before.id);
        if (row === undefined) continue;
        known.current = { row, id: before.id, length: source.length() };
        store.getState().select({ row, col: store.getState().active.col }, false);
        return;
      }
    }
    known.current = { row: active, id: here.id, length: source.length() };
  }, [source, version, active, store]);
  return null;
}
