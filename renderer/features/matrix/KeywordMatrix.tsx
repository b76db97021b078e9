import { Button, Progress } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { WindowRow } from '../../../shared/api/workspace.ts';
import { fieldNames } from '../../../shared/model/fields.ts';
import { isDeleted, isNew } from '../../../shared/model/row.ts';
import { useAppContext } from '../../app/app-context.ts';
import { choiceName } from '../../app/field-names.ts';
import { useLimits } from '../../app/locale/limits.ts';
import { countText } from '../../app/locale/numbers.ts';
import { ALL_ROWS, useRows } from '../../app/shared-queries.ts';
import { appTexts } from '../../app/texts.ts';
import ui from '../../components/ui.module.css';
import type { CellInput } from '../../grid/cell-input.ts';
import { isChangedCell } from '../../grid/columns.ts';
import { BidCell } from './BidCell.tsx';
import styles from './matrix.module.css';

const texts = {
  keyword: 'Keyword',
  find: 'Find keyword',
  add: 'New keyword',
  addButton: 'Add',
  distinct: (n: number, max: number) => `${countText(n)} of ${countText(max)} distinct keywords`,
  full: 'Full. Add more keywords in another campaign.',
  cell: (text: string, matchType: string) => `Bid of "${text}", ${matchType}`,
  hint: 'Enter a bid in an empty cell to add the keyword with that match type. A formula such as +10% changes the existing bid.',
  none: 'No keywords yet. Enter the first one above.',
  createLabel: (text: string) => `Add keyword ${text}`,
  editLabel: (text: string) => `Edit bid of ${text}`,
  more: (shown: number, all: number) =>
    `Showing ${countText(shown)} of ${countText(all)} keywords. Use Find to narrow them down.`,
} as const;

/** Lines drawn at once; a campaign within its limit fits. */
const LINES_MAX = 400;

interface KeywordMatrixProps {
  readonly workspaceId: string;
  readonly campaignId: number;
}

