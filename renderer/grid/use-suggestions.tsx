import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { BidSuggestion } from '../../shared/api/reports.ts';
import { useApi, useAppContext } from '../app/app-context.ts';
import type { CellRange } from '../app/store/selection-slice.ts';
import type { Column } from './columns.ts';
import type { GridEdit } from './grid-api.ts';
import { SuggestionCard } from './SuggestionCard.tsx';
import { gridTexts } from './text.ts';
import type { ShownMetrics } from './use-window.ts';
import type { WindowSource } from './window.ts';

export type SuggestionOf = (id: number) => BidSuggestion | undefined;

interface SuggestionsWish {
  readonly workspaceId: string;
  readonly source: WindowSource;
  readonly columns: readonly Column[];
  readonly metrics: ShownMetrics | null;
  readonly target: number;
  readonly visible: readonly number[];
}

const inputOf = ({ workspaceId, metrics, target }: SuggestionsWish, ids: readonly BidSuggestion['id'][]) => {
  if (metrics === null || (metrics.kind !== 'keyword' && metrics.kind !== 'adItem') || ids.length === 0) return null;
  return { workspaceId, period: metrics.look.period, kind: metrics.kind, ids: [...ids], target };
};

/** Suggested bids of the rows in sight, as main works them out. */
export function useSuggestions(wish: SuggestionsWish): SuggestionOf {
  const { source, columns, visible } = wish;
  const isShown = columns.some(({ figure }) => figure === 'suggestedBid');
  const ids = isShown ? visible.flatMap((at) => source.rowAt(at)?.id ?? []) : [];
  const input = inputOf(wish, ids) ?? skipToken;
  const query = useApi().reports.suggestBids.queryOptions({ input });
  const { data } = useQuery({ ...query, placeholderData: keepPreviousData });
  const byId = useMemo(() => new Map((data?.rows ?? []).map((row) => [row.id as number, row])), [data]);
  return (id) => byId.get(id);
}

/** More rows than this are not written at once from the card. */
const APPLY_MAX = 500;
/** A pointer that passes by opens nothing, and may cross a gap on its way to the card. */
const REST_MS = 220;

interface Shown {
  readonly suggestion: BidSuggestion;
  readonly cell: DOMRect;
  readonly isFocused: boolean;
}

interface CardOptions extends SuggestionsWish {
  readonly element: RefObject<HTMLDivElement | null>;
  readonly suggestionOf: SuggestionOf;
  readonly range: CellRange;
  readonly activeRow: number;
  readonly edit: GridEdit;
  readonly periodText: string;
  readonly tell: (text: string) => void;
}

/**
 * The card of a suggested bid:
 *
 *   closed -- pointer rests on a value, or Alt+Q --> shown -- used, Escape, pointer elsewhere --> closed
 */
export function useSuggestionCard(options: CardOptions) {
  const { source, element, suggestionOf, range, activeRow, edit, tell } = options;
  const { connection } = useAppContext();
  const [shown, setShown] = useState<Shown | null>(null);
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const last = Math.min(range.bottom, source.length() - 1);
  const rows = last > range.top ? { from: range.top, to: last + 1 } : { from: 0, to: source.length() };
  const count = rows.to - rows.from;

  const close = (): void => {
    window.clearTimeout(timer.current);
    if (shown?.isFocused === true) element.current?.focus();
    setShown(null);
  };
  const soon = (next: Shown | null): void => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setShown(next), REST_MS);
  };
  const use = (values: readonly BidSuggestion[]): void => {
    close();
    const bids = values.map(({ id, suggested }) => ({ id, value: suggested }));
    if (bids.length > 0) void edit.setEach(gridTexts.suggestion.applied(bids.length), 'bid', bids);
  };
  const apply = async (): Promise<void> => {
    const ids = (await source.readRows(rows.from, rows.to)).map(({ id }) => id);
    const input = inputOf(options, ids);
    if (input !== null) use((await connection.client.reports.suggestBids(input)).rows);
  };
  const card: ReactNode =
    shown === null ? null : (
      <SuggestionCard
        {...shown}
        period={options.periodText}
        target={options.target}
        rows={count <= APPLY_MAX ? count : 0}
        onUse={() => use([shown.suggestion])}
        onApply={() => void apply()}
        onEnter={() => window.clearTimeout(timer.current)}
        onClose={close}
      />
    );
  return {
    card,
    onPointerOver: (target: EventTarget): void => {
      const value = target instanceof Element ? target.closest('[data-suggestion]') : null;
      const suggestion = suggestionOf(Number(value?.getAttribute('data-suggestion')));
      if (value !== null && suggestion !== undefined) {
        soon({ suggestion, cell: value.getBoundingClientRect(), isFocused: false });
      } else if (shown === null) window.clearTimeout(timer.current);
      else if (!shown.isFocused) soon(null);
    },
    explain: (): void => {
      const row = source.rowAt(activeRow);
      const suggestion = row === undefined ? undefined : suggestionOf(row.id);
      const value = element.current?.querySelector(`[data-suggestion="${row?.id ?? ''}"]`) ?? null;
      if (suggestion === undefined || value === null) tell(gridTexts.suggestion.none);
      else setShown({ suggestion, cell: value.getBoundingClientRect(), isFocused: true });
    },
  };
}
