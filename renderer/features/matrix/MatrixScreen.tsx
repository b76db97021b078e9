import { Button, Progress } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import type { WindowRow } from '../../../shared/api/workspace.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { isDeleted, isNew } from '../../../shared/model/row.ts';
import { compareNames, textKey } from '../../../shared/model/text.ts';
import { useAppContext } from '../../app/app-context.ts';
import { choiceName } from '../../app/field-names.ts';
import { editText, readCell } from '../../app/locale/cells.ts';
import { useLimits } from '../../app/locale/limits.ts';
import { countText, isSymbolFirst, moneyText } from '../../app/locale/numbers.ts';
import { bidAt, type MultiplierKind, useMultipliers } from '../../app/multipliers.ts';
import { Waiting } from '../../app/Problem.tsx';
import { cellOf } from '../../app/row-cells.ts';
import { ALL_ROWS, useRows, waitingFor } from '../../app/shared-queries.ts';
import { spreadKeywords, spreadTexts } from '../../app/spread-keywords.ts';
import { TableHead } from '../../components/TableHead.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { useEditedText } from '../../components/use-typed-text.ts';
import { type CellInput, readInput, sumProblem } from '../../grid/cell-input.ts';
import { isChangedCell } from '../../grid/columns.ts';
import styles from './matrix.module.css';

const texts = {
  placements: 'Placement',
  platforms: 'Platform',
  multiplier: (name: string) => `Multiplier for ${name} (%)`,
  base: 'Example bid',
  baseHint: 'The highest bid in the campaign. Enter another bid to see its effective bid.',
  noBids: 'No bids in this campaign yet. Enter an example bid to see its effective bid.',
  effective: 'Effective bid',
  noPlacement: 'Other placements',
  percent: '%',
  noneOffered: 'Only sponsored products campaigns have bid multipliers.',
  truncated: 'The service truncates to two decimals: 12.349 becomes 12.34.',
  zero: 'The effect of 0% is not documented: the bid might stay the same or become $0.00.',
  addLabel: (name: string) => `Multiplier for ${name}`,
} as const;

interface MatrixScreenProps {
  readonly workspaceId: string;
  readonly kind: Kind;
  readonly campaignId: number;
}

/** Keywords and multipliers of one campaign as a matrix: related rows share a line. */
export function MatrixScreen({ workspaceId, kind, campaignId }: MatrixScreenProps) {
  const Matrix = kind === 'keyword' ? KeywordMatrix : MultiplierMatrix;
  return <Matrix workspaceId={workspaceId} campaignId={campaignId} />;
}

