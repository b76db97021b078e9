import { useEffect, useMemo, useState } from 'react';
import { WINDOW_MAX } from '../../shared/api/limits.ts';
import type { WindowRow } from '../../shared/api/workspace.ts';
import type { Figures, ReportedKind } from '../../shared/reports/metric.ts';
import { useAppContext } from '../app/app-context.ts';
import type { Client } from '../app/transport/connection.ts';
import type { WindowSource } from './window.ts';

/** Reading starts when scrolling has paused for this long, so that a fling asks for nothing. */
const PAUSE_MS = 60;
/** Rows remembered at most; scrolling on forgets all and begins again. */
const KEPT_MAX = 20_000;

/** What a kept report says of rows. A report never changes, so what was read once stays true. */
export interface RowFigures {
  /** Undefined for a row that the report does not know or that has not been read yet. */
  of(row: WindowRow): Figures | undefined;
  read(rows: readonly WindowRow[]): Promise<void>;
  isRead(row: WindowRow): boolean;
}

const NONE: RowFigures = { of: () => undefined, read: async () => {}, isRead: () => true };

function figuresOf(client: Client, workspaceId: string, id: string, kind: ReportedKind): RowFigures {
  /** Null for a row the report does not know. */
  const byRemoteId = new Map<string, Figures | null>();
  const isRead: RowFigures['isRead'] = ({ remoteId }) => remoteId === null || byRemoteId.has(remoteId);
  return {
    of: ({ remoteId }) => (remoteId === null ? undefined : (byRemoteId.get(remoteId) ?? undefined)),
    isRead,
    read: async (rows) => {
      const missing = rows.flatMap((row) => (isRead(row) || row.remoteId === null ? [] : [row.remoteId]));
      if (byRemoteId.size + missing.length > KEPT_MAX) byRemoteId.clear();
      for (let at = 0; at < missing.length; at += WINDOW_MAX) {
        const remoteIds = missing.slice(at, at + WINDOW_MAX);
        const answer = await client.reports.ofRows({ workspaceId, id, kind, remoteIds });
        for (const remoteId of remoteIds) byRemoteId.set(remoteId, null);
        for (const { remoteId, figures } of answer.rows) byRemoteId.set(remoteId, figures);
      }
    },
  };
}

/** Reads the figures of the rows on screen as they come into view. */
export function useRowFigures(
  workspaceId: string,
  kind: ReportedKind | null,
  reportId: string | null,
  source: WindowSource,
  version: number,
  span: { readonly from: number; readonly to: number },
  fail: (error: unknown) => void,
): RowFigures {
  const { connection } = useAppContext();
  const { from, to } = span;
  const [, setReads] = useState(0);
  const figures = useMemo(
    () => (kind === null || reportId === null ? NONE : figuresOf(connection.client, workspaceId, reportId, kind)),
    [connection, workspaceId, reportId, kind],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version of the source has other rows.
  useEffect(() => {
    let gone = false;
    const timer = setTimeout(async () => {
      const rows: WindowRow[] = [];
      for (let i = from; i < to; i += 1) {
        const row = source.rowAt(i);
        if (row !== undefined && !figures.isRead(row)) rows.push(row);
      }
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
  }, [figures, source, version, from, to, fail]);
  return figures;
}
