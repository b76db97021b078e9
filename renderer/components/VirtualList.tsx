import { type ReactNode, useEffect, useRef } from 'react';
import styles from './components.module.css';
import { useViewport } from './use-viewport.ts';

/** Lines are all of one height, so that their place can be computed, in CSS pixels. */
const LINE_PX = 28;
const OVERSCAN = 8;
/** Chromium paints badly on taller elements; lines beyond are counted, not drawn. */
const LINES_MAX = 280_000;

export interface LongListProps {
  readonly count: number;
  readonly label: string;
  /** Draws one line of exactly the line height; undefined entries are those that have not arrived. */
  readonly line: (index: number) => ReactNode;
  readonly onWant: (from: number, to: number) => void;
  /** Height of a line in CSS pixels, where it is another than usual. */
  readonly height?: number;
  /** Changing it starts the list at its top again. */
  readonly resetOn: string;
}

/** A list of any length of which only the lines in view are drawn. It scrolls within the nearest box that has a height. */
export function VirtualList({ count, label, line, onWant, resetOn, height = LINE_PX }: LongListProps) {
  const box = useRef<HTMLDivElement>(null);
  const view = useViewport(box, { height: 400, width: 400 });
  const shown = Math.min(count, Math.floor((LINES_MAX * LINE_PX) / height));
  const from = Math.max(0, Math.min(Math.floor(view.top / height) - OVERSCAN, shown - 1));
  const to = Math.min(shown, Math.ceil((view.top + view.height) / height) + OVERSCAN);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the list starts again when the caller says so.
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
