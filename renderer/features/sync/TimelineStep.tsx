import type { ReactNode } from 'react';
import ui from '../../components/ui.module.css';
import styles from './sync.module.css';

interface TimelineStepProps {
  readonly sign: ReactNode;
  readonly name: ReactNode;
  /** When it happens; empty where nobody knows. */
  readonly when: string;
  /** Below the name: what or whom it is about. */
  readonly children: ReactNode;
}

/** One step of what follows a sync: before it in the plan, after it in the results. */
export const TimelineStep = ({ sign, name, when, children }: TimelineStepProps) => (
  <li className={styles['step']}>
    <span className={styles['step-sign']}>{sign}</span>
    <span className={styles['step-name']}>{name}</span>
    <span className={`${ui['quiet']} ${styles['small']} ${styles['step-when']}`}>{when}</span>
    {children !== '' && <span className={`${ui['quiet']} ${styles['small']} ${styles['step-text']}`}>{children}</span>}
  </li>
);
