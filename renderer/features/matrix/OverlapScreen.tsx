import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { KeywordOverlap } from '../../../shared/api/views.ts';
import { asRowId, type RowId } from '../../../shared/model/scalars.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { choiceName } from '../../app/field-names.ts';
import { countText, moneyText, plural } from '../../app/locale/numbers.ts';
import { Problem, Waiting } from '../../app/Problem.tsx';
import { appTexts } from '../../app/texts.ts';
import { Empty } from '../../components/Empty.tsx';
import ui from '../../components/ui.module.css';
import { useViewport } from '../../components/use-viewport.ts';
import { VirtualList } from '../../components/VirtualList.tsx';
import { NEARLY_FULL } from './MatrixScreen.tsx';
import styles from './matrix.module.css';

const texts = {
  title: 'Keyword overlap',
  campaign: 'Campaign',
  none: 'No shared keywords',
  noneText: 'No two campaigns have the same enabled keyword with the same match type.',
  summary: (keywords: number, campaigns: number) =>
    `${plural(campaigns, 'campaign')} share ${plural(keywords, 'keyword')}`,
  shown: (n: number, left: number) =>
    `Only the ${countText(n)} that share most are in the matrix. ${countText(left)} ${left === 1 ? 'is' : 'are'} not.`,
  hint: 'Each cell counts the keywords that two campaigns share with the same match type. They bid against each other. The diagonal counts the keywords of each campaign.',
  cell: (one: string, other: string, n: number) => `${one} and ${other}: ${plural(n, 'shared keyword')}`,
  full: (name: string, distinct: number, max: number) =>
    `${name}: ${countText(distinct)} of ${countText(max)} distinct keywords`,
  nearly: ', nearly full',
  shared: 'Shared keywords',
  pick: 'Select a cell to list its keywords.',
  go: (text: string) => `Go to "${text}"`,
  more: (n: number) => `${countText(n)} more ${n === 1 ? 'is' : 'are'} not listed.`,
  noBid: 'no bid',
} as const;

const CELL_PX = 44;
const LINE_PX = 28;
const NAME_PX = 240;
const OVERSCAN = 4;

type Cell = readonly [row: number, column: number];
/** Two campaigns, whose places in the matrix change with the keywords they share. */
type Pair = readonly [one: RowId, other: RowId];

/** Campaigns by campaigns, with the number of keywords that both bid on. */
export function OverlapScreen({ workspaceId }: { readonly workspaceId: string }) {
  const { data, error } = useQuery(useApi().views.keywordOverlap.queryOptions({ input: { workspaceId } }));
  const [open, setOpen] = useState<Pair | null>(null);
  if (data === undefined) return error === null ? <Waiting /> : <Problem of={error} />;
  if (data.shown.length === 0) return <Empty heading title={texts.none} text={texts.noneText} />;
  const { shown, campaigns } = data;
  return (
    <div className={styles['overlap']}>
      <div className={styles['overlap-main']}>
        <div className={styles['matrix-tools']}>
          <strong>{texts.summary(data.keywords, campaigns)}</strong>
          {campaigns > shown.length && (
            <span className={ui['quiet']}>{texts.shown(shown.length, campaigns - shown.length)}</span>
          )}
        </div>
        <p className={`${ui['quiet']} ${styles['matrix-hint']}`}>{texts.hint}</p>
        <Cells overlap={data} open={open} onOpen={setOpen} />
      </div>
      <aside className={styles['overlap-side']} aria-label={texts.shared}>
        <SharedKeywords workspaceId={workspaceId} overlap={data} open={open} />
      </aside>
    </div>
  );
}

interface CellsProps {
  readonly overlap: KeywordOverlap;
  readonly open: Pair | null;
  readonly onOpen: (pair: Pair) => void;
}

