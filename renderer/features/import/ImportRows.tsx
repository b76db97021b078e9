import { useState } from 'react';
import type { ImportPreview, ImportRow } from '../../../shared/api/files.ts';
import { FIELD_OF } from '../../../shared/spreadsheet/columns.ts';
import { useApi } from '../../app/app-context.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { fieldName, KIND_NAMES } from '../../app/field-names.ts';
import { atStart, countText } from '../../app/locale/numbers.ts';
import { PageList } from '../../app/PageList.tsx';
import { Waiting } from '../../app/Problem.tsx';
import { usePages } from '../../app/pages.ts';
import { Chip } from '../../components/Chip.tsx';
import ui from '../../components/ui.module.css';
import { valueText } from '../../grid/columns.ts';
import styles from './import.module.css';
import {
  CHOOSABLE,
  type Choosable,
  countIn,
  type ImportSelection,
  isChoosable,
  isSelected,
  setAll,
  toggleLine,
} from './import-selection.ts';
import { importTexts } from './text.ts';

const texts = {
  rows: 'Rows in the file',
  rowsHint: 'Clear a check box to skip the row.',
  some: (count: number, total: number) =>
    count === total ? countText(total) : `${countText(count)} of ${countText(total)}`,
  allOf: (name: string, total: number) => `All ${countText(total)} ${name}`,
  shown: 'Rows shown',
  line: (line: number) => `Line ${countText(line)}`,
  tick: (line: number) => `Import line ${countText(line)}`,
  removed: 'deleted with the next sync',
  conflictHint: 'Selected rows take the value in the file. The others keep the current value.',
} as const;

const SIGNS = { added: '+', changed: 'Δ', removed: '−', conflict: '≠', unchanged: '=', error: '!' } as const;
const TONES = {
  added: 'good',
  changed: 'changed',
  removed: 'error',
  conflict: 'warning',
  unchanged: 'quiet',
  error: 'error',
} as const;

interface ImportRowsProps {
  readonly workspaceId: string;
  readonly preview: ImportPreview;
  readonly choice: ImportSelection;
  readonly onChoice: (choice: ImportSelection) => void;
}

/** The rows of a preview, selected one by one or by outcome. */
export function ImportRows({ workspaceId, preview, choice, onChoice }: ImportRowsProps) {
  const there = CHOOSABLE.filter((outcome) => (outcome === 'conflict' ? preview.conflicts : preview[outcome]) > 0);
  const [wanted, setWanted] = useState<Choosable | null>(null);
  const shown = wanted ?? there[0];
  if (shown === undefined) return null;
  return (
    <section aria-label={texts.rows} className={styles['import-rows']}>
      <div className={styles['import-kinds']} role="group" aria-label={texts.shown}>
        {there.map((outcome) => (
          <Kind
            key={outcome}
            preview={preview}
            choice={choice}
            outcome={outcome}
            isShown={outcome === shown}
            onShow={() => setWanted(outcome)}
            onChoice={onChoice}
          />
        ))}
        <span className={ui['quiet']}>{shown === 'conflict' ? texts.conflictHint : texts.rowsHint}</span>
      </div>
      <Rows key={shown} workspaceId={workspaceId} preview={preview} shown={shown} choice={choice} onChoice={onChoice} />
    </section>
  );
}

interface KindProps extends Omit<ImportRowsProps, 'workspaceId'> {
  readonly outcome: Choosable;
  readonly isShown: boolean;
  readonly onShow: () => void;
}

/** An outcome of rows: a checkbox for all of them, and a button that lists them. */
function Kind({ preview, choice, outcome, isShown, onShow, onChoice }: KindProps) {
  const total = outcome === 'conflict' ? preview.conflicts : preview[outcome];
  const count = countIn(preview, choice, outcome);
  return (
    <span className={styles['import-kind']}>
      <input
        type="checkbox"
        aria-label={texts.allOf(importTexts.outcome[outcome], total)}
        checked={count === total}
        ref={(box) => {
          if (box !== null) box.indeterminate = count > 0 && count < total;
        }}
        onChange={() => onChoice(setAll(choice, outcome, count < total))}
      />
      <Chip aria-pressed={isShown} onClick={onShow}>
        {texts.some(count, total)} {importTexts.outcome[outcome]}
      </Chip>
    </span>
  );
}

interface RowsProps extends ImportRowsProps {
  readonly shown: Choosable;
}

function Rows({ workspaceId, preview: { previewId }, shown, choice, onChoice }: RowsProps) {
  const api = useApi();
  const list = usePages(
    (from, count) => api.exchange.rows.queryOptions({ input: { workspaceId, previewId, filter: shown, from, count } }),
    ({ rows }) => rows,
  );
  // The list has its height before its rows are read, so that the buttons below it do not move.
  return (
    <div className={styles['import-list']}>
      {list.newest === undefined ? (
        <Waiting error={list.error} />
      ) : (
        <PageList
          list={list}
          label={texts.rows}
          resetOn={shown}
          line={(row) => <Line row={row} choice={choice} onChoice={onChoice} />}
        />
      )}
    </div>
  );
}

interface LineProps extends Pick<ImportRowsProps, 'choice' | 'onChoice'> {
  readonly row: ImportRow;
}

function Line({ row, choice, onChoice }: LineProps) {
  const { line, outcome, kind, campaign } = row;
  if (!isChoosable(outcome)) return null;
  const cells = row.cells.map((cell) => cellText(row, cell)).join(' · ');
  return (
    <div className={`${ui['line']} ${styles['import-line']}`}>
      <input
        type="checkbox"
        aria-label={texts.tick(line)}
        checked={isSelected(choice, outcome, line)}
        onChange={() => onChoice(toggleLine(choice, outcome, line))}
      />
      <span className={ui[`grid-mark-${TONES[outcome]}`]} aria-hidden="true">
        {SIGNS[outcome]}
      </span>
      <span className={`${ui['numeric']} ${ui['quiet']} ${styles['import-number']}`}>{texts.line(line)}</span>
      <span className={styles['import-what']}>
        <span className={ui['quiet']}>{kind === null ? '' : atStart(KIND_NAMES[kind].one)}</span> {campaign}
      </span>
      <span className={styles['import-cells']} title={cells}>
        {outcome === 'removed' ? texts.removed : cells}
      </span>
    </div>
  );
}

/** A cell of a row: the new value, preceded by the current value if the row exists. */
function cellText({ kind, outcome }: ImportRow, { column, before, after }: ImportRow['cells'][number]): string {
  const fields: Readonly<Record<string, string>> = kind === null || kind === 'media' ? {} : FIELD_OF[kind];
  const field = fields[column];
  const text = (value: typeof before): string =>
    kind === null || field === undefined ? String(value ?? '') : valueText(kind, field, value, NO_MEDIA);
  // The file's heading; the field's name, such as "Item ID", if the two differ only in case.
  const label = kind === null || field === undefined ? column : fieldName(field, kind);
  const name = label.toLowerCase() === column.toLowerCase() ? label : column;
  if (outcome === 'added') return `${name}: ${text(after)}`;
  return `${name}: ${text(before) || dialogTexts.sync.emptyValue} → ${text(after) || dialogTexts.sync.emptyValue}`;
}

const NO_MEDIA: ReadonlyMap<number, string> = new Map();
