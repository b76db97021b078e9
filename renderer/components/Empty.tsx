import type { ReactNode } from 'react';
import ui from './ui.module.css';

export interface EmptyProps {
  readonly title: string;
  readonly text: string;
  /** True when this is all the page shows, so that the page still has its heading. */
  readonly heading?: boolean;
  readonly children?: ReactNode;
}

/** What a panel says when it has nothing to show: what would be here, and the next step. */
export function Empty({ title, text, heading = false, children }: EmptyProps) {
  return (
    <div className={ui['empty']}>
      {heading ? <h1>{title}</h1> : <strong>{title}</strong>}
      <p>{text}</p>
      {children}
    </div>
  );
}