/** Placements by platforms: a multiplier for each, and the resulting bid for each combination. */
function MultiplierMatrix({ workspaceId, campaignId }: { readonly workspaceId: string; readonly campaignId: number }) {
  const { actions } = useAppContext();
  const { reads, multipliers } = useMultipliers(workspaceId, campaignId);
  const items = useRows(workspaceId, { kind: 'adItem', campaignId }, ALL_ROWS);
  const keywords = useRows(workspaceId, { kind: 'keyword', campaignId }, ALL_ROWS);
  const [typed, setTyped] = useState<string | null>(null);
  const waiting = waitingFor([...reads, items, keywords]);
  if (waiting !== null || multipliers === undefined) return <Waiting {...waiting} />;
  if (multipliers === null) return <div className={ui['empty']}>{texts.noneOffered}</div>;
  const { rowOf, percentOf, platforms } = multipliers;
  const highest = Math.max(
    0,
    ...(items.data?.rows ?? []).map((row) => Number(cellOf('adItem', row, 'bid') ?? 0)),
    ...(keywords.data?.rows ?? []).map((row) => Number(cellOf('keyword', row, 'bid') ?? 0)),
  );
  const example = highest === 0 ? null : highest;
  const baseText = typed ?? editText('keyword', 'bid', example);
  const base = readCell('keyword', 'bid', baseText);
  const cents = base.ok && typeof base.value === 'number' ? base.value : example;

  const write = (kind: MultiplierKind, name: string, input: CellInput): Promise<unknown> => {
    const label = texts.addLabel(name);
    const value = input.valueFor(percentOf(kind, name)) ?? null;
    if (typeof value === 'string') return NOTHING_WRITTEN;
    const { creates, edits, removes } = multipliers.change(kind, name, value);
    if (creates.length > 0) return actions.create(label, creates);
    if (removes.length > 0) return actions.remove(removes);
    return edits.length > 0 ? actions.edit(label, edits) : NOTHING_WRITTEN;
  };
  const cell = (kind: MultiplierKind, name: string) => {
    const row = rowOf(kind, name);
    return (
      <span className={styles['matrix-percent']}>
        <BidCell
          kind={kind}
          field="multiplier"
          label={texts.multiplier(name)}
          value={percentOf(kind, name)}
          changed={row !== undefined && isChangedCell(kind, 'multiplier', row)}
          onWrite={(input) => write(kind, name, input)}
        />
        <span className={ui['quiet']}>{texts.percent}</span>
      </span>
    );
  };
  const bidText = (placement: string, platform: string): string =>
    cents === null
      ? ''
      : moneyText(bidAt(cents, percentOf('placementMultiplier', placement), percentOf('platformMultiplier', platform)));
  const places = [...multipliers.placements, ''];
  const hasZero =
    multipliers.placements.some((name) => percentOf('placementMultiplier', name) === 0) ||
    platforms.some((name) => percentOf('platformMultiplier', name) === 0);
  return (
    <div className={styles['matrix']}>
      <div className={styles['matrix-tools']}>
        <label className={styles['matrix-base']}>
          {texts.base}
          <span aria-hidden="true" style={{ order: isSymbolFirst() ? 0 : 1 }}>
            $
          </span>
          <input
            className={ui['input']}
            inputMode="decimal"
            value={baseText}
            aria-invalid={!base.ok}
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        <span className={ui['quiet']}>{example === null ? texts.noBids : texts.baseHint}</span>
      </div>
      <p className={`${ui['quiet']} ${styles['matrix-hint']}`}>{texts.truncated}</p>
      {hasZero && <p className={`${ui['note-warning']} ${styles['matrix-hint']}`}>{texts.zero}</p>}
      <div className={styles['matrix-scroll']}>
        <table className={`${styles['matrix-table']} ${styles['multipliers']}`}>
          <caption className={ui['spoken-only']}>{texts.effective}</caption>
          <thead>
            <tr>
              <th scope="col">{texts.placements}</th>
              <th scope="col">%</th>
              {platforms.map((platform) => (
                <th key={platform} scope="col">
                  {platform}
                </th>
              ))}
            </tr>
            <tr>
              <th scope="row" colSpan={2}>
                {texts.platforms} %
              </th>
              {platforms.map((platform) => (
                <td key={platform}>{cell('platformMultiplier', platform)}</td>
              ))}
            </tr>
          </thead>
          <tbody>
            {places.map((placement) => (
              <tr key={placement}>
                <th scope="row">{placement === '' ? texts.noPlacement : placement}</th>
                <td>{placement === '' ? null : cell('placementMultiplier', placement)}</td>
                {platforms.map((platform) => (
                  <td key={platform} className={`${styles['matrix-money']} ${ui['numeric']}`}>
                    {bidText(placement, platform)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

const keywordMatrixTexts = {
  keyword: 'Keyword',
  find: 'Find keyword',
  add: 'New keyword',
  addButton: 'Add',
  distinct: (n: number, max: number) => `${countText(n)} of ${countText(max)} distinct keywords`,
  noGroup: 'This campaign has no ad group. Add one, then add keywords.',
  nearly: 'Nearly full',
  overlap: 'Show overlap',
  full: 'Full. Add more keywords in another campaign.',
  cell: (text: string, matchType: string) => `Bid of "${text}", ${matchType}`,
  hint: 'Enter a bid in an empty cell to add the keyword with that match type. A formula such as +10% changes the existing bid.',
  none: 'No keywords yet. Enter the first one above.',
  createLabel: (text: string) => `Add keyword ${text}`,
  editLabel: (text: string) => `Edit bid of ${text}`,
  more: (shown: number, all: number) =>
    `Showing ${countText(shown)} of ${countText(all)} keywords. Use Find to narrow them down.`,
  first: (read: number, all: number) =>
    `The matrix has the first ${countText(read)} of ${countText(all)} keywords. Use the table for the others.`,
} as const;

/** From this share of the limit on, a second campaign is offered; the rule for nearly full ad groups uses it too. */
export const NEARLY_FULL = 0.9;
/** The most lines rendered at once; a campaign within its limit fits. */
const LINES_MAX = 400;

/** The keywords of one campaign: a line per text, a bid per match type. */
function KeywordMatrix({ workspaceId, campaignId }: { readonly workspaceId: string; readonly campaignId: number }) {
  const app = useAppContext();
  const { actions, store, toasts } = app;
  const [busy, during] = useBusy();
  const distinctMax = useLimits().keywords.maxDistinctEnabled;
  const keywords = useRows(workspaceId, { kind: 'keyword', campaignId }, ALL_ROWS);
  const groups = useRows(workspaceId, { kind: 'adGroup', campaignId });
  const [find, setFind] = useState('');
  const [added, setAdded] = useState('');
  const waiting = waitingFor([keywords, groups]);
  if (waiting !== null || keywords.data === undefined) return <Waiting {...waiting} />;
  const group = groups.data?.rows[0];
  const { rows, total } = keywords.data;
  const lines = keywordLines(rows);
  // As on the service, paused keywords do not count.
  const used = lines.filter(({ byMatchType }) => Object.values(byMatchType).some(isOn)).length;
  const isNearlyFull = used >= distinctMax * NEARLY_FULL;
  const matchTypes = matchTypesOf(rows);
  const shown = lines.filter(({ key }) => key.includes(textKey(find)));

  const create = (text: string, matchType: string, bid: number | null): Promise<unknown> => {
    if (group === undefined) {
      toasts.fail(keywordMatrixTexts.noGroup);
      return NOTHING_WRITTEN;
    }
    const values = { text, matchType, bid, state: 'enabled' };
    const row = { kind: 'keyword' as const, parent: { id: group.id }, values };
    return actions.create(keywordMatrixTexts.createLabel(text), [row]);
  };
  const write = (line: KeywordLine, matchType: string, input: CellInput): Promise<unknown> => {
    const row = line.byMatchType[matchType];
    const before = row === undefined ? null : keywordCell(row, 'bid');
    const value = input.valueFor(before);
    if (value === undefined || typeof value === 'string' || value === before) return NOTHING_WRITTEN;
    if (row === undefined) return create(line.text, matchType, value);
    if (value === null && isNew(row)) return actions.remove([{ kind: 'keyword', id: row.id }]);
    const change = { kind: 'keyword' as const, id: row.id, field: 'bid', value };
    return actions.edit(keywordMatrixTexts.editLabel(line.text), [change]);
  };
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const text = added.trim();
    if (text === '') return;
    setAdded('');
    // The text stays if nothing was added, unless another one was typed by then.
    if ((await create(text, 'exact', null)) === null) setAdded((now) => (now === '' ? text : now));
  };
  return (
    <div className={styles['matrix']}>
      <div className={styles['matrix-tools']}>
        <form onSubmit={(event) => void add(event)} className={styles['matrix-add']}>
          <input
            className={ui['input']}
            aria-label={keywordMatrixTexts.add}
            placeholder={keywordMatrixTexts.add}
            value={added}
            onChange={(event) => setAdded(event.target.value)}
          />
          <Button type="submit">{keywordMatrixTexts.addButton}</Button>
        </form>
        <input
          className={ui['input']}
          aria-label={keywordMatrixTexts.find}
          placeholder={keywordMatrixTexts.find}
          value={find}
          onChange={(event) => setFind(event.target.value)}
        />
        <span className={ui['toolbar-gap']} />
        <Button onClick={() => store.getState().openPlace('overlap')}>{keywordMatrixTexts.overlap}</Button>
        {isNearlyFull && (
          <Button loading={busy} onClick={() => void during(spreadKeywords(app, [campaignId]))}>
            {spreadTexts.spread}
          </Button>
        )}
        <span className={styles['matrix-meter']}>
          <span className={used > distinctMax ? ui['note-error'] : ui['quiet']}>
            {keywordMatrixTexts.distinct(used, distinctMax)}
            {used >= distinctMax ? ` · ${keywordMatrixTexts.full}` : isNearlyFull && ` · ${keywordMatrixTexts.nearly}`}
          </span>
          <Progress
            value={(100 * used) / distinctMax}
            color={used > distinctMax ? 'red' : isNearlyFull ? 'var(--changed)' : 'blue'}
            aria-label={keywordMatrixTexts.distinct(used, distinctMax)}
          />
        </span>
      </div>
      <p className={`${ui['quiet']} ${styles['matrix-hint']}`}>{keywordMatrixTexts.hint}</p>
      {total > rows.length && (
        <p className={`${ui['note-warning']} ${styles['matrix-hint']}`}>
          {keywordMatrixTexts.first(rows.length, total)}
        </p>
      )}
      {lines.length === 0 ? (
        <p className={`${ui['quiet']} ${styles['matrix-hint']}`}>{keywordMatrixTexts.none}</p>
      ) : (
        <div className={styles['matrix-scroll']}>
          <table className={styles['matrix-table']}>
            <TableHead titles={[keywordMatrixTexts.keyword, ...matchTypes.map(choiceName)]} />
            <tbody>
              {shown.slice(0, LINES_MAX).map((line) => (
                <tr key={line.key}>
                  <th scope="row">{line.text}</th>
                  {matchTypes.map((matchType) => (
                    <td key={matchType} className={markOf(line.byMatchType[matchType])}>
                      <BidCell
                        kind="keyword"
                        field="bid"
                        label={keywordMatrixTexts.cell(line.text, choiceName(matchType))}
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
            <p className={`${ui['quiet']} ${styles['matrix-hint']}`}>
              {keywordMatrixTexts.more(LINES_MAX, shown.length)}
            </p>
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

/** The class for a paused or archived keyword, or for a cell without a keyword. */
function markOf(row: WindowRow | undefined): string | undefined {
  if (row === undefined) return styles['matrix-empty'];
  return isOn(row) ? undefined : styles['matrix-off'];
}

function isOn(row: WindowRow | undefined): boolean {
  const state = row === undefined ? 'none' : keywordCell(row, 'state');
  return state === 'enabled' || state === null;
}

const MATCH_TYPES: readonly string[] = ['exact', 'phrase', 'broad'];

/** One text with its keyword of each match type. Texts are compared as on the service. */
interface KeywordLine {
  readonly key: string;
  readonly text: string;
  readonly byMatchType: Readonly<Partial<Record<string, WindowRow>>>;
}

const keywordCell = (row: WindowRow, field: 'text' | 'matchType' | 'bid' | 'state') => cellOf('keyword', row, field);

const isArchived = (row: WindowRow): boolean => keywordCell(row, 'state') === 'archived';

/** The match types that have a column: those of the documentation, and others that rows have. */
export function matchTypesOf(rows: readonly WindowRow[]): readonly string[] {
  const found = rows.flatMap((row) => (isDeleted(row) ? [] : [String(keywordCell(row, 'matchType') ?? 'broad')]));
  return [...new Set([...MATCH_TYPES, ...found])];
}

/**
 * Keywords by text, in the order of their first rows. Of two keywords with the same text and match type, the first one
 * is shown; a rule reports the duplicate. An archived one is shown only if nothing replaced it.
 */
export function keywordLines(rows: readonly WindowRow[]): readonly KeywordLine[] {
  const lines = new Map<string, { readonly text: string; byMatchType: Partial<Record<string, WindowRow>> }>();
  for (const row of rows) {
    if (isDeleted(row)) continue;
    const text = String(keywordCell(row, 'text') ?? '');
    const key = textKey(text);
    const matchType = String(keywordCell(row, 'matchType') ?? 'broad');
    const line = lines.get(key) ?? { text, byMatchType: {} };
    const before = line.byMatchType[matchType];
    if (before === undefined || (isArchived(before) && !isArchived(row))) line.byMatchType[matchType] = row;
    lines.set(key, line);
  }
  return [...lines].map(([key, line]) => ({ key, ...line })).sort((a, b) => compareNames(a.key, b.key));
}

interface BidCellProps {
  /** Kind and field, which define how the text is parsed: a bid in cents or a multiplier in hundredths of a percent. */
  readonly kind: 'keyword' | 'placementMultiplier' | 'platformMultiplier';
  readonly field: 'bid' | 'multiplier';
  readonly label: string;
  readonly value: number | null;
  readonly changed: boolean;
  /** Answers null if nothing was written. */
  readonly onWrite: (input: CellInput) => Promise<unknown>;
}

const NOTHING_WRITTEN = Promise.resolve(null);

/** One amount of a matrix. Enter and arrow keys move within the column; Escape resets the text. */
function BidCell({ kind, field, label, value, changed, onWrite }: BidCellProps) {
  const stored = editText(kind, field, value);
  const [text, setText] = useEditedText(stored);
  const read = readInput(kind, field, text);
  const problem = read.ok ? sumProblem(read.value, value) : read.error;
  /** The cell shows the text until it is stored, and is left more than once meanwhile: what is typed is written once. */
  const isTyped = useRef(false);

  const type = (next: string): void => {
    isTyped.current = true;
    setText(next);
  };
  const write = async (): Promise<void> => {
    if (!isTyped.current || text === stored || !read.ok || problem !== null) return;
    isTyped.current = false;
    const written = await onWrite(read.value);
    if (written === null && !isTyped.current) setText(null);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Escape') setText(null);
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' || event.key === 'Enter' ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    void write();
    neighborInput(event.currentTarget, by)?.focus();
  };
  const sign = field === 'bid' && text !== '' && text === stored;
  return (
    <span className={styles['matrix-amount']}>
      {sign && (
        <span className={ui['quiet']} aria-hidden="true">
          $
        </span>
      )}
      <input
        className={changed ? `${styles['matrix-input']} ${styles['matrix-changed']}` : styles['matrix-input']}
        inputMode="decimal"
        aria-label={label}
        aria-invalid={problem !== null}
        title={problem ?? undefined}
        value={text}
        onChange={(event) => type(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={() => void write()}
        onKeyDown={onKeyDown}
      />
    </span>
  );
}

/** The input in the same column of the next or previous row. */
function neighborInput(input: HTMLInputElement, by: number): HTMLInputElement | null {
  const cell = input.closest('td');
  const row = cell?.closest('tr');
  const next = by > 0 ? row?.nextElementSibling : row?.previousElementSibling;
  return next?.children[cell?.cellIndex ?? 0]?.querySelector('input') ?? null;
}
