import { Checkbox, Textarea } from '@mantine/core';
import { type ClipboardEvent, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { WindowRow } from '../../../shared/api/workspace.ts';
import { parseTsv } from '../../../shared/spreadsheet/tsv.ts';
import { useAppContext, useViewOf } from '../../app/app-context.ts';
import { errorText } from '../../app/error-text.ts';
import { countText, plural } from '../../app/locale/numbers.ts';
import { Problem } from '../../app/Problem.tsx';
import { rangeOf } from '../../app/store/selection-slice.ts';
import type { CellGhost, RowGhost } from '../../app/store/tool-slice.ts';
import { appTexts } from '../../app/texts.ts';
import { ChoiceField } from '../../components/ChoiceField.tsx';
import { useBusy } from '../../components/use-busy.ts';
import { layoutOf, shownColumns } from '../../grid/columns.ts';
import { pasteRange } from '../../grid/edits.ts';
import type { OpenView } from '../../grid/window.ts';
import { PASTE_AS, type PasteAs, pastedValues } from './pasted-values.ts';
import { ToolFrame } from './ToolFrame.tsx';

const texts = {
  values: 'Values',
  hint: 'Press Ctrl+V to paste, or type: one row per line, columns separated by tabs.',
  as: 'Operation',
  modes: { replace: 'Replace', add: 'Add amount', percent: 'Add percent', multiply: 'Multiply' },
  erase: 'Empty cells clear the value',
  locked: (n: number) => `${plural(n, 'cell')} can't be edited.`,
  tooLong: (max: number) =>
    `You can paste up to ${countText(max)} rows here. For more, use "Paste a table" (Ctrl+Shift+V).`,
  label: (n: number) => `Paste ${plural(n, 'value')}`,
  changes: (n: number) => `${plural(n, 'cell')} will change.`,
  unchanged: 'No changes.',
  apply: (n: number) => (n === 0 ? 'Apply' : `Apply to ${plural(n, 'cell')}`),
} as const;

/** The most rows read for a paste; longer tables need "Paste a table". */
const ROWS_MAX = 10_000;

/** The rows of a place: a view, its first row and their number. */
interface ReadRows {
  readonly place: string;
  /** The edits that the rows include. */
  readonly edits: number;
  readonly rows: readonly WindowRow[];
}

/** Combines clipboard values with those of the selected cells; the grid previews the results. */
export function PasteStep({ workspaceId, view }: { readonly workspaceId: string; readonly view: OpenView }) {
  const { store, actions, toasts, openGrid, events } = useAppContext();
  const { source } = view;
  useSyncExternalStore(source.subscribe, source.version);
  const { kind, campaignId } = source.request;
  const selection = useViewOf((s) => ({ active: s.active, anchor: s.anchor, wholeRows: s.wholeRows, all: s.all }));
  const layout = useViewOf(layoutOf);
  const [text, setText] = useState('');
  const [as, setAs] = useState<PasteAs>('replace');
  const [erase, setErase] = useState(false);
  const [read, setRead] = useState<ReadRows>({ place: '', edits: 0, rows: [] });
  /** Edits of the account since the form was opened: the rows are read again after each. */
  const [edits, setEdits] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, during] = useBusy();
  // Without the preview columns, into which nothing is pasted.
  const columns = useMemo(() => shownColumns(kind, campaignId, layout), [kind, campaignId, layout]);
  const range = rangeOf(selection, columns.length);
  const onScreen = openGrid.current?.columns ?? columns;
  const left = columns.findIndex(({ field }) => field === onScreen[range.left]?.field);
  const table = useMemo(() => (text === '' ? [] : parseTsv(text)), [text]);
  const height = table.length === 0 ? 0 : pasteRange(table, range).bottom - range.top + 1;

  useEffect(() => {
    // Values that were typed before the browser allowed or denied access to the clipboard stay.
    void navigator.clipboard?.readText().then(
      (read) => setText((typed) => typed || read),
      () => {},
    );
  }, []);
  useEffect(
    () =>
      events.on((event) => {
        const isEdit = event.type === 'workspace.changed' && event.workspaceId === workspaceId;
        if (event.type === 'reconnected' || (isEdit && event.only === undefined)) setEdits((before) => before + 1);
      }),
    [events, workspaceId],
  );
  // Another view has other rows in the same places.
  const place = `${source.viewId()} ${range.top} ${height}`;
  useEffect(() => {
    let isOver = false;
    setProblem(height > ROWS_MAX ? texts.tooLong(ROWS_MAX) : null);
    if (height === 0 || height > ROWS_MAX) return;
    source.readRows(range.top, range.top + height).then(
      (rows) => {
        if (!isOver) setRead({ place, edits, rows });
      },
      (error: unknown) => {
        if (!isOver) setProblem(errorText(error));
      },
    );
    return () => {
      isOver = true;
    };
  }, [source, place, edits, range.top, height]);

  const pasted = useMemo(
    () =>
      table.length === 0 || problem !== null || left < 0 || read.place !== place
        ? null
        : pastedValues(kind, table, columns, left, read.rows, as, erase),
    [kind, table, columns, left, read, place, as, erase, problem],
  );
  const count = pasted?.changes.length ?? 0;
  const canApply = count > 0 && read.edits === edits;
  useEffect(() => {
    if (pasted === null) return store.getState().showGhosts(null);
    const ghosts = new Map<number, RowGhost>();
    for (const [id, why] of pasted.skipped) ghosts.set(id, { cells: {}, why });
    for (const [id, own] of Map.groupBy(pasted.changes, (change) => change.id)) {
      const cells: Record<string, CellGhost> = {};
      for (const { field, before, value } of own) cells[field] = { before, value, by: null };
      ghosts.set(id, { cells, why: null });
    }
    const fields = [...new Set(pasted.changes.map(({ field }) => field))];
    store.getState().showGhosts({
      kind,
      fields,
      of: { rows: ghosts },
      range: { from: range.top, to: range.top + height },
    });
  }, [store, kind, pasted, range.top, height]);

  const apply = async (): Promise<void> => {
    if (pasted === null || !canApply || busy) return;
    const changes = pasted.changes.map(({ id, field, value }) => ({ kind, id, field, value }));
    const done = await during(view.inPlace(() => actions.edit(texts.label(count), changes)));
    if (!done) return;
    // The pane may show a tool of another account by now.
    if (store.getState().workspaceId === workspaceId) {
      store.getState().closePane();
      openGrid.current?.focus();
    }
    toasts.tell(appTexts.bulk.done(count));
  };
  const onPaste = (event: ClipboardEvent): void => {
    event.preventDefault();
    setText(event.clipboardData.getData('text/plain'));
  };
  return (
    <ToolFrame label={texts.apply(count)} disabled={!canApply} busy={busy} onApply={() => void apply()}>
      <Textarea
        label={texts.values}
        data-first
        rows={4}
        placeholder={texts.hint}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onPaste={onPaste}
      />
      <ChoiceField
        label={texts.as}
        options={PASTE_AS.map((each) => [each, texts.modes[each]])}
        value={as}
        onChoose={setAs}
      />
      {as === 'replace' && (
        <Checkbox label={texts.erase} checked={erase} onChange={(event) => setErase(event.currentTarget.checked)} />
      )}
      <Problem of={problem} />
      <p role="status">
        {pasted !== null && (count === 0 ? texts.unchanged : texts.changes(count))}
        {pasted !== null && pasted.misfits > 0 && ` ${appTexts.grid.pasteBad(pasted.misfits)}`}
        {pasted !== null && pasted.locked > 0 && ` ${texts.locked(pasted.locked)}`}
      </p>
    </ToolFrame>
  );
}
