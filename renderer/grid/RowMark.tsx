import type { ReactNode } from 'react';
import type { WindowRow } from '../../shared/api/workspace.ts';
import { isChanged, isDeleted, isHeld, isNew } from '../../shared/model/row.ts';
import { countText, shortMoneyText } from '../app/locale/numbers.ts';
import { appTexts } from '../app/texts.ts';
import ui from '../components/ui.module.css';
import styles from './grid.module.css';

interface Mark {
  readonly sign: string;
  readonly text: string;
  readonly tone: 'changed' | 'error' | 'warning' | 'advice' | 'quiet' | 'good';
}

/** State marks of a row, each as symbol, color and text: + new, Δ changed, − deleted, ! error, and so on. */
export function marksOf(row: WindowRow): readonly Mark[] {
  const { mark } = appTexts.grid;
  const marks: Mark[] = [];
  if (isDeleted(row)) marks.push({ sign: '−', text: mark.deleted, tone: 'error' });
  else if (isNew(row)) marks.push({ sign: '+', text: mark.new, tone: 'good' });
  else if (isChanged(row)) marks.push({ sign: 'Δ', text: mark.changed, tone: 'changed' });
  if (isHeld(row)) marks.push({ sign: '‖', text: mark.held, tone: 'quiet' });
  if (row.severity === 'error') marks.push({ sign: '!', text: mark.error, tone: 'error' });
  if (row.severity === 'warning') marks.push({ sign: '▲', text: mark.warning, tone: 'warning' });
  if (row.severity === 'advice') marks.push({ sign: '●', text: mark.advice, tone: 'advice' });
  if (row.outbox !== null) marks.push(outboxMark(row.outbox));
  return marks;
}

function outboxMark(state: NonNullable<WindowRow['outbox']>): Mark {
  const text = appTexts.grid.mark[state];
  if (state === 'sent') return { sign: '↑', text, tone: 'quiet' };
  if (state === 'conflict') return { sign: '?', text, tone: 'changed' };
  return { sign: state === 'refused' ? '✕' : '?', text, tone: 'error' };
}

/** Badges at the edge of a row, most urgent first. A warning only marks its cell; a suggestion has only a badge. */
const BADGES = ['error', 'changed', 'good', 'quiet', 'advice'] as const;

/** The row header: its number, a bar with the badge's color and name, and a symbol for open comments. */
export function RowMark({ row, number }: { readonly row: WindowRow | undefined; readonly number: number }) {
  const marks = row === undefined ? [] : marksOf(row);
  const words = marks.map((mark) => mark.text).join('. ');
  const comments = Object.values(row?.comments ?? {}).reduce((sum, open) => sum + open, 0);
  const hint =
    comments === 0 ? words : [words, appTexts.annotations.open(comments)].filter((part) => part !== '').join('. ');
  const badge = BADGES.find((tone) => marks.some((mark) => mark.tone === tone));
  return (
    <span className={styles['grid-gutter-content']} title={hint === '' ? undefined : hint}>
      {badge !== undefined && <span className={`${styles['grid-badge']} ${styles[`grid-badge-${badge}`]}`} />}
      {comments > 0 && <CommentSign open={comments} />}
      <span className={styles['grid-number']}>{countText(number)}</span>
      {words !== '' && <span className={ui['spoken-only']}>{words}</span>}
    </span>
  );
}

interface AmountProps {
  readonly text: string;
  readonly cents: number | null;
  /** The text as it is drawn, if it is marked. */
  readonly children?: ReactNode;
}

/** Every column has room for an amount of this many characters: $999.99. */
const AMOUNT_FITS = 7;

/** An amount that does not fit every column, for a tooltip; else empty. */
export const longAmount = (text: string, cents: number | null): string =>
  cents === null || text.length <= AMOUNT_FITS ? '' : text;

/** An amount, short ($1.429K) in a column that is too narrow for it: cut off, it would look like another amount. */
export function Amount({ text, cents, children = text }: AmountProps) {
  if (cents === null || longAmount(text, cents) === '') return children;
  // Commas and points are half as wide as digits.
  const digits = text.length - (text.match(/[.,]/gu)?.length ?? 0) / 2;
  const style: Record<string, string> = { '--digits': `${digits}` };
  return (
    <span className={styles['grid-amount']} data-short={shortMoneyText(cents)} style={style}>
      <span>{children}</span>
    </span>
  );
}

/** A speech bubble for open comments, with a text for screen readers. */
export function CommentSign({ open }: { readonly open: number }) {
  return (
    <span className={ui['comment-sign']}>
      <span className={ui['spoken-only']}>{appTexts.annotations.open(open)}</span>
    </span>
  );
}
