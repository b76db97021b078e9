import { Button, Checkbox, Group } from '@mantine/core';
import { type ClipboardEvent, useEffect, useMemo, useState } from 'react';
import type { PastedTable, PastePreview } from '../../../shared/api/bulk.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import { type Kind, PARENT_OF } from '../../../shared/model/kinds.ts';
import { DATE_ORDERS, type DateOrder } from '../../../shared/model/plain-date.ts';
import { err } from '../../../shared/result.ts';
import { parseTsv } from '../../../shared/spreadsheet/tsv.ts';
import { type ActionContext, inWords, runEdit } from '../../app/actions.ts';
import { useActions, useAppContext, useViewOf } from '../../app/app-context.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { fieldName } from '../../app/field-names.ts';
import { countText, plural } from '../../app/locale/numbers.ts';
import { takeFocus } from '../../app/pane-focus.ts';
import { useRows } from '../../app/shared-queries.ts';
import { Chip } from '../../components/Chip.tsx';
import { Choice } from '../../components/Choice.tsx';
import { ScrollBox } from '../../components/ScrollBox.tsx';
import { TableHead } from '../../components/TableHead.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { valueText } from '../../grid/columns.ts';
import styles from './import.module.css';
import { importTexts } from './text.ts';

const texts = {
  drop: 'Paste here: Ctrl+V',
  hint: 'Copy rows from a spreadsheet, with or without a header row. Adslate matches the columns and shows a preview before anything changes.',
  reading: 'Reading the table…',
  header: 'First row is a header',
  columns: 'Columns',
  column: (i: number, example: string) => `Column ${i + 1}${example === '' ? '' : `, ${example}`}`,
  passOver: '(skip)',
  counts: { add: 'to add', update: 'to change', unchanged: 'unchanged', error: 'with errors' },
  outcome: { add: 'New', update: 'Change', unchanged: 'Unchanged', error: 'Error' },
  decimals: 'Decimal separator in this table',
  point: 'Point (1.50)',
  comma: 'Comma (1,50)',
  dates: 'Order of dates in this table',
  row: 'Row',
  what: 'Action',
  values: 'Values',
  shown: (n: number, all: number) => `Showing ${countText(n)} of ${plural(all, 'row')}`,
  again: 'Paste another table',
  apply: (n: number) => (n === 0 ? 'Paste rows' : `Paste ${plural(n, 'row')}`),
  label: (n: number) => `Paste ${plural(n, 'row')}`,
  applied: (added: number, changed: number) => {
    const cells = `${plural(changed, 'cell')} changed.`;
    if (added === 0) return cells;
    return changed === 0 ? `${plural(added, 'row')} added.` : `${plural(added, 'row')} added, ${cells}`;
  },
  tooLong: (max: number) => `You can paste up to ${countText(max)} rows. For more, import a file.`,
} as const;

/** Most rows per call. */
const ROWS_MAX = 50_000;
const EMPTY: Pasted = { table: [], header: null, columns: null, decimals: null, dates: null };

/** Parses the clipboard's table; empty, with a problem, if it has more rows than a call accepts. */
function readTable(text: string): { readonly pasted: Pasted; readonly problem: string | null } {
  const table = text === '' ? [] : parseTsv(text);
  if (table.length > ROWS_MAX) return { pasted: EMPTY, problem: texts.tooLong(ROWS_MAX) };
  return { pasted: { ...EMPTY, table }, problem: null };
}

