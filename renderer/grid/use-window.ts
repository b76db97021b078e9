import { useEffect, useState } from 'react';
import type { MetricsLook } from '../../shared/api/metrics.ts';
import type { ViewGroup, ViewTotal } from '../../shared/api/views.ts';
import type { ReportedKind } from '../../shared/reports/metric.ts';
import { useAppContext } from '../app/app-context.ts';
import type { issueText } from '../app/issue-text.ts';
import type { Client } from '../app/transport/connection.ts';
import { createOpenView, createWindowSource, type OpenView, type ViewRequest, type WindowSource } from './window.ts';

/**
 * Opens a view, keeps it current, and replaces it by the next one once that has its first rows.
 *
 * @returns null until the first view has rows
 */
export function useWindowSource(workspaceId: string, request: ViewRequest): OpenView | null {
  const { connection, events, prefetchedView } = useAppContext();
  const [shown, setShown] = useState<OpenView | null>(null);
  const { kind, campaignId, filter, only, look = null, group = null } = request;
  const sortKey = JSON.stringify(request.sort);

  useEffect(() => {
    const sort: ViewRequest['sort'] = JSON.parse(sortKey);
    const asked = { kind, campaignId, filter, only, sort, look, group };
    const source = prefetchedView.take(workspaceId, asked) ?? createWindowSource(connection.client, workspaceId, asked);
    const view = createOpenView(source, workspaceId);
    const showOnceReady = (): void => {
      if (!source.ready() && source.problem() === null) return;
      stopWaiting();
      setShown(view);
    };
    const stopWaiting = source.subscribe(showOnceReady);
    showOnceReady();
    const stopListening = events.on(view.hear);
    return () => {
      stopWaiting();
      stopListening();
      source.close();
    };
  }, [connection, events, prefetchedView, workspaceId, kind, campaignId, filter, only, sortKey, look, group]);

  return shown;
}

/** Reading starts when scrolling has paused for this long, so that a fling sends no requests. */
const PAUSE_MS = 60;

export type IssueText = typeof issueText;

/** Without a connection the texts cannot load; they are requested again with the next rows. */
const asLater = (): void => {};

/**
 * Loads the issues of the visible rows, so that their cells can be marked.
 *
 * @returns the function that words an issue; null until its module, which contains the texts of all rules, has loaded
 */
export function useRowIssues(source: WindowSource, version: number, visible: readonly number[]): IssueText | null {
  const [text, setText] = useState<IssueText | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version of the source has other rows.
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const { from, to } of spansOf(visible)) void source.wantIssues(from, to);
      import('../app/issue-text.ts').then((known) => setText(() => known.issueText), asLater);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [source, version, visible]);
  return text;
}

/** Rows load first: totals are requested when the view or the last edit is this old, in milliseconds. */
const REST_MS = 150;
const NONE: Totals = { totals: [], metrics: null };

/** The period of the shown metrics; `version` changes whenever the known days change. */
export interface ShownMetrics {
  readonly kind: ReportedKind;
  readonly look: MetricsLook;
  readonly version: string;
}

/** Totals of the rows' fields and of their metrics; `metrics` is null if none are shown. */
export interface Totals {
  readonly totals: readonly ViewTotal[];
  readonly metrics: Awaited<ReturnType<Client['metrics']['ofView']>> | null;
}

/**
 * Totals of the columns of a view. The previous totals stay until new ones have loaded.
 *
 * @param metrics the period whose metrics are totaled too
 * @param range the rows to total, null for all
 */
