import { Button, Checkbox, Group, Modal, SegmentedControl } from '@mantine/core';
import { type ClipboardEvent, useEffect, useState } from 'react';
import type { WindowRow } from '../../../shared/api/workspace.ts';
import { parseAmountExpression } from '../../../shared/bulk/amount-expression.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { fieldSpec } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { parseTsv } from '../../../shared/spreadsheet/tsv.ts';
import type { CellChange } from '../../app/actions.ts';
import { useAppContext } from '../../app/app-context.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { errorText } from '../../app/error-text.ts';
import { readSum } from '../../app/locale/cells.ts';
import { countText, plural } from '../../app/locale/numbers.ts';
import { Problem } from '../../app/Problem.tsx';
import { useMedia } from '../../app/shared-queries.ts';
import { appTexts } from '../../app/texts.ts';
import { ScrollBox } from '../../components/ScrollBox.tsx';
import { TableHead } from '../../components/TableHead.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { readInput } from '../../grid/cell-input.ts';
import { type Column, lockOf, valueText } from '../../grid/columns.ts';
import { pasteRange } from '../../grid/edits.ts';
import type { GridApi } from '../../grid/grid-api.ts';
import type { OpenView } from '../../grid/window.ts';
import styles from './paste.module.css';

const texts = {
  title: 'Paste special',
  values: 'Values',
  hint: 'Press Ctrl+V to paste, or type: one row per line, columns separated by tabs.',
  as: 'Operation',
  modes: { replace: 'Replace', add: 'Add amount', percent: 'Add percent', multiply: 'Multiply' },
  erase: 'Empty cells clear the value',
  locked: (n: number) => `${plural(n, 'cell')} can't be edited.`,
  tooLong: (max: number) =>
    `You can paste up to ${countText(max)} rows here. For more, use "Paste a table" (Ctrl+Shift+V).`,
  label: (n: number) => `Paste ${plural(n, 'value')}`,
} as const;

interface PasteValuesDialogProps {
  readonly workspaceId: string;
  readonly view: OpenView;
  readonly grid: Pick<GridApi, 'columns' | 'range'>;
}

/** Rows that are read to be pasted over; longer tables are for "Paste a table". */
const ROWS_MAX = 10_000;
const SHOWN_MAX = 100;

