import styles from './components.module.css';
export type Tone = 'good' | 'waiting' | 'off' | 'bad' | 'done';

const TONES: Readonly<Record<string, Tone>> = {
  enabled: 'good',
  live: 'good',
  approved: 'good',
  available: 'good',
  scheduled: 'waiting',
  rescheduled: 'waiting',
  proposal: 'waiting',
  pending: 'waiting',
  'in-progress': 'waiting',
  'in-review': 'waiting',
  processing: 'waiting',
  uploading: 'waiting',
  paused: 'off',
  draft: 'off',
  disabled: 'off',
  local: 'off',
  cancelled: 'off',
  archived: 'off',
  rejected: 'bad',
  failed: 'bad',
  deleted: 'bad',
  completed: 'done',
  ended: 'done',
};

/** How a state of the service is drawn: filled, half, hollow, crossed. What nobody knows may still change. */
export const toneOf = (state: string): Tone => TONES[state] ?? (state === '' ? 'off' : 'waiting');

/** A state as shape, colour and word, so that none of them has to be told apart by colour alone. */
export function StatusDot({ tone, text }: { readonly tone: Tone; readonly text: string }) {
  return (
    <span className={styles['state']}>
      <span className={`${styles['state-dot']} ${styles[`state-${tone}`]}`} aria-hidden="true" />
      <span className={styles['state-text']}>{text}</span>
    </span>
  );
}
