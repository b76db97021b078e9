import { useState } from 'react';
import type { ImportPreview, ImportRow } from '../../../shared/api/files.ts';
import { FIELD_OF } from '../../../shared/spreadsheet/columns.ts';
import { useApi } from '../../app/app-context.ts';
import { usePages } from '../../app/pages.ts';
import { VirtualList } from '../../components/VirtualList.tsx';
import { valueText } from '../../grid/columns.ts';
import { en } from '../../texts/en.ts';
import { enImport as texts } from '../../texts/en-import.ts';
import { errorText } from '../../texts/errors.ts';
import { KIND_NAMES } from '../../texts/fields.ts';
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

/** The rows of a preview, to be ticked off one by one or by what becomes of them. */
export function ImportRows({ workspaceId, preview, choice, onChoice }: ImportRowsProps) {
  const there = CHOOSABLE.filter((outcome) => (outcome === 'conflict' ? preview.conflicts : preview[outcome]) > 0);
  const [wanted, setWanted] = useState<Choosable | null>(null);
  const shown = wanted ?? there[0];
  if (shown === undefined) return null;
  return (
    <section aria-label={texts.rows} className="import-rows">
      <div className="import-kinds" role="group" aria-label={texts.shown}>
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
        <span className="quiet">{shown === 'conflict' ? texts.conflictHint : texts.rowsHint}</span>
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

/** One thing that becomes of rows: a tick for all of them, and a button that shows them. */
function Kind({ preview, choice, outcome, isShown, onShow, onChoice }: KindProps) {
  const total = outcome === 'conflict' ? preview.conflicts : preview[outcome];
  const count = countIn(preview, choice, outcome);
  return (
    <span className="import-kind">
      <input
        type="checkbox"
        aria-label={texts.allOf(texts.outcome[outcome], total)}
        checked={count === total}
        ref={(box) => {
          if (box !== null) box.indeterminate = count > 0 && count < total;
        }}
        onChange={() => onChoice(setAll(choice, outcome, count < total))}
      />
      <button type="button" className="chip" aria-pressed={isShown} onClick={onShow}>
        {texts.some(count, total)} {texts.outcome[outcome]}
      </button>
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
  const { newest, error } = list;
  if (newest === undefined) {
    return <p className="quiet">{error === null ? texts.loading : errorText(error)}</p>;
  }
  return (
    <div className="import-list">
      <VirtualList
        count={newest.total}
        label={texts.rows}
        resetOn={shown}
        onWant={list.want}
        line={(index) => <Line row={list.at(index)} choice={choice} onChoice={onChoice} />}
      />
    </div>
  );
}

interface LineProps extends Pick<ImportRowsProps, 'choice' | 'onChoice'> {
  readonly row: ImportRow | undefined;
}

function Line({ row, choice, onChoice }: LineProps) {
  if (row === undefined) return <span className="long-skeleton" />;
  const { line, outcome, kind, campaign } = row;
  if (!isChoosable(outcome)) return null;
  const cells = row.cells.map((cell) => cellText(row, cell)).join(' · ');
  return (
    <div className="line import-line">
      <input
        type="checkbox"
        aria-label={texts.tick(line)}
        checked={isSelected(choice, outcome, line)}
        onChange={() => onChoice(toggleLine(choice, outcome, line))}
      />
      <span className={`import-sign grid-mark-${TONES[outcome]}`} aria-hidden="true">
        {SIGNS[outcome]}
      </span>
      <span className="numeric quiet import-number">{texts.line(line)}</span>
      <span className="import-what">
        <span className="quiet">{kind === null ? '' : KIND_NAMES[kind].one}</span> {campaign}
      </span>
      <span className="import-cells" title={cells}>
        {outcome === 'removed' ? texts.removed : cells}
      </span>
    </div>
  );
}

/** A cell of a new row as it will be; of a known row, what is here and what the file says. */
function cellText({ kind, outcome }: ImportRow, { column, before, after }: ImportRow['cells'][number]): string {
  const fields: Readonly<Record<string, string>> = kind === null || kind === 'media' ? {} : FIELD_OF[kind];
  const field = fields[column];
  const text = (value: typeof before): string =>
    kind === null || field === undefined ? String(value ?? '') : valueText(kind, field, value, NO_MEDIA);
  if (outcome === 'added') return `${column}: ${text(after)}`;
  return `${column}: ${text(before) || en.sync.emptyValue} → ${text(after) || en.sync.emptyValue}`;
}

const NO_MEDIA: ReadonlyMap<number, string> = new Map();