/** Pastes a table: its columns are matched, and each row is previewed before anything is written. */
export function PasteTable({ workspaceId, text }: { readonly workspaceId: string; readonly text: string }) {
  const { store, toasts } = useAppContext();
  const actions = useActions(pasteActions);
  const { dismiss, dismisser } = store.getState();
  const { kind, campaignId } = useViewOf((s) => ({ kind: s.kind, campaignId: s.campaignId }));
  const campaign = useRows(workspaceId, campaignId === null ? null : { kind: 'campaign', campaignId }).data?.rows[0];
  const group = useRows(workspaceId, campaignId === null ? null : { kind: 'adGroup', campaignId }).data?.rows[0];
  const [{ pasted: atFirst, problem: atOnce }] = useState(() => readTable(text));
  const [pasted, setPasted] = useState<Pasted>(atFirst);
  const [problem, setProblem] = useState<string | null>(atOnce);
  const [busy, during] = useBusy();

  const below = PARENT_OF[kind] === 'adGroup' ? group : PARENT_OF[kind] === 'campaign' ? campaign : undefined;
  const parent =
    below === undefined ? null : { kind: below === group ? ('adGroup' as const) : ('campaign' as const), id: below.id };
  const { preview, request, failure, waiting } = usePastePreview(kind, parent, pasted);
  const rows = (preview?.add ?? 0) + (preview?.update ?? 0);
  const unknown = preview?.hasHeader === true ? preview.columns.filter(({ by }) => by === 'none').length : 0;

  const onPaste = (event: ClipboardEvent): void => {
    event.preventDefault();
    const read = readTable(event.clipboardData.getData('text/plain'));
    setProblem(read.problem);
    if (read.problem === null) setPasted(read.pasted);
  };
  const apply = async (): Promise<void> => {
    if (request === null || rows === 0) return;
    const close = dismisser();
    const done = await during(actions.applyPaste(request, texts.label(rows)));
    if (done === null) return;
    close();
    toasts.tell(texts.applied(done.created, done.cells));
  };
  return (
    <>
      {pasted.table.length === 0 ? (
        <textarea
          className={styles['paste-room']}
          ref={takeFocus}
          data-autofocus
          readOnly
          aria-label={texts.drop}
          placeholder={`${texts.drop}\n\n${texts.hint}`}
          onPaste={onPaste}
        />
      ) : (
        <>
          {preview !== null && (
            <>
              <div className={styles['paste-counts']} data-counts="">
                {(['add', 'update', 'unchanged', 'error'] as const).map((each) => (
                  <span
                    key={each}
                    className={
                      each === 'error' && preview.error > 0 ? `${ui['badge']} ${ui['badge-error']}` : ui['badge']
                    }
                  >
                    {countText(preview[each])} {texts.counts[each]}
                  </span>
                ))}
                <span className={ui['toolbar-gap']} />
                <Checkbox
                  label={texts.header}
                  checked={preview.hasHeader}
                  onChange={(event) => {
                    const header = event.currentTarget.checked;
                    setPasted((before) => ({ ...before, header, columns: null }));
                  }}
                />
              </div>
              {unknown > 0 && <p className={ui['note-warning']}>{importTexts.unknownColumns(unknown)}</p>}
              {preview.needsDecimals && (
                <div role="group" aria-label={texts.decimals} className={styles['paste-decimals']}>
                  <span className={ui['note-warning']}>{texts.decimals}</span>
                  {(['point', 'comma'] as const).map((decimals) => (
                    <Chip key={decimals} onClick={() => setPasted((before) => ({ ...before, decimals }))}>
                      {texts[decimals]}
                    </Chip>
                  ))}
                </div>
              )}
              {preview.needsDates && (
                <div role="group" aria-label={texts.dates} className={styles['paste-decimals']}>
                  <span className={ui['note-warning']}>{texts.dates}</span>
                  {DATE_ORDERS.map((dates) => (
                    <Chip key={dates} onClick={() => setPasted((before) => ({ ...before, dates }))}>
                      {importTexts.datesOrders[dates]}
                    </Chip>
                  ))}
                </div>
              )}
              <PasteRows
                kind={kind}
                preview={preview}
                table={pasted.table}
                waiting={waiting}
                onColumn={(at, column) =>
                  setPasted((before) => {
                    // The preview may not have the choice before this one yet.
                    const now = before.columns ?? preview.columns.map((each) => each.column);
                    return { ...before, columns: now.with(at, column) };
                  })
                }
              />
            </>
          )}
          {preview === null && failure === null && <p className={ui['quiet']}>{texts.reading}</p>}
        </>
      )}
      {(problem ?? failure) !== null && (
        <p className={`${ui['note-error']} ${ui['preview-problem']}`} role="alert">
          {problem ?? failure}
        </p>
      )}
      <Group justify="flex-end" mt="sm" gap="xs">
        {pasted.table.length > 0 && <Button onClick={() => setPasted(EMPTY)}>{texts.again}</Button>}
        <Button onClick={dismiss}>{dialogTexts.bulk.cancel}</Button>
        <Button variant="filled" disabled={rows === 0 || waiting} loading={busy} onClick={() => void apply()}>
          {texts.apply(rows)}
        </Button>
      </Group>
    </>
  );
}

interface PasteRowsProps {
  readonly kind: Kind;
  readonly preview: PastePreview;
  /** The table as pasted, to show rows that can't be parsed. */
  readonly table: readonly (readonly string[])[];
  readonly waiting: boolean;
  readonly onColumn: (at: number, column: string | null) => void;
}

const SIGNS = { add: '+', update: 'Δ', unchanged: '=', error: '!' } as const;
const TONES = { add: 'good', update: 'changed', unchanged: 'quiet', error: 'error' } as const;
const NO_MEDIA: ReadonlyMap<number, string> = new Map();

