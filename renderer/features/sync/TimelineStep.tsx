import type { ReactNode } from 'react';
import ui from '../../components/ui.module.css';
import styles from './sync.module.css';

interface TimelineStepProps {
  readonly sign: ReactNode;
  readonly name: ReactNode;
  /** The time of the step; empty if unknown. */
  readonly when: string;
  /** Details below the name. */
  readonly children: ReactNode;
}

/** One step after a sync: in the plan as a forecast, in the results as what happens next. */
export const TimelineStep = ({ sign, name, when, children }: TimelineStepProps) => (
  <li className={styles['step']}>
    <span className={styles['step-sign']}>{sign}</span>
    <span className={styles['step-name']}>{name}</span>
    <span className={`${ui['quiet']} ${styles['small']} ${styles['step-when']}`}>{when}</span>
    {children !== '' && <span className={`${ui['quiet']} ${styles['small']} ${styles['step-text']}`}>{children}</span>}
  </li>
);
