import { useEffect, useRef, useState } from 'react';
import type { Kind } from '../../shared/model/kinds.ts';
import type { Finding } from '../../shared/rules/finding.ts';
import { useDesk } from '../app/desk.ts';
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
  const { connection } = useDesk();
  const [findings, setFindings] = useState<RowFindings>(NONE);
  const asked = useRef<string>('');
  const { from, to } = span;

  useEffect(() => {
    const timer = setTimeout(async () => {
      const marked: number[] = [];
      for (let i = from; i < to; i += 1) {
        const row = source.rowAt(i);
        if (row !== undefined && row.severity !== null) marked.push(row.id);
      }
      const key = `${version} ${marked.join()}`;
      if (asked.current === key) return;
      asked.current = key;
      const details = await Promise.allSettled(
        marked.map((id) => connection.client.workspace.row({ workspaceId, ref: { kind, id } })),
      );
      if (asked.current !== key) return;
      const found = new Map<number, readonly Finding[]>();
      for (const [i, detail] of details.entries()) {
        const id = marked[i];
        // A row removed in the meantime has no findings to show.
        if (id !== undefined && detail.status === 'fulfilled') found.set(id, detail.value.findings);
      }
      setFindings(found);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [connection, workspaceId, kind, source, version, from, to]);

  return findings;
}
