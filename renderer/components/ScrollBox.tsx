import type { ReactNode } from 'react';

export interface ScrollBoxProps {
  readonly className: string | undefined;
  /** What the box holds, in words that are read out. */
  readonly label: string;
  readonly children: ReactNode;
}

/** A box with more in it than it shows. It is a stop of the Tab key: what no key can reach, no key can scroll. */
export function ScrollBox({ className, label, children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
    <div className={className} tabIndex={0} role="group" aria-label={label}>
      {children}
    </div>
  );
}
