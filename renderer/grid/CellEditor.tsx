import { type KeyboardEvent, type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { WindowRow } from '../../shared/api/workspace.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { OPEN_END } from '../../shared/model/plain-date.ts';
import { wordName } from '../app/field-names.ts';
import { editText, shownCell } from '../app/locale/cells.ts';
import { choicesOf } from '../app/locale/limits.ts';
import { appTexts } from '../app/texts.ts';
import { type CellInput, readInput, sumProblem } from './cell-input.ts';
import { type Column, lockOf, lockOfAll } from './columns.ts';
import styles from './grid.module.css';
import type { GridEdit } from './grid-api.ts';
import { gridTexts } from './text.ts';
import type { GridSelection } from './use-grid-selection.ts';
import type { OpenView } from './window.ts';

interface CellEditingOptions {
  readonly element: RefObject<HTMLDivElement | null>;
  readonly view: OpenView;
  readonly columns: readonly Column[];
  readonly selection: GridSelection;
  readonly edit: GridEdit;
  /** Files that a reference field may refer to. */
  readonly mediaFor: (field: string) => readonly { readonly id: number; readonly name: string }[];
  readonly tell: (text: string) => void;
}

export interface CellEditing {
  /** The editor of the active cell; null while no cell is edited. */
  readonly editor: ReactNode;
  /** @param typed true when a typed character opens the editor: it becomes the first character of the new value */
  readonly open: (typed: boolean) => void;
}

/** Offset from the active cell to the cell that becomes active after a commit. */
const STEPS: Readonly<Record<After, readonly [rows: number, columns: number] | null>> = {
  down: [1, 0],
  up: [-1, 0],
  left: [0, -1],
  right: [0, 1],
  stay: null,
  all: null,
  leave: null,
};

/**
 * The one editor of the grid.
 *
 *   open -> typing -- Enter, Tab, the focus moves away ---> value written
 *             \------ Escape, or text that does not fit --> value unchanged
 */
export function useCellEditing(options: CellEditingOptions): CellEditing {
  const { element, view, columns, selection, edit, mediaFor, tell } = options;
  const { source } = view;
  const { kind } = source.request;
  const { active, range, select } = selection;
  /** The row is stored because its place may hold another row before the value is written. */
  const [opened, setOpened] = useState<{ readonly typed: boolean; readonly row: WindowRow | undefined } | null>(null);

  const close = (): void => {
    setOpened(null);
    element.current?.focus();
  };
  const leave = (problem: string | null): void => {
    setOpened(null);
    if (problem !== null) tell(problem);
  };

  const write = (column: Column, input: CellInput, after: After): void => {
    const inPlace = source.rowAt(active.row);
    const row = opened?.row === undefined || opened.row.id === inPlace?.id ? inPlace : opened.row;
    if (after === 'all') void edit.setCells(range, column, input);
    else if (row !== undefined) void edit.setCell(row, column, input);
    else {
      const here = { top: active.row, bottom: active.row, left: active.col, right: active.col };
      void edit.setCells(here, column, input);
    }
  };
  const commit = (input: CellInput, after: After): void => {
    const column = columns[active.col];
    if (after === 'leave') leave(null);
    else close();
    if (column === undefined) return;
    write(column, input, after);
    const step = STEPS[after];
    if (step === null) return;
    const row = Math.min(source.length() - 1, Math.max(0, active.row + step[0]));
    select(row, Math.min(columns.length - 1, Math.max(0, active.col + step[1])), false);
  };

  const open = (typed: boolean): void => {
    const row = source.rowAt(active.row);
    const column = columns[active.col];
    if (column === undefined) return;
    // While the row is still loading, typing opens an empty editor; F2 or Enter would have no value to show.
    if (row === undefined && !typed) return;
    const lock = row === undefined ? lockOfAll(column) : lockOf(column, row);
    if (lock !== null) tell(lock);
    else flushSync(() => setOpened({ typed, row }));
  };

  const column = columns[active.col];
  const isOpen = opened !== null && column !== undefined && column.cell !== null;
  const editor = isOpen ? (
    <CellEditor
      kind={kind}
      column={column}
      value={source.rowAt(active.row)?.cells[column.cell ?? 0] ?? null}
      isRead={source.rowAt(active.row) !== undefined}
      typed={opened.typed}
      options={mediaFor(column.field)}
      onCommit={commit}
      onCancel={close}
      onLeave={leave}
    />
  ) : null;
  return { editor, open };
}

/**
 * What a commit does next: which cell becomes active. `all` writes the value to the whole selection; `leave` is a
 * commit caused by the focus moving away, where the focus stays.
 */
type After = 'down' | 'up' | 'left' | 'right' | 'stay' | 'all' | 'leave';

interface CellEditorProps {
  readonly kind: Kind;
  readonly column: Column;
  readonly value: Cell;
  /** False while the row is still loading; a value typed meanwhile is written all the same. */
  readonly isRead: boolean;
  /** True when a typed character opened the editor: the character replaces the old value. */
  readonly typed: boolean;
  /** Files to choose from in a reference field. */
  readonly options: readonly { readonly id: number; readonly name: string }[];
  readonly onCommit: (input: CellInput, after: After) => void;
  readonly onCancel: () => void;
  /** The focus moved away and nothing is to be written; `problem` says what is wrong with the typed text. */
  readonly onLeave: (problem: string | null) => void;
}

function CellEditor(props: CellEditorProps) {
  const is = props.column.spec?.type.is;
  return is === 'choice' || is === 'ref' ? <ChoiceEditor {...props} /> : <TextEditor {...props} />;
}

function TextEditor({ kind, column, value, isRead, typed, onCommit, onCancel, onLeave }: CellEditorProps) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(() => {
    if (typed) return '';
    // A cell without an end date starts with these words, not with the day that stands for them.
    return (value === OPEN_END ? shownCell : editText)(kind, column.field, value);
  });
  const [asked, setAsked] = useState(false);
  const problemId = useId();
  const done = useRef(false);
  const read = readInput(kind, column.field, text);
  // A calculation cannot be checked before the row's value has loaded.
  const sumError = read.ok && isRead ? sumProblem(read.value, value) : null;
  const problem = read.ok ? sumError : read.error;
  const result = read.ok && read.value.isSum && problem === null ? (read.value.valueFor(value) ?? null) : null;

  // Runs before the browser turns the opening key into text, so that the input receives it.
  useLayoutEffect(() => {
    input.current?.focus();
    if (!typed) input.current?.select();
  }, [typed]);

  const commit = (after: After): void => {
    if (done.current) return;
    if (!read.ok || problem !== null) {
      setAsked(true);
      return;
    }
    done.current = true;
    onCommit(read.value, after);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    const after = afterKey(event);
    if (event.key === 'Escape') {
      done.current = true;
      onCancel();
    } else if (after !== null) {
      event.preventDefault();
      commit(after);
    }
  };
  const leave = (): void => {
    // Another window has the focus: the editor stays open.
    if (done.current || document.activeElement === input.current) return;
    if (problem === null) commit('leave');
    else onLeave(problem);
  };
  return (
    <>
      <input
        ref={input}
        className={styles['grid-editor']}
        value={text}
        aria-label={gridTexts.editor(column.title)}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : problemId}
        inputMode={column.align === 'right' ? 'decimal' : 'text'}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={leave}
      />
      {problem !== null && (text.length > 2 || asked) && (
        <span ref={keepInside} id={problemId} className={styles['grid-problem']} role="alert">
          {problem}
        </span>
      )}
      {result !== null && (
        <output className={styles['grid-sum']}>{gridTexts.sum(shownCell(kind, column.field, result))}</output>
      )}
    </>
  );
}

