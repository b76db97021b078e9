import { useEffect, useMemo, useRef } from 'react';
import { SUGGESTED_MAX, TEXT_MAX } from '../../shared/api/limits.ts';
import type { WindowRow } from '../../shared/api/workspace.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { endTsv, formatTsv, parseTsv, tsvLines } from '../../shared/spreadsheet/tsv.ts';
import { useAppContext } from '../app/app-context.ts';
import { errorText } from '../app/error-text.ts';
import { editText } from '../app/locale/cells.ts';
import { locale } from '../app/locale/current.ts';
import { type CellRange, cellCount } from '../app/store/selection-slice.ts';
import type { Client } from '../app/transport/connection.ts';
import { type Column, cellText, columnCell, metricCellText } from './columns.ts';
import type { GridCopy } from './grid-api.ts';
import { gridTexts } from './text.ts';
import type { MetricsSource } from './use-row-metrics.ts';
import { isSuggested, readSuggestions, type SuggestionOf, suggestedText } from './use-suggestions.tsx';
import type { OpenView } from './window.ts';

/** Most cells per copy, about 60 MB of text; use an export for more. */
const COPY_MAX = 5_000_000;
type ViewText = Awaited<ReturnType<Client['views']['text']>>;

const NO_MEDIA = new Map<number, string>();
/** Copies shorter than this, in milliseconds, show no progress. */
const QUIET_MS = 300;
/** Least time between progress updates, in milliseconds: each draws the window, and a second may have hundreds. */
const TOLD_MS = 100;

export function useGridCopy(
  view: OpenView,
  columns: readonly Column[],
  figures: MetricsSource,
  suggestionOf: SuggestionOf,
  tell: (text: string) => void,
): GridCopy {
  const { connection, store, toasts } = useAppContext();
  const running = useRef<AbortController | null>(null);
  // A running copy ends when the view changes: its row indexes belong to the old view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a running copy belongs to this view.
  useEffect(() => () => running.current?.abort(), [view]);
  return useMemo(() => {
    const { source } = view;
    const { kind } = source.request;
    const inRange = (range: CellRange): readonly Column[] =>
      columns.slice(range.left, range.right + 1).filter(({ ghost }) => ghost === undefined);
    const hasFigures = (range: CellRange): boolean => inRange(range).some(({ figure }) => figure !== null);
    const hasSuggested = (range: CellRange): boolean => inRange(range).some(({ figure }) => isSuggested(figure));
    const rowsIn = (range: CellRange): number => Math.min(range.bottom, source.length() - 1) - range.top + 1;

    const textOf = (row: WindowRow, column: Column): string => {
      if (isSuggested(column.figure)) return suggestedText(kind, column.figure, suggestionOf(row.id));
      if (column.figure !== null) return cellText(kind, column, row, NO_MEDIA, figures.of(row));
      return column.cell === null
        ? cellText(kind, column, row, NO_MEDIA)
        : editText(kind, column.field, columnCell(column, row));
    };
    const tableOf = (rows: readonly WindowRow[], range: CellRange): readonly (readonly string[])[] =>
      rows.map((row) => inRange(range).map((column) => textOf(row, column)));

    /** Main formats the lines; the window fills in metrics, because only the window formats them. */
    function linesOf(range: CellRange, workspaceId: string): LinesSource {
      const viewId = (): number => source.viewId();
      const shown = inRange(range);
      const withIds = hasFigures(range);
      const suggestionsOf = async (ids: ViewText['ids']): Promise<SuggestionOf> =>
        hasSuggested(range)
          ? readSuggestions(
              connection.client,
              workspaceId,
              kind,
              ids.map(({ id }) => id),
            )
          : () => undefined;
      const fields = shown.map(({ field, figure }) => (figure === null ? field : ''));
      const options = { columns: fields, decimal: locale().style.decimal, withIds };
      return {
        most: withIds ? SUGGESTED_MAX : TEXT_MAX,
        viewId,
        read: async (from, count) => {
          const asked = viewId();
          const answer = await connection.client.views.text({ workspaceId, viewId: asked, from, count, ...options });
          const lines = withIds
            ? await withMetrics(kind, answer, shown, figures, await suggestionsOf(answer.ids))
            : answer.lines;
          return { lines, length: answer.length, viewId: asked };
        },
      };
    }

    async function copyLater(range: CellRange, workspaceId: string): Promise<void> {
      running.current?.abort();
      const stop = new AbortController();
      running.current = stop;
      const total = rowsIn(range);
      const startedAt = performance.now();
      const { noteCopying } = store.getState();
      let toldAt = startedAt + QUIET_MS;
      const onProgress = (done: number): void => {
        const now = performance.now();
        if (now < toldAt || stop.signal.aborted) return;
        toldAt = now + TOLD_MS;
        noteCopying({ done, total, stop: () => stop.abort() });
      };
      const text = readLines(linesOf(range, workspaceId), range.top, total, onProgress, stop.signal).then(endTsv);
      try {
        await write(text);
        tell(gridTexts.copied(total * inRange(range).length));
      } catch (refused) {
        // The clipboard hides the reason of a rejected promise: the text's own error is used if there is one.
        const error = await text.then(
          () => refused,
          (cause: unknown) => cause,
        );
        if (stop.signal.aborted) toasts.tell(gridTexts.copyStopped);
        else if (error instanceof Disturbed) toasts.tell(gridTexts.copyDisturbed);
        else toasts.tell(isKept(error) ? gridTexts.copyByKey : errorText(error));
      } finally {
        if (running.current === stop) {
          running.current = null;
          noteCopying(null);
        }
      }
    }

    function copyMany(range: CellRange): Promise<void> {
      const { workspaceId } = store.getState();
      if (workspaceId === null) return Promise.resolve();
      if (cellCount(range) <= COPY_MAX) return copyLater(range, workspaceId);
      toasts.tell(gridTexts.copyTooLarge(COPY_MAX));
      return Promise.resolve();
    }

    return {
      copy: (event, range) => {
        event.preventDefault();
        const rows = source.rowsHere(range.top, range.top + rowsIn(range));
        // The event ends before missing rows have loaded, so the asynchronous clipboard is used.
        const isRead = (row: WindowRow): boolean =>
          figures.isRead(row) && (!hasSuggested(range) || suggestionOf(row.id) !== undefined);
        if (rows === null || (hasFigures(range) && !rows.every(isRead))) void copyMany(range);
        else {
          event.clipboardData.setData('text/plain', formatTsv(tableOf(rows, range)));
          tell(gridTexts.copied(cellCount(range)));
        }
      },
      copyNow: copyMany,
    };
  }, [view, columns, figures, suggestionOf, tell, connection, store, toasts]);
}

