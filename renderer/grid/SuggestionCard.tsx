import { useEffect, useRef } from 'react';
import type { BidSuggestion } from '../../shared/api/reports.ts';
import { figureText, moneyText } from '../app/locale/numbers.ts';
import styles from './grid.module.css';
import { gridTexts } from './text.ts';

interface SuggestionCardProps {
  readonly suggestion: BidSuggestion;
  /** The cell it is about, in the window. */
  readonly cell: DOMRect;
  readonly period: string;
  readonly target: number;
  /** Opened by key: it takes the focus and gives it back. */
  readonly isFocused: boolean;
  /** Rows whose suggestions can be used at once; below 2 that is not offered. */
  readonly rows: number;
  readonly onUse: () => void;
  readonly onApply: () => void;
  readonly onEnter: () => void;
  readonly onClose: () => void;
}

const WIDTH = 292;
const HEIGHT = 176;

/** How a suggested bid came about, line by line, below its cell and never over it. */
export function SuggestionCard(props: SuggestionCardProps) {
  const { suggestion, cell, target, isFocused, rows, onClose } = props;
  const { suggested, bid, roas, wanted, limit, source, percent } = suggestion;
  const texts = gridTexts.suggestion;
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isFocused) card.current?.querySelector('button')?.focus();
  }, [isFocused]);
  const left = Math.max(8, Math.min(cell.left, window.innerWidth - WIDTH - 8));
  const isAbove = cell.bottom + HEIGHT > window.innerHeight;
  const lines: readonly (readonly [string, string])[] =
    source === 'item-search'
      ? [
          [texts.onService, moneyText(bid)],
          [texts.itemSearch, moneyText(suggested)],
        ]
      : [
          [texts.onService, moneyText(bid)],
          [texts.roas(props.period), figureText('ratio', roas ?? 0)],
          [texts.target, figureText('ratio', target)],
        ];
  const result =
    limit === 'step'
      ? texts.limited.step(moneyText(wanted), texts.percent(percent))
      : limit === 'service'
        ? texts.limited.service(moneyText(wanted))
        : texts.result;
  return (
    <div
      ref={card}
      role="dialog"
      aria-label={texts.title(moneyText(suggested))}
      className={styles['suggestion']}
      style={isAbove ? { left, bottom: window.innerHeight - cell.top + 4 } : { left, top: cell.bottom + 4 }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
      onPointerEnter={props.onEnter}
      onPointerLeave={isFocused ? undefined : onClose}
    >
      <header>
        <b>{texts.title(moneyText(suggested))}</b>
        <span>{texts.percent(percent)}</span>
      </header>
      <dl>
        {lines.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div className={styles['suggestion-result']}>
          <dt>{result}</dt>
          <dd>{moneyText(suggested)}</dd>
        </div>
      </dl>
      <footer>
        <button type="button" onClick={props.onUse}>
          {texts.use(moneyText(suggested))}
        </button>
        {rows > 1 && (
          <button type="button" onClick={props.onApply}>
            {`${texts.apply(rows)}…`}
          </button>
        )}
      </footer>
    </div>
  );
}
