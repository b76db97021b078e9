import { useEffect, useState } from 'react';
import type { Kind } from '../../../shared/model/kinds.ts';
import { type AppContext, useAppContext } from '../../app/app-context.ts';
import { rowsText } from '../../app/field-names.ts';
import { plural } from '../../app/locale/numbers.ts';
import { pasteRows, selectedRowsToMove } from '../../app/move-commands.ts';
import { rangeOf } from '../../app/store/selection-slice.ts';
import ui from '../../components/ui.module.css';
import { placeUnder } from '../../grid/pointer.ts';
import { campaignAtPointer } from './MoveBar.tsx';
import styles from './move-rows.module.css';

const texts = {
  ghost: (n: number, kind: Kind, move: boolean) => `${move ? 'Move' : 'Copy'} ${rowsText(n, kind)}`,
  attachGhost: (n: number) => `Attach ${plural(n, 'file')}`,
  into: (name: string) => `to ${name}`,
  aim: 'Drop on a campaign. Hold Ctrl to copy.',
} as const;

/** A press becomes a drag after this many pixels; a shorter movement is still a click. */
const SLACK = 6;
/** The campaign list scrolls while a drag is within this many pixels of its ends. */
const EDGE = 28;

interface Ghost {
  readonly x: number;
  readonly y: number;
  readonly what: string;
  readonly where: string;
}

/**
 * Drags rows from the row gutter of the grid to a campaign of the list:
 *
 *   press on a selected row -> moved a little      -> drag -> release on a campaign moves the rows
 *   press on another row    -> it is selected, and -> drag once the pointer is over a campaign
 *   Escape or a release elsewhere cancels without a change
 */
export function RowDrag() {
  const app = useAppContext();
  const [ghost, setGhost] = useState<Ghost | null>(null);
  useEffect(() => listen(app, setGhost), [app]);
  if (ghost === null) return null;
  return (
    <div className={styles['drag-ghost']} aria-hidden="true" style={{ left: ghost.x + 14, top: ghost.y + 10 }}>
      <strong>{ghost.what}</strong> <span className={ui['quiet']}>{ghost.where}</span>
    </div>
  );
}

function listen(app: AppContext, setGhost: (ghost: Ghost | null) => void): () => void {
  const { store } = app;
  /** `kept` when the press was on selected rows, which then stay selected. */
  let press: { readonly row: number; readonly x: number; readonly y: number; readonly kept: boolean } | null = null;
  let dragging = false;

  const end = (): void => {
    press = null;
    dragging = false;
    setGhost(null);
    store.getState().hoverCampaign(null);
    document.documentElement.removeAttribute('data-moving-rows');
  };
  const onDown = (event: PointerEvent): void => {
    const place = placeUnder(event.target);
    const state = store.getState();
    if (event.button !== 0 || place === null || place.col >= 0 || state.dialog !== null) return;
    const range = rangeOf(state, 1);
    const inside = state.wholeRows && place.row >= range.top && place.row <= range.bottom && !event.shiftKey;
    press = { row: place.row, x: event.clientX, y: event.clientY, kept: inside };
    // The grid would start a new selection with only this row.
    if (inside) event.stopPropagation();
  };
  const onMove = (event: PointerEvent): void => {
    if (press === null) return;
    if (event.buttons !== 1) {
      end();
      return;
    }
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const over = campaignAtPointer(under);
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) > SLACK;
    if (!dragging && !(press.kept ? far : over !== null)) return;
    dragging = true;
    // From here on the pointer no longer selects.
    event.stopPropagation();
    document.documentElement.setAttribute('data-moving-rows', '');
    scrollAtEnds(under, event.clientY);
    store.getState().hoverCampaign(over);
    setGhost({ x: event.clientX, y: event.clientY, ...ghostTexts(app, event, under, over) });
  };
  const onUp = (event: PointerEvent): void => {
    if (press === null) return;
    const { row, kept } = press;
    const target = dragging ? campaignAtPointer(document.elementFromPoint(event.clientX, event.clientY)) : null;
    const move = !(event.ctrlKey || event.altKey);
    if (kept && !dragging) store.getState().selectRows(row, row);
    end();
    if (target === null) return;
    void Promise.resolve(selectedRowsToMove(app, move)).then(
      (rowsToMove) => rowsToMove !== null && pasteRows(app, rowsToMove, target),
    );
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && dragging) end();
  };
  window.addEventListener('pointerdown', onDown, { capture: true });
  window.addEventListener('pointermove', onMove, { capture: true });
  window.addEventListener('pointerup', onUp, { capture: true });
  window.addEventListener('pointercancel', end);
  window.addEventListener('keydown', onKey, { capture: true });
  return () => {
    end();
    window.removeEventListener('pointerdown', onDown, { capture: true });
    window.removeEventListener('pointermove', onMove, { capture: true });
    window.removeEventListener('pointerup', onUp, { capture: true });
    window.removeEventListener('pointercancel', end);
    window.removeEventListener('keydown', onKey, { capture: true });
  };
}

function ghostTexts(
  { store, openView }: AppContext,
  event: PointerEvent,
  under: Element | null,
  over: number | null,
): Pick<Ghost, 'what' | 'where'> {
  const kind = openView.current?.source.request.kind ?? 'campaign';
  const { top, bottom } = rangeOf(store.getState(), 1);
  const count = bottom - top + 1;
  const name = over === null ? undefined : under?.closest('[title]')?.getAttribute('title');
  return {
    what: kind === 'media' ? texts.attachGhost(count) : texts.ghost(count, kind, !(event.ctrlKey || event.altKey)),
    where: name == null ? texts.aim : texts.into(name),
  };
}

/** Scrolls the campaign list while a drag is near one of its ends. */
function scrollAtEnds(under: Element | null, y: number): void {
  const list = under?.closest('[data-scrolls]');
  if (list == null) return;
  const { top, bottom } = list.getBoundingClientRect();
  if (y < top + EDGE) list.scrollBy({ top: -EDGE });
  else if (y > bottom - EDGE) list.scrollBy({ top: EDGE });
}
