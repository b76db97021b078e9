import type { ReactNode } from 'react';

export interface ScrollBoxProps {
  readonly className: string | undefined;
  /** The name of the box for screen readers. */
  readonly label: string;
  readonly children: ReactNode;
}

/** A scrolling box. It can have the focus, because without it the keyboard can't scroll it. */
export function ScrollBox({ className, label, children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
    <div className={className} tabIndex={0} role="group" aria-label={label}>
      {children}
    </div>
  );
}
