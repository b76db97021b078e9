import type { WindowRow } from '../../shared/api/workspace.ts';
import { isChanged, isDeleted, isHeld, isNew } from '../../shared/model/row.ts';
import { appTexts } from '../app/texts.ts';
import { CommentSign } from '../components/CommentSign.tsx';
import ui from '../components/ui.module.css';
import styles from './grid.module.css';

interface Mark {
  readonly sign: string;
  readonly text: string;
  readonly tone: 'changed' | 'error' | 'warning' | 'quiet' | 'good';
}

/** The state of a row by shape, colour and words: + new, Δ changed, − deleted, ! error and what the service left open. */
export function marksOf(row: WindowRow): readonly Mark[] {
  const { mark } = appTexts.grid;
  const marks: Mark[] = [];
  if (isDeleted(row)) marks.push({ sign: '−', text: mark.deleted, tone: 'error' });
  else if (isNew(row)) marks.push({ sign: '+', text: mark.new, tone: 'good' });
  else if (isChanged(row)) marks.push({ sign: 'Δ', text: mark.changed, tone: 'changed' });
  if (isHeld(row)) marks.push({ sign: '‖', text: mark.held, tone: 'quiet' });
  if (row.severity === 'error') marks.push({ sign: '!', text: mark.error, tone: 'error' });
  if (row.severity === 'warning') marks.push({ sign: '▲', text: mark.warning, tone: 'warning' });
  if (row.outbox !== null) marks.push(outboxMark(row.outbox));
  return marks;
}

function outboxMark(state: NonNullable<WindowRow['outbox']>): Mark {
  const text = appTexts.grid.mark[state];
  if (state === 'sent') return { sign: '↑', text, tone: 'quiet' };
  return { sign: state === 'refused' ? '✕' : '?', text, tone: 'error' };
}

export function RowMark({ row, number }: { readonly row: WindowRow | undefined; readonly number: number }) {
  const marks = row === undefined ? [] : marksOf(row);
  const words = marks.map((mark) => mark.text).join('. ');
  const comments = Object.values(row?.comments ?? {}).reduce((sum, open) => sum + open, 0);
  const hint =
    comments === 0 ? words : [words, appTexts.annotations.open(comments)].filter((part) => part !== '').join('. ');
  return (
    <span className={styles['grid-gutter-content']} title={hint === '' ? undefined : hint}>
      <span className={styles['grid-number']}>{number}</span>
      {marks.map((mark) => (
        <span key={mark.sign} className={`${ui['grid-mark']} ${ui[`grid-mark-${mark.tone}`]}`} aria-hidden="true">
          {mark.sign}
        </span>
      ))}
      {words !== '' && <span className={ui['spoken-only']}>{words}</span>}
      {comments > 0 && <CommentSign open={comments} />}
    </span>
  );
}