/** Fills metrics into lines whose metric columns are empty. Rows are matched by position with their IDs. */
export async function withMetrics(
  kind: Kind,
  { lines, ids }: Pick<ViewText, 'lines' | 'ids'>,
  columns: readonly Column[],
  figures: Pick<MetricsSource, 'read'>,
  suggestionOf: SuggestionOf,
): Promise<string> {
  const read = await figures.read(ids);
  const table = parseTsv(endTsv(lines));
  const rows = ids.map((row, at) => {
    const own = read.get(row.id) ?? undefined;
    return columns.map((column, i) => {
      if (isSuggested(column.figure)) return suggestedText(kind, column.figure, suggestionOf(row.id));
      return column.figure === null ? (table[at]?.[i] ?? '') : metricCellText(column, own);
    });
  });
  return tsvLines(rows);
}

/** Passes a promise to the clipboard within the key event: some browsers reject later writes. */
const write = (text: Promise<string>): Promise<void> =>
  navigator.clipboard.write([
    new ClipboardItem({ 'text/plain': text.then((plain) => new Blob([plain], { type: 'text/plain' })) }),
  ]);

/** The browser denies pages without permission access to the clipboard; the keyboard shortcut still works. */
export const isKept = (error: unknown): boolean => error instanceof DOMException;

/** Lines of some rows of a view, the number of rows in the view, and the view's ID. */
interface Lines {
  readonly lines: string;
  readonly length: number;
  readonly viewId: number;
}

export interface LinesSource {
  /** Most rows per read. */
  readonly most: number;
  /** ID of the current view; another one after a sort. */
  viewId(): number;
  read(from: number, count: number): Promise<Lines>;
}

/** Rows were added, removed or sorted during each attempt to copy. */
export class Disturbed extends Error {}

const TRIES = 3;

/**
 * The lines of a range of any length, read in parts, so that other requests are served in between. Starts again when
 * rows are added, removed or sorted during it, so that the table is from one state of the view.
 *
 * @param onProgress called after each part with the number of rows read
 * @param signal stops the read with the abort's reason
 */
export async function readLines(
  source: LinesSource,
  from: number,
  count: number,
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<string> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const lines = await readOnce(source, from, count, onProgress, signal);
    if (lines !== null) return lines;
  }
  throw new Disturbed();
}

/** Null if rows were added, removed or sorted during the read. */
async function readOnce(
  source: LinesSource,
  from: number,
  count: number,
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<string | null> {
  const viewId = source.viewId();
  const parts: string[] = [];
  const ask = (done: number): Promise<Lines> => {
    const part = source.read(from + done, Math.min(source.most, count - done));
    // Prevents an unhandled rejection: a part that is no longer awaited may fail.
    part.catch(() => undefined);
    return part;
  };
  let length: number | null = null;
  let next = count > 0 ? ask(0) : null;
  for (let done = 0; next !== null; done += source.most) {
    const asked = next;
    // Requests the next part while this one is being read and formatted.
    next = done + source.most < count ? ask(done + source.most) : null;
    let part: Lines;
    try {
      part = await asked;
    } catch (error) {
      if (source.viewId() === viewId) throw error;
      return null;
    }
    signal.throwIfAborted();
    length ??= part.length;
    if (part.viewId !== viewId || part.length !== length) return null;
    parts.push(part.lines);
    onProgress(Math.min(count, done + source.most));
  }
  return parts.join('\n');
}
