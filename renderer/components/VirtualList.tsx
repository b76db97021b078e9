import { type ReactNode, useEffect, useRef } from 'react';
import styles from './components.module.css';
import { useViewport } from './use-viewport.ts';

/** All rows of a list have this height, so that their position can be computed, in CSS pixels. */
const LINE_PX = 28;
const OVERSCAN = 8;
/** Chromium has rendering faults in taller elements; further rows are counted, not rendered. */
const LINES_MAX = 280_000;

export interface LongListProps {
  readonly count: number;
  readonly label: string;
  /** Renders one row of exactly the row height; it may not be loaded yet. */
  readonly line: (index: number) => ReactNode;
  readonly onWant: (from: number, to: number) => void;
  /** Row height in CSS pixels, if it differs from the default. */
  readonly height?: number;
  /** A change scrolls the list to its top. */
  readonly resetOn: string;
}

/** A list of any length that renders only the rows in view. It scrolls within the nearest box that has a height. */
export function VirtualList({ count, label, line, onWant, resetOn, height = LINE_PX }: LongListProps) {
  const box = useRef<HTMLDivElement>(null);
  const view = useViewport(box, { height: 400, width: 400 });
  const shown = Math.min(count, Math.floor((LINES_MAX * LINE_PX) / height));
  const from = Math.max(0, Math.min(Math.floor(view.top / height) - OVERSCAN, shown - 1));
  const to = Math.min(shown, Math.ceil((view.top + view.height) / height) + OVERSCAN);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller decides when the list scrolls to its top.
  useEffect(() => {
    if (box.current !== null) box.current.scrollTop = 0;
  }, [resetOn]);
  useEffect(() => {
    onWant(from, to);
  });

  const lines = [];
  for (let index = from; index < to; index += 1) {
    lines.push(
      <li
        key={index}
        className={styles['long-line']}
        aria-setsize={count}
        aria-posinset={index + 1}
        style={{ height, transform: `translateY(${index * height}px)` }}
      >
        {line(index)}
      </li>,
    );
  }
  return (
    <div ref={box} className={styles['long-list']} data-scrolls="">
      <ul aria-label={label} className={styles['long-canvas']} style={{ height: shown * height }}>
        {lines}
      </ul>
    </div>
  );
}
