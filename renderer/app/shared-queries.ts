import { type QueryKey, skipToken, useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import type { Account } from '../../shared/api/accounts.ts';
import { WINDOW_MAX } from '../../shared/api/limits.ts';
import type { MetricsLook } from '../../shared/api/metrics.ts';
import type { ReportSnapshot } from '../../shared/api/reports.ts';
import type { RowDetail, WindowRow } from '../../shared/api/workspace.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { LIBRARY_TYPES } from '../../shared/model/media.ts';
import { type ExtensionCommand, offeringText } from '../../shared/plan/capabilities.ts';
import { usesMetrics } from '../../shared/search/parse-search.ts';
import { isHere } from '../grid/columns.ts';
import type { RowName } from './actions.ts';
import { useApi, useView, useViewOf } from './app-context.ts';
import type { Api } from './queries.ts';
import { cellOf, textOf } from './row-cells.ts';
import { appTexts } from './texts.ts';
import type { Client } from './transport/connection.ts';

type ViewInput = Parameters<Client['workspace']['openView']>[0]['view'];

interface Rows {
  readonly total: number;
  readonly rows: readonly WindowRow[];
}

/** The most rows read for pick lists and small tables. */
export const FIRST_ROWS = 500;
/** The most rows of a kind read as a whole; a campaign within its limits has fewer. */
export const ALL_ROWS = 5000;
/** No limit: for the media library, where every file must have its name and be offered. */
const EVERY_ROW = Number.MAX_SAFE_INTEGER;

/**
 * The first rows of a view, which is closed after the read.
 *
 * @param max the most rows to read; 0 only counts them
 */
export function rowsOf({ workspace }: Api, workspaceId: string, view: ViewInput, max = FIRST_ROWS) {
  const inputOf = (count: number) => ({ workspaceId, view, ...(max === 0 ? {} : { window: { from: 0, count } }) });
  const queryKey: QueryKey = workspace.openView.queryKey({ input: inputOf(max) });
  const queryFn = async (): Promise<Rows> => {
    const opened = await workspace.openView.call(inputOf(Math.min(max, WINDOW_MAX)));
    const { viewId, length: total } = opened;
    const rows = [...opened.rows];
    try {
      while (rows.length < Math.min(total, max)) {
        const page = await workspace.readWindow.call({ workspaceId, viewId, from: rows.length, count: WINDOW_MAX });
        if (page.rows.length === 0) break;
        rows.push(...page.rows);
      }
    } finally {
      await workspace.closeView.call({ workspaceId, viewId });
    }
    return { total, rows };
  };
  return { queryKey, queryFn };
}

/** The number of issues by severity; undefined until it is read. */
export function useIssueCounts(workspaceId: string) {
  const api = useApi();
  const figures = useQuery(api.workspace.summary.queryOptions({ input: { workspaceId } })).data;
  const rules = useQuery(api.rules.list.queryOptions({ input: { workspaceId } })).data ?? [];
  // Issues of rules that use metrics are not part of the summary.
  const input = { workspaceId, from: 0, count: 0, campaignId: null };
  const enabled = rules.some((rule) => rule.enabled && usesMetrics(rule));
  const listed = useQuery(api.workspace.issues.queryOptions({ input, enabled })).data;
  return (enabled ? listed?.counts : undefined) ?? figures?.issues;
}

/** @param view null reads nothing */
export function useRows(workspaceId: string, view: ViewInput | null, max = FIRST_ROWS) {
  const api = useApi();
  return useQuery<Rows>(view === null ? { queryKey: [], queryFn: skipToken } : rowsOf(api, workspaceId, view, max));
}

/**
 * What to show while reads that belong together are not all here: why one failed, and how to repeat those that did.
 * Null once all are here.
 */
export function waitingFor(reads: readonly ReturnType<typeof useRows>[]) {
  const missing = reads.filter(({ data }) => data === undefined);
  if (missing.length === 0) return null;
  const failed = missing.filter(({ error }) => error !== null);
  const onRetry = (): void => {
    for (const read of failed) void read.refetch();
  };
  return { error: failed[0]?.error ?? null, onRetry };
}

/** Undefined until the accounts are read, and if none has this ID. */
export const useAccount = (workspaceId: string | null): Account | undefined =>
  useQuery(useApi().accounts.list.queryOptions()).data?.find((account) => account.workspaceId === workspaceId);

/** Why nothing can be sent from an account; null if its changes can be sent. */
export function useReadOnly({ workspaceId, mode }: Pick<Account, 'workspaceId' | 'mode'>): string | null {
  const condition = useQuery(useApi().backups.condition.queryOptions({ input: { workspaceId } })).data;
  if (condition?.writable === false) return appTexts.notWritable;
  return mode === 'read-only' ? appTexts.readOnlyAccount : null;
}

/** A row with its issues and what it differs in from the service; null reads nothing. */
export const useRow = (workspaceId: string | null, row: RowName | null): RowDetail | undefined => {
  const input = workspaceId === null || row === null ? skipToken : { workspaceId, ref: { kind: row.kind, id: row.id } };
  return useQuery(useApi().workspace.row.queryOptions({ input })).data;
};

/** The URL of a file of the library; null reads nothing. */
export const useFile = (workspaceId: string, mediaId: number | null) =>
  useQuery(useApi().media.preview.queryOptions({ input: mediaId === null ? skipToken : { workspaceId, mediaId } }));

export interface MediaFile {
  readonly id: number;
  readonly name: string;
  readonly mediaType: string;
  readonly row: WindowRow;
  /** False for a video that was uploaded elsewhere: its file is on the service only. */
  readonly isHere: boolean;
}

/** The rows of the media library that are shown as cards. */
export const FILES_SHOWN = { kind: 'media', filter: `mediaType:${LIBRARY_TYPES.join()}` } as const;

export function useMedia(workspaceId: string) {
  const rows = useRows(workspaceId, { kind: 'media' }, EVERY_ROW).data?.rows;
  return useMemo(() => {
    const files = (rows ?? []).map(
      (row): MediaFile => ({
        id: row.id,
        name: String(cellOf('media', row, 'fileName') ?? cellOf('media', row, 'mediaName') ?? `#${row.id}`),
        mediaType: textOf('media', row, 'mediaType'),
        row,
        isHere: isHere(row),
      }),
    );
    return {
      isRead: rows !== undefined,
      files,
      names: new Map(files.map(({ id, name }) => [id, name])),
      /** The files that a field may refer to: videos for `video`, logos for `logo`, captions for `caption`. */
      filesFor: (field: string) => files.filter(({ mediaType }) => mediaType === field),
    };
  }, [rows]);
}

/** The newest report about rows of this kind; null if there is none. */
export function useFigureReport(workspaceId: string, kind: Kind): ReportSnapshot | null {
  const { data } = useQuery(useApi().reports.list.queryOptions({ input: { workspaceId } }));
  return data?.snapshots.find(({ reportType, rows }) => reportType === kind && rows > 0) ?? null;
}

/**
 * Whether the open account's service supports a command, and the tooltip for that. Null for commands that need only
 * documented requests, and until the capabilities are read.
 */
export function useOffering(command: ExtensionCommand | null): ReturnType<typeof offeringText> {
  const workspaceId = useView((s) => s.workspaceId);
  const input = command === null || workspaceId === null ? skipToken : { workspaceId };
  return offeringText(command, useQuery(useApi().accounts.capabilities.queryOptions({ input })).data);
}

/** The period of metrics, and how purchases in it are counted. */
export const useLook = (): MetricsLook =>
  useViewOf((s) => ({
    period: s.period,
    comparison: s.comparison,
    window: s.attribution,
    settledOnly: s.settledOnly,
  }));

/**
 * Whether the service can be reached: `offline` without a network, `away` when the last request got no response. The
 * browser only detects the network; whether the service responds, only requests show.
 */
type ServiceReachability = 'online' | 'offline' | 'away';

export function useServiceReachability(workspaceId: string): ServiceReachability {
  const isOnline = useSyncExternalStore(onNetwork, () => navigator.onLine);
  const reachable = useQuery(useApi().accountStatus.get.queryOptions({ input: { workspaceId } })).data?.reachable;
  return !isOnline ? 'offline' : reachable === false ? 'away' : 'online';
}

function onNetwork(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
