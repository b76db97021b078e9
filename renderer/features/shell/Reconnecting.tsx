import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Connection } from '../../app/transport/connection.ts';
import { Dot } from '../../components/StatusShape.tsx';
import ui from '../../components/ui.module.css';
import styles from './shell.module.css';

const texts = {
  lost: 'Reconnecting…',
  nextStep: 'Adslate is not responding. If you closed it, start it again. Your edits are saved.',
} as const;

/** After this time without a connection, in milliseconds, the next step is shown: a restarted Adslate is back sooner. */
export const NEXT_STEP_MS = 5000;

/** The connection to main: `long` after `NEXT_STEP_MS` without it. */
export function useOutage({ onState, state }: Pick<Connection, 'onState' | 'state'>): 'none' | 'short' | 'long' {
  const isOpen = useSyncExternalStore(onState, state) === 'open';
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (isOpen) return undefined;
    const timer = setTimeout(() => setLong(true), NEXT_STEP_MS);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [isOpen]);
  return isOpen ? 'none' : isLong ? 'long' : 'short';
}

/** Says that the connection is lost, and after a while what to do. */
export const Reconnecting = ({ outage }: { readonly outage: 'short' | 'long' }) => (
  <span
    className={`${styles['status-item']} ${styles['status-lost']} ${ui['note-error']}`}
    role="alert"
    title={texts.nextStep}
  >
    <Dot tone="bad" text={texts.lost} />
    {outage === 'long' && <span className={styles['status-step']}>{texts.nextStep}</span>}
  </span>
);