/** In the last column or row, a problem is shown to the left of its cell's right edge or above it: the grid would cut it. */
function keepInside(problem: HTMLElement | null): void {
  const grid = problem?.closest('[role$="grid"]')?.getBoundingClientRect();
  if (problem == null || grid === undefined) return;
  const { right, bottom } = problem.getBoundingClientRect();
  problem.toggleAttribute('data-end', right > grid.right);
  problem.toggleAttribute('data-above', bottom > grid.bottom);
}

function ChoiceEditor({ kind, column, value, options, onCommit, onCancel, onLeave }: CellEditorProps) {
  const select = useRef<HTMLSelectElement>(null);
  const done = useRef(false);
  const type = column.spec?.type;
  const choices =
    type?.is === 'choice'
      ? choicesOf(kind, column.field, value).map((choice) => ({
          key: choice,
          name: wordName(column.field, choice),
          cell: choice,
        }))
      : options.map(({ id, name }) => ({ key: String(id), name, cell: id }));

  useLayoutEffect(() => {
    const element = select.current;
    element?.focus();
    try {
      element?.showPicker();
    } catch {
      // showPicker() fails without a user gesture: the list stays closed; the field still works with arrow keys.
    }
  }, []);

  const commit = (key: string, after: After): void => {
    if (done.current) return;
    done.current = true;
    const cell = choices.find((choice) => choice.key === key)?.cell ?? null;
    onCommit({ isSum: false, plain: key, valueFor: () => cell }, after);
  };
  return (
    <select
      ref={select}
      className={styles['grid-editor']}
      aria-label={gridTexts.editor(column.title)}
      defaultValue={value === null ? '' : String(value)}
      onChange={(event) => commit(event.target.value, 'stay')}
      onKeyDown={(event) => {
        event.stopPropagation();
        const after = afterKey(event);
        if (event.key === 'Escape') {
          done.current = true;
          onCancel();
        } else if (after !== null) {
          event.preventDefault();
          commit(event.currentTarget.value, after);
        }
      }}
      onBlur={() => {
        if (!done.current && document.activeElement !== select.current) onLeave(null);
      }}
    >
      <option value="">{appTexts.grid.none}</option>
      {choices.map(({ key, name }) => (
        <option key={key} value={key}>
          {name}
        </option>
      ))}
    </select>
  );
}

function afterKey(event: KeyboardEvent): After | null {
  if (event.key === 'Enter') return event.ctrlKey || event.metaKey ? 'all' : event.shiftKey ? 'up' : 'down';
  if (event.key === 'Tab') return event.shiftKey ? 'left' : 'right';
  return null;
}
