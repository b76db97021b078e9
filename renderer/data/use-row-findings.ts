import { useEffect, useRef, useState } from 'react';
import type { WindowRow } from '../../shared/api/workspace.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { Finding } from '../../shared/rules/rule.ts';
import { useAppContext } from '../app/app-context.ts';
import type { WindowSource } from './window-source.ts';

/** Findings by row id, for the rows on screen that have any. */
export type RowFindings = ReadonlyMap<number, readonly Finding[]>;

/** Reading starts when scrolling has paused for this long, so that a fling asks for nothing. */
const PAUSE_MS = 60;
const NONE: RowFindings = new Map();

/** Reads what the rules say about the rows on screen, so that the very cells can be marked. */
export function useRowFindings(
  workspaceId: string,
  kind: Kind,
  source: WindowSource,
  version: number,
  span: { readonly from: number; readonly to: number },
): RowFindings {
  const { connection } = useAppContext();
  const [findings, setFindings] = useState<RowFindings>(NONE);
  const asked = useRef<string>('');
  const { from, to } = span;

  useEffect(() => {
    const timer = setTimeout(async () => {
      const marked: WindowRow['id'][] = [];
      for (let i = from; i < to; i += 1) {
        const row = source.rowAt(i);
        if (row !== undefined && row.severity !== null) marked.push(row.id);
      }
      const key = `${version} ${marked.join()}`;
      if (asked.current === key) return;
      asked.current = key;
      if (marked.length === 0) {
        setFindings(NONE);
        return;
      }
      try {
        const said = await connection.client.workspace.rowFindings({ workspaceId, kind, ids: marked });
        if (asked.current === key) setFindings(Map.groupBy(said.findings, ({ id }) => id));
      } catch {
        // Main is away, which the status bar says; with the rows that come when it is back this is asked again.
        asked.current = '';
      }
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [connection, workspaceId, kind, source, version, from, to]);

  return findings;
}
