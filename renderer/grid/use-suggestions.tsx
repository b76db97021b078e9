import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { BulkScope } from '../../shared/api/bulk.ts';
import type { ListedSuggestion } from '../../shared/api/suggestions.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { runEdit } from '../app/actions.ts';
import { type AppContext, useApi, useAppContext } from '../app/app-context.ts';
import { editText } from '../app/locale/cells.ts';
import { useAccount } from '../app/shared-queries.ts';
import type { CellRange } from '../app/store/selection-slice.ts';
import type { Client } from '../app/transport/connection.ts';
import { Chip } from '../components/Chip.tsx';
import type { Column } from './columns.ts';
import { SuggestionCard } from './SuggestionCard.tsx';
import { gridTexts } from './text.ts';
import type { WindowSource } from './window.ts';

/** The visible rows are requested when scrolling has paused for this long, so that a fling sends no requests. */
const PAUSE_MS = 60;

/** The suggested bid of a row, or the fact that no goal applies to the row. */
export type RowSuggestion = Awaited<ReturnType<Client['suggestions']['ofRows']>>['rows'][number];
export type SuggestionOf = (id: number) => RowSuggestion | undefined;

interface SuggestionsOptions {
  readonly workspaceId: string;
  readonly source: WindowSource;
  readonly columns: readonly Column[];
  readonly visible: readonly number[];
}

const inputOf = ({ workspaceId, source }: SuggestionsOptions, ids: readonly RowSuggestion['id'][]) => {
  const { kind } = source.request;
  return (kind === 'keyword' || kind === 'adItem') && ids.length > 0 ? { workspaceId, kind, ids: [...ids] } : null;
};

type SuggestedFigure = 'suggestedBid' | 'evidence';
export const isSuggested = (figure: Column['figure']): figure is SuggestedFigure =>
  figure === 'suggestedBid' || figure === 'evidence';

/** Suggested bids of the visible rows, computed by main. */
export function useSuggestions(options: SuggestionsOptions): SuggestionOf {
  const { source, columns, visible } = options;
  const isShown = columns.some(({ figure }) => isSuggested(figure));
  const [rows] = useDebouncedValue(visible, PAUSE_MS);
  const ids = isShown ? rows.flatMap((at) => source.rowAt(at)?.id ?? []) : [];
  const input = inputOf(options, ids) ?? skipToken;
  const query = useApi().suggestions.ofRows.queryOptions({ input });
  const { data } = useQuery({ ...query, placeholderData: keepPreviousData });
  return useMemo(() => suggestionsById(data?.rows ?? []), [data]);
}

function suggestionsById(rows: readonly RowSuggestion[]): SuggestionOf {
  const byId = new Map(rows.map((row) => [row.id as number, row]));
  return (id) => byId.get(id);
}

/** Reads the suggested bids of rows that may not be on screen. */
export async function readSuggestions(
  { suggestions }: Pick<Client, 'suggestions'>,
  workspaceId: string,
  kind: Kind,
  ids: readonly RowSuggestion['id'][],
): Promise<SuggestionOf> {
  if (kind !== 'keyword' && kind !== 'adItem') return () => undefined;
  return suggestionsById((await suggestions.ofRows({ workspaceId, kind, ids: [...ids] })).rows);
}

/** A suggested bid, or the evidence for it, as it is copied: the amount without its change, like a bid. */
export function suggestedText(kind: Kind, figure: SuggestedFigure, of: RowSuggestion | undefined): string {
  const suggestion = of?.suggestion ?? null;
  if (suggestion === null) return gridTexts.noMetric;
  if (figure === 'evidence') return gridTexts.evidenceWords[suggestion.evidence];
  return typeof suggestion.suggested === 'number' ? editText(kind, 'bid', suggestion.suggested) : gridTexts.noMetric;
}

/** Delay before the card opens or closes: a passing pointer opens nothing and may cross the gap to the card. */
const REST_MS = 220;

/** The suggested bids of any number of rows; `counts` is null until they are counted, and for rows without bids. */
export function useSuggestedBids(workspaceId: string, kind: Kind, scope: BulkScope | null) {
  const app = useAppContext();
  const hasBids = scope !== null && (kind === 'keyword' || kind === 'adItem');
  const input = hasBids ? { workspaceId, scope } : skipToken;
  const { data = null, isPending } = useQuery(useApi().suggestions.countBids.queryOptions({ input }));
  const { suggestions } = app.connection.client;
  /** Accepts them as one undo step and shows a toast; false when it failed. `taskId` names it for canceling. */
  const accept = async (taskId: string = crypto.randomUUID()): Promise<boolean> =>
    hasBids && acceptBids(app, () => suggestions.acceptBids({ workspaceId, scope, taskId }));
  return { counts: data, isPending: hasBids && isPending, accept };
}