/** The keywords of one campaign: a line for each text, a bid for each match type. */
export function KeywordMatrix({ workspaceId, campaignId }: KeywordMatrixProps) {
  const { actions } = useAppContext();
  const distinctMax = useLimits().keywords.maxDistinctEnabled;
  const rows = useRows(workspaceId, { kind: 'keyword', campaignId }, ALL_ROWS).data?.rows;
  const group = useRows(workspaceId, { kind: 'adGroup', campaignId }).data?.rows[0];
  const [find, setFind] = useState('');
  const [added, setAdded] = useState('');
  if (rows === undefined) return <div className={ui['empty']}>{appTexts.grid.loading}</div>;
  const lines = keywordLines(rows);
  const matchTypes = matchTypesOf(rows);
  const shown = lines.filter(({ key }) => key.includes(find.trim().toLowerCase()));

  const create = (text: string, matchType: string, bid: number | null): void => {
    if (group === undefined) return;
    const values = { text, matchType, bid, state: 'enabled' };
    void actions.create(texts.createLabel(text), [{ kind: 'keyword', parent: { id: group.id }, values }]);
  };
  const write = (line: KeywordLine, matchType: string, input: CellInput): void => {
    const row = line.byMatchType[matchType];
    const before = row === undefined ? null : keywordCell(row, 'bid');
    const value = input.valueFor(before);
    if (value === undefined || typeof value === 'string') return;
    if (row === undefined) {
      if (value !== null) create(line.text, matchType, value);
    } else if (value === null && isNew(row)) void actions.remove([{ kind: 'keyword', id: row.id }]);
    else void actions.edit(texts.editLabel(line.text), [{ kind: 'keyword', id: row.id, field: 'bid', value }]);
  };
  const add = (event: FormEvent): void => {
    event.preventDefault();
    const text = added.trim();
    if (text === '') return;
    create(text, 'exact', null);
    setAdded('');
  };
  return (
    <div className={styles['matrix']}>
      <div className={styles['matrix-tools']}>
        <form onSubmit={add} className={styles['matrix-add']}>
          <input
            className={ui['input']}
            aria-label={texts.add}
            placeholder={texts.add}
            value={added}
            onChange={(event) => setAdded(event.target.value)}
          />
          <Button type="submit">{texts.addButton}</Button>
        </form>
        <input
          className={ui['input']}
          aria-label={texts.find}
          placeholder={texts.find}
          value={find}
          onChange={(event) => setFind(event.target.value)}
        />
        <span className={ui['toolbar-gap']} />
        <span className={styles['matrix-meter']}>
          <span className={lines.length > distinctMax ? ui['note-error'] : ui['quiet']}>
            {texts.distinct(lines.length, distinctMax)}
            {lines.length >= distinctMax && ` · ${texts.full}`}
          </span>
          <Progress
            value={(100 * lines.length) / distinctMax}
            color={lines.length > distinctMax ? 'red' : 'blue'}
            aria-label={texts.distinct(lines.length, distinctMax)}
          />
        </span>
      </div>
      <p className={`${ui['quiet']} ${styles['matrix-hint']}`}>{texts.hint}</p>
      {lines.length === 0 ? (
        <p className={`${ui['quiet']} ${styles['matrix-hint']}`}>{texts.none}</p>
      ) : (
        <div className={styles['matrix-scroll']}>
          <table className={styles['matrix-table']}>
            <thead>
              <tr>
                <th scope="col">{texts.keyword}</th>
                {matchTypes.map((matchType) => (
                  <th key={matchType} scope="col">
                    {choiceName(matchType)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.slice(0, LINES_MAX).map((line) => (
                <tr key={line.key}>
                  <th scope="row">{line.text}</th>
                  {matchTypes.map((matchType) => (
                    <td key={matchType} className={markOf(line.byMatchType[matchType])}>
                      <BidCell
                        kind="keyword"
                        field="bid"
                        label={texts.cell(line.text, choiceName(matchType))}
                        value={amountOf(line.byMatchType[matchType])}
                        changed={isChanged(line.byMatchType[matchType])}
                        onWrite={(input) => write(line, matchType, input)}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {shown.length > LINES_MAX && (
            <p className={`${ui['quiet']} ${styles['matrix-hint']}`}>{texts.more(LINES_MAX, shown.length)}</p>
          )}
        </div>
      )}
    </div>
  );
}

function amountOf(row: WindowRow | undefined): number | null {
  const bid = row === undefined ? null : keywordCell(row, 'bid');
  return typeof bid === 'number' ? bid : null;
}

const isChanged = (row: WindowRow | undefined): boolean => row !== undefined && isChangedCell('keyword', 'bid', row);

/** A paused or archived keyword is told apart from one that bids. */
function markOf(row: WindowRow | undefined): string | undefined {
  if (row === undefined) return styles['matrix-empty'];
  return keywordCell(row, 'state') === 'enabled' || keywordCell(row, 'state') === null
    ? undefined
    : styles['matrix-off'];
}

const MATCH_TYPES: readonly string[] = ['exact', 'phrase', 'broad'];

/** One text with the keyword of each match type, as the service counts them: distinct texts, whatever their case. */
interface KeywordLine {
  readonly key: string;
  readonly text: string;
  readonly byMatchType: Readonly<Partial<Record<string, WindowRow>>>;
}

const FIELDS = fieldNames('keyword');
const keywordCell = (row: WindowRow, field: 'text' | 'matchType' | 'bid' | 'state') =>
  row.cells[FIELDS.indexOf(field)] ?? null;

/** The match types that have a column: those of the document, and words of the service that rows have beside them. */
export function matchTypesOf(rows: readonly WindowRow[]): readonly string[] {
  const found = rows.flatMap((row) => (isDeleted(row) ? [] : [String(keywordCell(row, 'matchType') ?? 'broad')]));
  return [...new Set([...MATCH_TYPES, ...found])];
}

/**
 * Keywords by text, in the order of the texts. A second keyword of the same text and match type keeps the first one's
 * place; the rules say that one of them is too many.
 */
export function keywordLines(rows: readonly WindowRow[]): readonly KeywordLine[] {
  const lines = new Map<string, { readonly text: string; byMatchType: Partial<Record<string, WindowRow>> }>();
  for (const row of rows) {
    if (isDeleted(row)) continue;
    const text = String(keywordCell(row, 'text') ?? '');
    const key = text.trim().toLowerCase().replace(/\s+/gu, ' ');
    const matchType = String(keywordCell(row, 'matchType') ?? 'broad');
    const line = lines.get(key) ?? { text, byMatchType: {} };
    line.byMatchType[matchType] ??= row;
    lines.set(key, line);
  }
  return [...lines].map(([key, line]) => ({ key, ...line })).sort((a, b) => a.key.localeCompare(b.key));
}