/** The field matched to each column, and the outcome of the first rows. */
function PasteRows({ kind, preview, table, waiting, onColumn }: PasteRowsProps) {
  const all = preview.add + preview.update + preview.unchanged + preview.error;
  return (
    <section className={waiting ? ui['preview-waiting'] : undefined} aria-busy={waiting}>
      <div role="group" aria-label={texts.columns} className={styles['paste-columns']}>
        {preview.columns.map((column, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a column of a pasted table is identified by its index.
          <label key={i}>
            <span className={ui['quiet']}>{texts.column(i, column.text)}</span>
            <Choice
              options={[[null, texts.passOver], ...preview.choices.map((choice) => [choice, choice] as const)]}
              value={column.column}
              onChoose={(chosen) => onColumn(i, chosen)}
            />
          </label>
        ))}
      </div>
      <ScrollBox className={ui['preview-scroll']} label={texts.values}>
        <table className={`${ui['diff']} ${ui['preview-table']} ${styles['paste-table']}`}>
          <TableHead titles={[texts.what, texts.row, texts.values]} />
          <tbody>
            {preview.rows.map((row) => (
              <tr key={row.at}>
                <td>
                  <span className={ui[`grid-mark-${TONES[row.outcome]}`]}>
                    <span aria-hidden="true">{SIGNS[row.outcome]} </span>
                    {texts.outcome[row.outcome]}
                  </span>
                </td>
                <td>{row.label === '' ? table[row.at]?.join(' ') : row.label}</td>
                <td>
                  {row.problems.length > 0 ? (
                    <span className={ui['note-error']}>{row.problems.map(({ message }) => message).join(' ')}</span>
                  ) : (
                    row.cells
                      .map(
                        ({ field, value }) => `${fieldName(field, kind)}: ${valueText(kind, field, value, NO_MEDIA)}`,
                      )
                      .join(' · ')
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {all > preview.rows.length && <p className={ui['quiet']}>{texts.shown(preview.rows.length, all)}</p>}
    </section>
  );
}

interface Pasted {
  readonly table: readonly (readonly string[])[];
  /** Null lets main detect a header row. */
  readonly header: boolean | null;
  readonly columns: readonly (string | null)[] | null;
  readonly decimals: 'point' | 'comma' | null;
  readonly dates: DateOrder | null;
}

interface Answer {
  readonly preview: PastePreview | null;
  readonly failure: string | null;
  readonly waiting: boolean;
}

const EXAMPLES = 100;
const NOTHING: Answer = { preview: null, failure: null, waiting: false };

/** Previews the table in main, again after every change of the options. */
function usePastePreview(
  kind: Kind,
  parent: RowRef | null,
  pasted: Pasted,
): Answer & { readonly request: PastedTable | null } {
  const actions = useActions(pasteActions);
  const [answer, setAnswer] = useState<Answer>(NOTHING);
  const parentKey = JSON.stringify(parent);
  const request = useMemo((): PastedTable | null => {
    if (kind === 'media' || pasted.table.length === 0) return null;
    const to: RowRef | null = JSON.parse(parentKey);
    return {
      kind,
      parent: to,
      table: pasted.table.map((row) => [...row]),
      ...(pasted.header === null ? {} : { header: pasted.header }),
      ...(pasted.columns === null ? {} : { columns: [...pasted.columns] }),
      ...(pasted.decimals === null ? {} : { decimals: pasted.decimals }),
      ...(pasted.dates === null ? {} : { dates: pasted.dates }),
    };
  }, [kind, parentKey, pasted]);

  useEffect(() => {
    if (request === null) {
      setAnswer(NOTHING);
      return;
    }
    let over = false;
    setAnswer((before) => ({ ...before, waiting: true }));
    void actions.previewPaste(request, EXAMPLES).then((found) => {
      if (over) return;
      setAnswer(
        found.ok
          ? { preview: found.value, failure: null, waiting: false }
          : { preview: null, failure: found.error, waiting: false },
      );
    });
    return () => {
      over = true;
    };
  }, [actions, request]);
  return { ...answer, request };
}

/** The preview returns errors as text, to show beside the pasted table. */
function pasteActions(context: ActionContext) {
  const { client } = context.connection;
  return {
    previewPaste: async (paste: PastedTable, count: number) => {
      const { workspaceId } = context.store.getState();
      return workspaceId === null ? err('') : inWords(() => client.paste.preview({ workspaceId, paste, count }));
    },
    applyPaste: (paste: PastedTable, label: string) =>
      runEdit(context, (workspaceId) => client.paste.apply({ workspaceId, paste, label, taskId: crypto.randomUUID() })),
  };
}