/** @returns false when it failed */
async function acceptBids(
  app: AppContext,
  call: () => ReturnType<Client['suggestions']['acceptBids']>,
): Promise<boolean> {
  const done = await runEdit(app, call);
  if (done === null) return false;
  const capped = done.dropped.find(({ reason }) => reason === 'account-cap')?.count ?? 0;
  app.toasts.tell(gridTexts.suggestion.applied(done.accepted, capped));
  return true;
}

interface AcceptBidsProps {
  readonly workspaceId: string;
  readonly kind: Kind;
  readonly rows: readonly { readonly id: RowSuggestion['id'] }[];
}

/** A chip that accepts the suggested bids of several rows as one undo step; renders nothing without suggestions. */
export function AcceptBids({ workspaceId, kind, rows }: AcceptBidsProps) {
  const ids = rows.map(({ id }) => id);
  const { counts, accept } = useSuggestedBids(workspaceId, kind, ids.length === 0 ? null : { rows: [{ kind, ids }] });
  if (counts === null || counts.bids === 0) return null;
  return <Chip onClick={() => void accept()}>{gridTexts.suggestion.accept(counts.bids)}</Chip>;
}

interface Shown {
  readonly suggestion: ListedSuggestion;
  readonly cell: DOMRect;
  readonly isFocused: boolean;
}

interface CardOptions extends SuggestionsOptions {
  readonly element: RefObject<HTMLDivElement | null>;
  readonly suggestionOf: SuggestionOf;
  readonly range: CellRange;
  readonly activeRow: number;
  readonly tell: (text: string) => void;
}

/**
 * The card of a suggested bid:
 *
 *   closed -- pointer rests on a value, or Alt+Q --> shown -- used, Escape, a click or the pointer elsewhere --> closed
 */
export function useSuggestionCard(options: CardOptions) {
  const { workspaceId, source, element, suggestionOf, range, activeRow, tell } = options;
  const app = useAppContext();
  const [shown, setShown] = useState<Shown | null>(null);
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const last = Math.min(range.bottom, source.length() - 1);
  const count = last > range.top ? last + 1 - range.top : source.length();

  const close = (): void => {
    window.clearTimeout(timer.current);
    if (shown?.isFocused === true) element.current?.focus();
    setShown(null);
  };
  const soon = (next: Shown | null): void => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setShown(next), REST_MS);
  };
  const use = (key: string): void => {
    close();
    // The pressed button goes with the card.
    element.current?.focus();
    void acceptBids(app, () => app.connection.client.suggestions.accept({ workspaceId, keys: [key] }));
  };
  /** Opens the bid tool for the same rows; it shows the new bids before any is written. */
  const openTool = (): void => {
    close();
    app.store.getState().openTool('amount', 'bid', true);
  };
  const card: ReactNode =
    shown === null ? null : (
      <SuggestionCard
        {...shown}
        workspaceId={workspaceId}
        rows={count}
        onUse={() => use(shown.suggestion.key)}
        onApply={openTool}
        onEnter={() => window.clearTimeout(timer.current)}
        onClose={close}
      />
    );
  return {
    card,
    onPointerOver: (target: EventTarget): void => {
      const value = target instanceof Element ? target.closest('[data-suggestion]') : null;
      const suggestion = suggestionOf(Number(value?.getAttribute('data-suggestion')))?.suggestion ?? null;
      if (value !== null && suggestion !== null) {
        soon({ suggestion, cell: value.getBoundingClientRect(), isFocused: false });
      } else if (shown === null) window.clearTimeout(timer.current);
      else if (!shown.isFocused) soon(null);
    },
    explain: (): void => {
      // Else the pointer, which rests on the value that was just clicked, would open the card again without the focus.
      window.clearTimeout(timer.current);
      const row = source.rowAt(activeRow);
      const known = row === undefined ? undefined : suggestionOf(row.id);
      const value = element.current?.querySelector(`[data-suggestion="${row?.id ?? ''}"]`) ?? null;
      if (known?.hasGoal === false) app.store.getState().openSuggestions(null, `campaign:${row?.campaignId ?? 0}`);
      else if (known?.suggestion == null || value === null) tell(gridTexts.suggestion.none);
      else setShown({ suggestion: known.suggestion, cell: value.getBoundingClientRect(), isFocused: true });
    },
  };
}

/** Target ROAS in hundredths when no target is set. */
const USUAL = 400;

/** Target ROAS of an account in hundredths: from the account's goal, else from its setup. */
export function useTargetRoas(workspaceId: string): number {
  const kept = useQuery(useApi().suggestions.goals.queryOptions({ input: { workspaceId } })).data;
  const own = kept?.goals.find(({ scope }) => scope.of === 'account')?.goal;
  const target = useAccount(workspaceId)?.targetRoas ?? null;
  if (own?.is === 'roas') return own.target;
  return target === null ? USUAL : Math.round(target * 100);
}
