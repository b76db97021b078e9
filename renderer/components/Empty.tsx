import type { ReactNode } from 'react';
import ui from './ui.module.css';

export interface EmptyProps {
  readonly title: string;
  readonly text: string;
  /** True when the page shows nothing else: the title is then the heading of the page. */
  readonly heading?: boolean;
  readonly children?: ReactNode;
}

/** An empty state: what the panel will contain, and the next step. */
export function Empty({ title, text, heading = false, children }: EmptyProps) {
  return (
    <div className={ui['empty']}>
      {heading ? <h1>{title}</h1> : <strong>{title}</strong>}
      <p>{text}</p>
      {children}
    </div>
  );
}
