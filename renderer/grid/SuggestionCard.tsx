import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ListedSuggestion } from '../../shared/api/suggestions.ts';
import { useApi } from '../app/app-context.ts';
import { moneyText } from '../app/locale/numbers.ts';
import styles from './grid.module.css';
import { gridTexts } from './text.ts';

interface SuggestionCardProps {
  readonly workspaceId: string;
  readonly suggestion: ListedSuggestion;
  /** The cell it is about, in the window. */
  readonly cell: DOMRect;
  /** Opened by key: it takes the focus and gives it back. */
  readonly isFocused: boolean;
  /** Rows whose suggestions can be used at once; below 2 that is not offered. */
  readonly rows: number;
  readonly onUse: () => void;
  readonly onApply: () => void;
  readonly onEnter: () => void;
  readonly onClose: () => void;
}

const WIDTH = 340;
const HEIGHT = 360;

/** How a suggested bid was computed, line by line, below its cell and never over it. */
export function SuggestionCard(props: SuggestionCardProps) {
  const { workspaceId, suggestion, cell, isFocused, rows, onClose } = props;
  const { key, reason, suggested } = suggestion;
  const texts = gridTexts.suggestion;
  const explained = useQuery(useApi().suggestions.explain.queryOptions({ input: { workspaceId, key } })).data;
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isFocused) card.current?.querySelector('button')?.focus();
  }, [isFocused]);
  const bid = moneyText(typeof suggested === 'number' ? suggested : 0);
  const left = Math.max(8, Math.min(cell.left, window.innerWidth - WIDTH - 8));
  const isAbove = cell.bottom + HEIGHT > window.innerHeight && cell.top > HEIGHT;
  const maxHeight = isAbove ? HEIGHT : Math.max(160, window.innerHeight - cell.bottom - 12);
  return (
    <div
      ref={card}
      role="dialog"
      aria-label={texts.title(bid)}
      className={styles['suggestion']}
      style={
        isAbove
          ? { left, maxHeight, bottom: window.innerHeight - cell.top + 4 }
          : { left, maxHeight, top: cell.bottom + 4 }
      }
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
      onPointerEnter={props.onEnter}
      onPointerLeave={isFocused ? undefined : onClose}
    >
      <p>{reason}</p>
      <dl aria-label={texts.computed}>
        {explained?.steps.map(({ name, formula, result }) => (
          <div key={name} title={formula}>
            <dt>{name}</dt>
            <dd>{result}</dd>
          </div>
        ))}
      </dl>
      <footer>
        <button type="button" onClick={props.onUse}>
          {texts.use(bid)}
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