/** Only the cells in view are rendered. One of them has the focus, which arrow keys move. */
function Cells({ overlap: { shown, pairs, distinctMax }, open, onOpen }: CellsProps) {
  const box = useRef<HTMLDivElement>(null);
  const view = useViewport(box, { height: 400, width: 800 });
  const [active, setActive] = useState<Cell>([0, Math.min(1, shown.length - 1)]);
  const focused = useRef(false);
  const size = shown.length;
  // Every scroll draws the cells again, of which there are up to the square of the campaigns.
  const { counts, most } = useMemo(() => countsOf(pairs, size), [pairs, size]);
  const left = box.current?.scrollLeft ?? 0;
  const rows = windowOf(view.top - LINE_PX, view.height, LINE_PX, size);
  const columns = windowOf(left, view.width - NAME_PX, CELL_PX, size);
  useEffect(() => {
    const cell = box.current?.querySelector<HTMLElement>(`[data-cell="${active.join(' ')}"]`);
    if (focused.current) cell?.focus({ preventScroll: true });
  }, [active]);
  const move = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const [row = 0, column = 0] = [active[0] + step[0], active[1] + step[1]].map((at) =>
      Math.max(0, Math.min(size - 1, at)),
    );
    focused.current = true;
    show(box.current, row, column);
    setActive([row, column]);
  };
  const cellAt = (row: number, column: number) => {
    const [one, other] = [shown[row], shown[column]];
    if (one === undefined || other === undefined) return null;
    const isFull = one.distinct >= distinctMax * NEARLY_FULL;
    const count = counts[row * size + column] ?? 0;
    const name =
      row === column
        ? `${texts.full(one.name, one.distinct, distinctMax)}${isFull ? texts.nearly : ''}`
        : texts.cell(one.name, other.name, count);
    const isActive = active[0] === row && active[1] === column;
    const place: CSSProperties & Record<'--heat', string> = {
      transform: `translateX(${NAME_PX + column * CELL_PX}px)`,
      '--heat': `${Math.round((60 * count) / most)}%`,
    };
    return (
      <button
        key={column}
        type="button"
        role="gridcell"
        aria-colindex={column + 2}
        aria-label={name}
        aria-selected={open !== null && open[0] === one.id && open[1] === other.id}
        title={name}
        tabIndex={isActive ? 0 : -1}
        data-cell={`${row} ${column}`}
        className={
          row === column
            ? `${styles['overlap-cell']} ${styles['overlap-own']} ${isFull ? styles['overlap-full'] : ''}`
            : styles['overlap-cell']
        }
        style={place}
        onFocus={() => {
          focused.current = true;
          if (!isActive) setActive([row, column]);
        }}
        onClick={() => row !== column && count > 0 && onOpen([one.id, other.id])}
      >
        {row === column ? countText(one.distinct) : count === 0 ? '' : countText(count)}
      </button>
    );
  };
  return (
    <div ref={box} className={styles['overlap-box']} data-scrolls="">
      <div
        role="grid"
        tabIndex={-1}
        aria-label={texts.title}
        aria-rowcount={size + 1}
        aria-colcount={size + 1}
        className={styles['overlap-canvas']}
        style={{ width: NAME_PX + size * CELL_PX, height: LINE_PX + size * LINE_PX }}
        onKeyDown={move}
      >
        <div role="row" tabIndex={-1} aria-rowindex={1} className={styles['overlap-head']}>
          <span role="columnheader" tabIndex={-1} aria-colindex={1} className={styles['overlap-corner']}>
            {texts.campaign}
          </span>
          {columns.map((column) => (
            <span
              key={column}
              role="columnheader"
              tabIndex={-1}
              aria-colindex={column + 2}
              aria-label={shown[column]?.name}
              title={shown[column]?.name}
              className={styles['overlap-number']}
              style={{ transform: `translateX(${NAME_PX + column * CELL_PX}px)` }}
            >
              {countText(column + 1)}
            </span>
          ))}
        </div>
        {rows.map((row) => (
          <div
            key={row}
            role="row"
            tabIndex={-1}
            aria-rowindex={row + 2}
            className={styles['overlap-row']}
            style={{ top: LINE_PX + row * LINE_PX }}
          >
            {columns.map((column) => cellAt(row, column))}
            <span
              role="rowheader"
              tabIndex={-1}
              aria-colindex={1}
              title={shown[row]?.name}
              className={styles['overlap-name']}
            >
              <span className={ui['quiet']}>{countText(row + 1)}</span> {shown[row]?.name}
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}

const STEPS: Readonly<Record<string, Cell>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-10, 0],
  PageDown: [10, 0],
};

function windowOf(start: number, length: number, unit: number, count: number): readonly number[] {
  const from = Math.max(0, Math.floor(start / unit) - OVERSCAN);
  const to = Math.min(count, Math.ceil((start + length) / unit) + OVERSCAN);
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
}

/** Scrolls just enough to show a cell next to the names and below the header, which do not scroll. */
function show(box: HTMLElement | null, row: number, column: number): void {
  if (box === null) return;
  const [x, y] = [column * CELL_PX, row * LINE_PX];
  const [width, height] = [box.clientWidth - NAME_PX, box.clientHeight - LINE_PX];
  box.scrollTo(
    Math.min(x, Math.max(box.scrollLeft, x + CELL_PX - width)),
    Math.min(y, Math.max(box.scrollTop, y + LINE_PX - height)),
  );
}

/** The shared keywords of each cell, and the most of any cell. */
function countsOf(pairs: readonly number[], size: number) {
  const counts = new Uint32Array(size * size);
  let most = 1;
  for (let at = 0; at + 2 < pairs.length; at += 3) {
    const [low = 0, high = 0, count = 0] = pairs.slice(at, at + 3);
    counts[low * size + high] = count;
    counts[high * size + low] = count;
    most = Math.max(most, count);
  }
  return { counts, most };
}

/** A placeholder: the query does not run without two campaigns. */
const NONE = asRowId(0);

interface SharedKeywordsProps {
  readonly workspaceId: string;
  readonly overlap: KeywordOverlap;
  readonly open: Pair | null;
}

/** The keywords of a cell, with the bid of each campaign. A click opens the row. */
function SharedKeywords({ workspaceId, overlap, open }: SharedKeywordsProps) {
  const { store } = useAppContext();
  const [one, other] = (open ?? []).map((of) => overlap.shown.find(({ id }) => id === of));
  const { data, error } = useQuery({
    ...useApi().views.sharedKeywords.queryOptions({
      input: { workspaceId, campaignIds: [one?.id ?? NONE, other?.id ?? NONE] },
    }),
    enabled: one !== undefined && other !== undefined,
  });
  if (one === undefined || other === undefined) return <p className={ui['quiet']}>{texts.pick}</p>;
  if (data === undefined)
    return error === null ? <p className={ui['quiet']}>{appTexts.grid.loading}</p> : <Problem of={error} />;
  const { keywords, more } = data;
  return (
    <>
      <h2>{texts.cell(one.name, other.name, keywords.length + more)}</h2>
      <VirtualList
        count={keywords.length}
        label={texts.shared}
        height={52}
        resetOn={`${one.id} ${other.id}`}
        onWant={() => undefined}
        line={(index) => {
          const keyword = keywords[index];
          if (keyword === undefined) return null;
          return (
            <div className={styles['overlap-keyword']}>
              <span className={styles['overlap-text']}>
                {keyword.text} <span className={ui['quiet']}>{choiceName(keyword.matchType)}</span>
              </span>
              <span className={styles['overlap-bids']}>
                {[one, other].map(({ id, name }, at) => {
                  const row = keyword.rows[at];
                  if (row === undefined) return null;
                  return (
                    <button
                      key={id}
                      type="button"
                      className={ui['link']}
                      title={texts.go(keyword.text)}
                      onClick={() => store.getState().reveal('keyword', id, row.id, 'text')}
                    >
                      {name} {row.bid === null ? texts.noBid : moneyText(row.bid)}
                      <span className={ui['spoken-only']}>{texts.go(keyword.text)}</span>
                    </button>
                  );
                })}
              </span>
            </div>
          );
        }}
      />
      {more > 0 && <p className={ui['quiet']}>{texts.more(more)}</p>}
    </>
  );
}
