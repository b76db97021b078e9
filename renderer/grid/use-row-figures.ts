import { useEffect, useMemo, useState } from 'react';
import { WINDOW_MAX } from '../../shared/api/limits.ts';
import type { WindowRow } from '../../shared/api/workspace.ts';
import type { Figures, ReportedKind } from '../../shared/reports/metric.ts';
import type { Period } from '../../shared/reports/period.ts';
import { useAppContext } from '../app/app-context.ts';
import type { Client } from '../app/transport/connection.ts';
import type { WindowSource } from './window.ts';

/** Reading starts when scrolling has paused for this long, so that a fling asks for nothing. */
const PAUSE_MS = 60;
/** Rows remembered at most; scrolling on forgets all and begins again. */
const KEPT_MAX = 20_000;

/** What kept reports say of a row in a period, and its spend by day. */
export interface RowMetrics {
  readonly figures: Figures;
  readonly trend: readonly number[];
}

/** What kept reports say of rows. They never change, so what was read once stays true until there are others. */
export interface RowFigures {
  /** Undefined for a row that the reports do not know or that has not been read yet. */
  of(row: WindowRow): RowMetrics | undefined;
  read(rows: readonly WindowRow[]): Promise<void>;
  isRead(row: WindowRow): boolean;
}

const NONE: RowFigures = { of: () => undefined, read: async () => {}, isRead: () => true };

function figuresOf(client: Client, { workspaceId, kind, period }: FiguresWish): RowFigures {
  if (kind === null) return NONE;
  /** Null for a row the reports do not know. */
  const byRemoteId = new Map<string, RowMetrics | null>();
  const isRead: RowFigures['isRead'] = ({ remoteId }) => remoteId === null || byRemoteId.has(remoteId);
  return {
    of: ({ remoteId }) => (remoteId === null ? undefined : (byRemoteId.get(remoteId) ?? undefined)),
    isRead,
    read: async (rows) => {
      const missing = rows.flatMap((row) => (isRead(row) || row.remoteId === null ? [] : [row.remoteId]));
      if (byRemoteId.size + missing.length > KEPT_MAX) byRemoteId.clear();
      for (let at = 0; at < missing.length; at += WINDOW_MAX) {
        const remoteIds = missing.slice(at, at + WINDOW_MAX);
        const answer = await client.reports.ofPeriod({ workspaceId, period, kind, remoteIds });
        for (const remoteId of remoteIds) byRemoteId.set(remoteId, null);
        for (const { remoteId, ...metrics } of answer.rows) byRemoteId.set(remoteId, metrics);
      }
    },
  };
}

/** What figures are read of; another object reads them again. */
export interface FiguresWish {
  readonly workspaceId: string;
  /** Null reads nothing. */
  readonly kind: ReportedKind | null;
  readonly period: Period;
  /** Changes with the reports that are kept. */
  readonly reports: string;
}

/** Reads the figures of the rows on screen as they come into view. */
export function useRowFigures(
  wish: FiguresWish,
  source: WindowSource,
  version: number,
  visible: readonly number[],
  fail: (error: unknown) => void,
): RowFigures {
  const { connection } = useAppContext();
  const [, setReads] = useState(0);
  const figures = useMemo(() => figuresOf(connection.client, wish), [connection, wish]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version of the source has other rows.
  useEffect(() => {
    let gone = false;
    const timer = setTimeout(async () => {
      const rows = visible.flatMap((at) => source.rowAt(at) ?? []).filter((row) => !figures.isRead(row));
      if (rows.length === 0) return;
      try {
        await figures.read(rows);
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