export function useViewTotals(
  workspaceId: string,
  source: WindowSource,
  metrics: ShownMetrics | null,
  range: { readonly top: number; readonly bottom: number } | null,
): Totals {
  const { connection, events } = useAppContext();
  const [known, setKnown] = useState<{ readonly source: WindowSource; readonly totals: Totals }>();
  const viewId = source.viewId();
  const { kind } = source.request;
  const [from, count] = range === null ? [0, 0] : [range.top, range.bottom - range.top + 1];
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Ends the read before: of a period or range that is no longer shown, or of rows that have changed since.
    let stop = new AbortController();
    const read = async ({ signal }: AbortController): Promise<void> => {
      try {
        const ranges = count === 0 ? null : [{ from, count }];
        const [{ totals }, sums] = await Promise.all([
          connection.client.views.totals({ workspaceId, viewId, ranges }),
          metrics === null
            ? null
            : connection.client.metrics.ofView(
                { workspaceId, viewId, ranges, kind: metrics.kind, look: metrics.look },
                { signal },
              ),
        ]);
        if (!signal.aborted) setKnown({ source, totals: { totals, metrics: sums } });
      } catch {
        // The view is being reopened or the connection is lost; a new view requests the totals again. Until then none
        // are shown, because the old ones may be wrong.
        if (!signal.aborted) setKnown(undefined);
      }
    };
    const readSoon = (): void => {
      clearTimeout(timer);
      stop.abort();
      stop = new AbortController();
      timer = setTimeout(read, REST_MS, stop);
    };
    readSoon();
    const unlisten = events.on((event) => {
      if (event.type !== 'workspace.changed' || event.workspaceId !== workspaceId) return;
      if (event.only === undefined && event.kinds.includes(kind)) readSoon();
    });
    return () => {
      clearTimeout(timer);
      stop.abort();
      unlisten();
    };
  }, [connection, events, workspaceId, source, viewId, kind, metrics, from, count]);
  return known?.source === source ? known.totals : NONE;
}

/** Ranges of consecutive rows. */
export function spansOf(rows: readonly number[]): readonly { readonly from: number; readonly to: number }[] {
  const spans: { from: number; to: number }[] = [];
  for (const row of rows) {
    const last = spans.at(-1);
    if (last?.to === row) last.to = row + 1;
    else spans.push({ from: row, to: row + 1 });
  }
  return spans;
}

/** Most groups per request: main computes totals for each. */
const GROUPS_MAX = 40;

/** Names and totals of the visible groups, by index. */
export function useGroups(
  workspaceId: string,
  source: WindowSource,
  version: number,
  metrics: ShownMetrics | null,
  visible: readonly number[],
): ReadonlyMap<number, ViewGroup> {
  const { connection } = useAppContext();
  const [known, setKnown] = useState<{ readonly at: string; readonly groups: ReadonlyMap<number, ViewGroup> }>();
  const { look = null, version: knownAt = '' } = metrics ?? {};
  const viewId = source.viewId();
  const at = `${viewId} ${source.revision()} ${source.length()} ${JSON.stringify(look)} ${knownAt}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version of the source may have other sums.
  useEffect(() => {
    const missing = visible.filter((group) => known?.at !== at || !known.groups.has(group));
    if (missing.length === 0) return;
    let gone = false;
    const wanted = metrics === null ? null : { kind: metrics.kind, period: metrics.look.period, look: metrics.look };
    const read = async (): Promise<void> => {
      const from = missing[0] ?? 0;
      const count = Math.min(GROUPS_MAX, (missing.at(-1) ?? from) - from + 1);
      try {
        const answer = await connection.client.views.groups({ workspaceId, viewId, from, count, metrics: wanted });
        if (gone) return;
        setKnown((before) => {
          const kept = before?.at === at ? before.groups : [];
          return { at, groups: new Map([...kept, ...answer.groups.map((group, i) => [from + i, group] as const)]) };
        });
      } catch {
        // The view is being reopened; the new one requests its groups again.
      }
    };
    const timer = setTimeout(() => void read(), PAUSE_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [connection, workspaceId, source, version, at, visible, known, metrics, viewId]);
  return known?.groups ?? NO_GROUPS;
}
const NO_GROUPS: ReadonlyMap<number, ViewGroup> = new Map();
