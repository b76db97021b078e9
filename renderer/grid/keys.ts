import type { CellPlace } from '../app/store/selection-slice.ts';

export interface Key {
  readonly key: string;
  readonly ctrl: boolean;
  readonly shift: boolean;
  readonly alt: boolean;
}

export interface KeyContext {
  readonly active: CellPlace;
  /** Whether a group header is active, which is one cell. */
  readonly isGroup: boolean;
  readonly rows: number;
  readonly columns: number;
  /** Whole rows that fit into the viewport. */
  readonly page: number;
}

/** What a key does in the grid while no editor is open. */
export type Intent =
  | { readonly do: 'move'; readonly to: CellPlace; readonly extend: boolean }
  | { readonly do: 'edit'; readonly typed: boolean }
  | { readonly do: 'select-all' }
  | { readonly do: 'select-rows' }
  | { readonly do: 'clear' }
  | { readonly do: 'delete-rows' }
  | { readonly do: 'fill-down' }
  | { readonly do: 'leave'; readonly back: boolean };

/** Keys as in a spreadsheet; null leaves the key to the browser and to the window's shortcuts. */
export function intentOf(key: Key, context: KeyContext): Intent | null {
  const { active, rows, columns, page } = context;
  const place = (row: number, col: number): Intent => ({
    do: 'move',
    to: { row: clamp(row, rows), col: clamp(col, columns) },
    extend: key.shift,
  });
  if (key.alt) return null;
  switch (key.key) {
    case 'ArrowUp':
      return place(key.ctrl ? 0 : active.row - 1, active.col);
    case 'ArrowDown':
      return place(key.ctrl ? rows - 1 : active.row + 1, active.col);
    case 'ArrowLeft':
      return place(active.row, key.ctrl ? 0 : active.col - 1);
    case 'ArrowRight':
      return place(active.row, key.ctrl ? columns - 1 : active.col + 1);
    case 'Home':
      return place(key.ctrl ? 0 : active.row, 0);
    case 'End':
      return place(key.ctrl ? rows - 1 : active.row, columns - 1);
    case 'PageUp':
      return key.ctrl ? null : place(active.row - page, active.col);
    case 'PageDown':
      return key.ctrl ? null : place(active.row + page, active.col);
    case 'Enter':
      return key.ctrl ? null : { do: 'edit', typed: false };
    case 'F2':
      return key.shift ? null : { do: 'edit', typed: false };
    case 'Delete':
      return key.ctrl ? { do: 'delete-rows' } : { do: 'clear' };
    case 'Backspace':
      return key.ctrl ? null : { do: 'clear' };
    case 'Tab':
      return tab(key, context);
    case ' ':
      return key.shift ? { do: 'select-rows' } : { do: 'edit', typed: false };
    default:
      break;
  }
  if (key.ctrl) {
    if (key.key.toLowerCase() === 'a') return { do: 'select-all' };
    return key.key.toLowerCase() === 'd' ? { do: 'fill-down' } : null;
  }
  // These keys step through the periods of the metrics; in an editor they are characters.
  if (/^[[\]{}]$/.test(key.key)) return null;
  // Dead keys and input methods begin a composition, which needs an open editor.
  const types = [...key.key].length === 1 || key.key === 'Dead' || key.key === 'Process';
  return types ? { do: 'edit', typed: true } : null;
}

/** Tab moves through the cells of a row and leaves the grid at both ends, so that it is no keyboard trap. */
function tab(key: Key, { active, isGroup, columns }: KeyContext): Intent {
  const col = active.col + (key.shift ? -1 : 1);
  if (isGroup || col < 0 || col >= columns) return { do: 'leave', back: key.shift };
  return { do: 'move', to: { row: active.row, col }, extend: false };
}

const clamp = (at: number, count: number): number => Math.min(Math.max(0, at), Math.max(0, count - 1));