/** Values from the clipboard reckoned with those in the selected cells, seen before they are written. */
export function PasteValuesDialog({ workspaceId, view, grid }: PasteValuesDialogProps) {
  const { store, actions, notes } = useAppContext();
  const { dismiss } = store.getState();
  const { source } = view;
  const { kind } = source.request;
  const { names } = useMedia(workspaceId);
  const [range] = useState(() => grid.range());
  const [text, setText] = useState('');
  const [as, setAs] = useState<PasteAs>('replace');
  const [erase, setErase] = useState(false);
  const [rows, setRows] = useState<readonly WindowRow[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, during] = useBusy();
  const table = text === '' ? [] : parseTsv(text);
  const height = table.length === 0 ? 0 : pasteRange(table, range).bottom - range.top + 1;

  useEffect(() => {
    // A browser that keeps the clipboard closed leaves the box empty, which says how to paste.
    void navigator.clipboard?.readText().then(setText, () => setText(''));
  }, []);
  useEffect(() => {
    let isOver = false;
    if (height > ROWS_MAX) setProblem(texts.tooLong(ROWS_MAX));
    if (height === 0 || height > ROWS_MAX) return;
    setProblem(null);
    source.readRows(range.top, range.top + height).then(
      (read) => {
        if (!isOver) setRows(read);
      },
      (error: unknown) => {
        if (!isOver) setProblem(errorText(error));
      },
    );
    return () => {
      isOver = true;
    };
  }, [source, range.top, height]);

  const pasted =
    table.length === 0 || problem !== null
      ? { changes: [], misfits: 0, locked: 0 }
      : pastedValues(kind, table, grid.columns, range.left, rows, as, erase);
  const count = pasted.changes.length;
  const apply = async (): Promise<void> => {
    if (count === 0) return;
    const changes = pasted.changes.map(({ id, field, value }) => ({ kind, id, field, value }));
    const done = await during(view.inPlace(() => actions.edit(texts.label(count), changes)));
    if (!done) return;
    dismiss();
    notes.tell(appTexts.bulk.done(count));
  };
  const onPaste = (event: ClipboardEvent): void => {
    event.preventDefault();
    setText(event.clipboardData.getData('text/plain'));
  };
  return (
    <Modal opened onClose={dismiss} title={texts.title} size={640}>
      <textarea
        className={styles['paste-values']}
        data-autofocus
        rows={3}
        aria-label={texts.values}
        placeholder={texts.hint}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onPaste={onPaste}
      />
      <div className={styles['paste-as']}>
        <SegmentedControl
          aria-label={texts.as}
          data={PASTE_AS.map((value) => ({ value, label: texts.modes[value] }))}
          value={as}
          onChange={(value) => setAs(PASTE_AS.find((each) => each === value) ?? as)}
        />
        {as === 'replace' && (
          <Checkbox label={texts.erase} checked={erase} onChange={(event) => setErase(event.currentTarget.checked)} />
        )}
      </div>
      <Problem of={problem} />
      <p role="status">
        {table.length === 0 ? '' : count === 0 ? dialogTexts.bulk.unchanged : dialogTexts.bulk.cells(count)}
        {pasted.misfits > 0 && ` ${appTexts.grid.pasteBad(pasted.misfits)}`}
        {pasted.locked > 0 && ` ${texts.locked(pasted.locked)}`}
      </p>
      {count > 0 && (
        <ScrollBox className={ui['preview-scroll']} label={dialogTexts.bulk.preview}>
          <table className={`${ui['diff']} ${ui['preview-table']}`}>
            <TableHead
              titles={[dialogTexts.bulk.row, dialogTexts.bulk.field, dialogTexts.bulk.was, dialogTexts.bulk.is]}
            />
            <tbody>
              {pasted.changes.slice(0, SHOWN_MAX).map(({ row, column, before, value }) => (
                <tr key={`${row.id} ${column.field}`}>
                  <td>{String(row.cells[0] ?? row.campaignName)}</td>
                  <td>{column.title}</td>
                  <td>
                    <del>{valueText(kind, column.field, before, names) || dialogTexts.sync.emptyValue}</del>
                  </td>
                  <td>
                    <ins>{valueText(kind, column.field, value, names) || dialogTexts.sync.emptyValue}</ins>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {count > SHOWN_MAX && <p className={ui['quiet']}>{dialogTexts.bulk.examples(SHOWN_MAX, count)}</p>}
        </ScrollBox>
      )}
      <Group justify="flex-end" mt="md" gap="xs">
        <Button onClick={dismiss}>{dialogTexts.bulk.cancel}</Button>
        <Button variant="filled" disabled={count === 0} loading={busy} onClick={() => void apply()}>
          {dialogTexts.bulk.apply(count)}
        </Button>
      </Group>
    </Modal>
  );
}

/** What becomes of the value that is there: replaced, or reckoned with. The last three are for amounts. */
const PASTE_AS = ['replace', 'add', 'percent', 'multiply'] as const;
export type PasteAs = (typeof PASTE_AS)[number];

interface PastedValue extends CellChange {
  readonly row: WindowRow;
  readonly column: Column;
  readonly before: Cell;
}

interface PastedValues {
  readonly changes: readonly PastedValue[];
  /** Values that do not fit their field, or have no sum with what is there. */
  readonly misfits: number;
  readonly locked: number;
}

/** Pasted text as what would be typed to reckon with the value that is there: `0.05` to add becomes `+0.05`. */
export function asTyped(text: string, as: PasteAs): string {
  const plain = text.trim();
  if (as === 'replace' || plain === '') return plain;
  if (as === 'multiply') return `*${plain}`;
  const signed = /^[+-]/.test(plain) ? plain : `+${plain}`;
  return as === 'percent' && !signed.endsWith('%') ? `${signed}%` : signed;
}

/** The new value of a cell; undefined when the text does not fit, or has no sum with what is there. */
function valueFor(kind: Kind, field: string, text: string, as: PasteAs, before: Cell): Cell | undefined {
  if (as === 'replace') {
    const read = readInput(kind, field, text);
    return read.ok ? read.value.valueFor(before) : undefined;
  }
  // A cell reads "+0.05" as 0.05; here it is a sum.
  const plain = readSum(text);
  if (!plain.ok) return undefined;
  const sum = parseAmountExpression(plain.value);
  const isAmount = fieldSpec(kind, field)?.type.is === 'money' && typeof before !== 'string';
  return sum.ok && isAmount ? (sum.value.apply(before) ?? undefined) : undefined;
}

/**
 * What a table makes of the cells it covers, repeated over a larger selection. Blank cells of the table leave theirs
 * alone, unless they are to erase.
 *
 * @param left place in `columns` of the table's first column
 */
export function pastedValues(
  kind: Kind,
  table: readonly (readonly string[])[],
  columns: readonly Column[],
  left: number,
  rows: readonly WindowRow[],
  as: PasteAs,
  erase: boolean,
): PastedValues {
  const changes: PastedValue[] = [];
  let misfits = 0;
  let locked = 0;
  const width = Math.max(1, ...table.map((row) => row.length));
  for (const [down, row] of rows.entries()) {
    const source = table[down % table.length] ?? [];
    for (const [across, column] of columns.slice(left, left + width).entries()) {
      const text = asTyped(source[across] ?? '', as);
      if (column.cell === null || (text === '' && !(erase && as === 'replace'))) continue;
      if (lockOf(column, row) !== null) {
        locked += 1;
        continue;
      }
      const before = row.cells[column.cell] ?? null;
      const value = valueFor(kind, column.field, text, as, before);
      if (value === undefined || fieldSpec(kind, column.field)?.type.is === 'ref') misfits += 1;
      else if (value !== before) changes.push({ kind, id: row.id, field: column.field, value, row, column, before });
    }
  }
  return { changes, misfits, locked };
}
