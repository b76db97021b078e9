import { useEffect, useMemo, useRef, useState } from 'react';
import { WINDOW_MAX } from '../../shared/api/limits.ts';
import type { MetricsLook } from '../../shared/api/metrics.ts';
import type { WindowRow } from '../../shared/api/workspace.ts';
import { WINDOW_DAYS } from '../../shared/reports/account-metrics.ts';
import type { ReportedKind } from '../../shared/reports/metric.ts';
import { useAppContext } from '../app/app-context.ts';
import type { Client } from '../app/transport/connection.ts';
import type { RowMetrics } from './columns.ts';
import type { WindowSource } from './window.ts';

/** Reading starts when scrolling has paused for this long, so that a fling sends no requests. */
const PAUSE_MS = 60;
/** Most rows kept in memory; beyond it the cache is cleared. */
const KEPT_MAX = 20_000;

type RowIds = Pick<WindowRow, 'id' | 'remoteId'>;

type Figures = ReadonlyMap<number, RowMetrics | null>;

/** Metrics of rows, valid until other days are loaded. */
export interface MetricsSource {
  /** Undefined for a row without metrics, and before the row's metrics have loaded. */
  of(row: RowIds): RowMetrics | undefined;
  /** Metrics by row, null for a row without; stops without a result when the signal aborts. */
  read(rows: readonly RowIds[], signal?: AbortSignal): Promise<Figures>;
  /** Keeps what was read for the rows on screen: what is read for a copy would push it out. */
  keep(read: Figures): void;
  isRead(row: RowIds): boolean;
}

const NONE: MetricsSource = {
  of: () => undefined,
  read: async () => new Map(),
  keep: () => {},
  isRead: () => true,
};

function metricsSourceOf(client: Client, { workspaceId, kind, look, windows }: RowMetricsOptions): MetricsSource {
  if (kind === null) return NONE;
  /** Null for a row without metrics. */
  const byId = new Map<number, RowMetrics | null>();
  const others = WINDOW_DAYS.filter((days) => windows.includes(days));
  // A draft has no metrics: it is not on the service yet.
  const isRead: MetricsSource['isRead'] = ({ id, remoteId }) => remoteId === null || byId.has(id);
  return {
    of: ({ id }) => byId.get(id) ?? undefined,
    isRead,
    read: async (rows, signal) => {
      const read = new Map<number, RowMetrics | null>();
      const missing: RowIds['id'][] = [];
      for (const { id, remoteId } of rows) {
        const known = byId.get(id);
        if (known !== undefined) read.set(id, known);
        else if (remoteId !== null) missing.push(id);
      }
      for (let at = 0; at < missing.length; at += WINDOW_MAX) {
        const ids = missing.slice(at, at + WINDOW_MAX);
        const [main, ...beside] = await Promise.all(
          [look.window, ...others].map((window) =>
            client.metrics.ofRows(
              { workspaceId, kind, ids, look: { ...look, window } },
              signal === undefined ? {} : { signal },
            ),
          ),
        );
        for (const id of ids) read.set(id, null);
        for (const row of main?.rows ?? []) {
          const windows = Object.fromEntries(
            others.flatMap((window, i) => {
              const own = beside[i]?.rows.find(({ id }) => id === row.id);
              return own === undefined ? [] : [[window, own]];
            }),
          );
          read.set(row.id, { ...row, windows });
        }
      }
      return read;
    },
    keep: (read) => {
      if (byId.size + read.size > KEPT_MAX) byId.clear();
      for (const [id, metrics] of read) byId.set(id, metrics);
    },
  };
}

/** Options of a read of metrics; a new object causes a new read. */
export interface RowMetricsOptions {
  readonly workspaceId: string;
  /** Null reads no metrics. */
  readonly kind: ReportedKind | null;
  readonly look: MetricsLook;
  /** Attribution windows to read besides that of the period. */
  readonly windows: readonly number[];
  /** Changes whenever other days are loaded. */
  readonly version: string;
}

/** Reads the metrics of the rows on screen as they come into view. */
export function useRowMetrics(
  options: RowMetricsOptions,
  source: WindowSource,
  version: number,
  visible: readonly number[],
  fail: (error: unknown) => void,
): MetricsSource {
  const { connection } = useAppContext();
  const [, setReads] = useState(0);
  const figures = useMemo(() => metricsSourceOf(connection.client, options), [connection, options]);
  const stop = useRef<AbortController>(null);
  // Cancels reads for the earlier days when the period changes.
  useEffect(() => {
    if (figures === NONE) return;
    const own = new AbortController();
    stop.current = own;
    return () => own.abort();
  }, [figures]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version of the source has other rows.
  useEffect(() => {
    let gone = false;
    const timer = setTimeout(async () => {
      const rows = visible.flatMap((at) => source.rowAt(at) ?? []).filter((row) => !figures.isRead(row));
      if (rows.length === 0) return;
      try {
        figures.keep(await figures.read(rows, stop.current?.signal));
      } catch (error) {
        if (!gone) fail(error);
      }
      if (!gone) setReads((reads) => reads + 1);
    }, PAUSE_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [figures, source, version, visible, fail]);
  return figures;
}
