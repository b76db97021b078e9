import type { ReactNode } from 'react';
import styles from './components.module.css';

type Shape = 'draft' | 'processing' | 'review' | 'rejected' | 'scheduled' | 'live' | 'paused' | 'ended';

/** The shape of each state, by the values of the service and of this program. */
const SHAPES: Readonly<Record<string, Shape>> = {
  draft: 'draft',
  local: 'draft',
  cancelled: 'draft',
  processing: 'processing',
  uploading: 'processing',
  proposal: 'review',
  pending: 'review',
  'in-progress': 'review',
  'in-review': 'review',
  rejected: 'rejected',
  failed: 'rejected',
  scheduled: 'scheduled',
  rescheduled: 'scheduled',
  live: 'live',
  enabled: 'live',
  approved: 'live',
  available: 'live',
  paused: 'paused',
  disabled: 'paused',
  archived: 'paused',
  ended: 'ended',
  completed: 'ended',
  deleted: 'ended',
};

/** An unknown state may still change, so it looks like a review. */
export const shapeOf = (state: string): Shape => SHAPES[state] ?? (state === '' ? 'draft' : 'review');

/** 12 by 12; `currentColor` is the color of the state, strokes in the background color cut out symbols. */
const DRAWN: Readonly<Record<Shape, ReactNode>> = {
  draft: <circle cx="6" cy="6" r="4.9" className={styles['shape-line']} strokeDasharray="2.2 1.65" />,
  processing: (
    <>
      <circle cx="6" cy="6" r="4.9" className={styles['shape-line']} opacity="0.35" />
      <path d="M6 1.1A4.9 4.9 0 0 1 10.9 6" className={styles['shape-line']} strokeWidth="2" />
      <circle cx="6" cy="6" r="1.6" fill="currentColor" />
    </>
  ),
  review: (
    <>
      <circle cx="6" cy="6" r="4.9" className={styles['shape-line']} />
      <path d="M6 1.1a4.9 4.9 0 0 1 0 9.8z" fill="currentColor" />
    </>
  ),
  rejected: (
    <>
      <path d="M3.8.7h4.4l3.1 3.1v4.4l-3.1 3.1H3.8L.7 8.2V3.8z" fill="currentColor" />
      <path d="M4.2 4.2l3.6 3.6M7.8 4.2L4.2 7.8" className={styles['shape-cut']} />
    </>
  ),
  scheduled: (
    <>
      <circle cx="6" cy="6" r="4.9" className={styles['shape-line']} />
      <path d="M6 3.2V6l1.9 1.3" className={styles['shape-line']} />
    </>
  ),
  live: (
    <>
      <circle cx="6" cy="6" r="5.5" fill="currentColor" />
      <path d="M3.6 6.2l1.7 1.7 3.1-3.5" className={styles['shape-cut']} />
    </>
  ),
  paused: (
    <>
      <rect x="2" y="1.5" width="3" height="9" rx="1" fill="currentColor" />
      <rect x="7" y="1.5" width="3" height="9" rx="1" fill="currentColor" />
    </>
  ),
  ended: <rect x="1.6" y="1.6" width="8.8" height="8.8" rx="1.2" className={styles['shape-line']} />,
};

/**
 * A state as shape, text and color, each of which is enough to recognize it. The only component that draws states.
 *
 * @param state the state of a campaign, a review, a media file or a switch
 * @param text shown beside the shape; empty shows the shape alone, for places that show the text themselves
 */
export function StatusShape({ state, text }: { readonly state: string; readonly text: string }) {
  const shape = shapeOf(state);
  return (
    <span className={styles['state']}>
      <svg className={`${styles['shape']} ${styles[`shape-${shape}`]}`} viewBox="0 0 12 12" aria-hidden="true">
        {DRAWN[shape]}
      </svg>
      {text !== '' && <span className={styles['state-text']}>{text}</span>}
    </span>
  );
}

/** A colored dot, for example for a connection. It is not used for states of a campaign. */
export function Dot({ tone, text }: { readonly tone: 'good' | 'off' | 'bad'; readonly text: string }) {
  return (
    <span className={styles['state']}>
      <span className={`${styles['dot']} ${styles[`dot-${tone}`]}`} aria-hidden="true" />
      <span className={styles['state-text']}>{text}</span>
    </span>
  );
}
