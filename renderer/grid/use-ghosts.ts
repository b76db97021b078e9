import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { BulkPreview } from '../../shared/api/bulk.ts';
import type { WindowRow } from '../../shared/api/workspace.ts';
import { useApi, useView } from '../app/app-context.ts';
import type { CellGhost, GhostOptions, RowGhost } from '../app/store/tool-slice.ts';
import type { Client } from '../app/transport/connection.ts';
import type { WindowSource } from './window.ts';

/** Requests begin and end at multiples of this, so that scrolling by one row sends no request. */
const BLOCK = 64;
const UNCHANGED: RowGhost = { cells: {}, why: null };
const NO_ROWS: ReadonlyMap<number, RowGhost> = new Map();

/** New values that the open tool would give a row; undefined if they have not loaded or the row is not included. */
export type GhostOf = (row: WindowRow, index: number) => RowGhost | undefined;

/** New values of the visible rows while a tool is open, computed by main. */
export function useGhosts(
  workspaceId: string,
  source: WindowSource,
  frame: { readonly from: number; readonly to: number; readonly fast: boolean },
): GhostOf {
  const ghosts = useView((s) => (s.ghosts?.kind === source.request.kind ? s.ghosts : null));
  const tool = ghosts !== null && 'tool' in ghosts.of ? ghosts.of.tool : null;
  const isSuggested = ghosts !== null && 'suggested' in ghosts.of;
  const ids: WindowRow['id'][] = [];
  const first = Math.max(frame.from - (frame.from % BLOCK), ghosts?.range?.from ?? 0);
  const last = Math.min(Math.ceil(frame.to / BLOCK) * BLOCK, ghosts?.range?.to ?? Number.MAX_SAFE_INTEGER);
  for (let i = first; (tool !== null || isSuggested) && i < last; i += 1) {
    const row = source.rowAt(i);
    if (row !== undefined) ids.push(row.id);
  }
  const { kind } = source.request;
  const isAsked = ids.length > 0 && !frame.fast;
  const scope = { rows: [{ kind, ids }] };
  const api = useApi();
  const previewed = useQuery({
    ...api.bulk.preview.queryOptions({
      input: isAsked && tool !== null ? { workspaceId, scope, tool, count: ids.length } : skipToken,
    }),
    placeholderData: keepPreviousData,
  });
  const suggested = useQuery({
    ...api.suggestions.ofRows.queryOptions({
      input:
        isAsked && isSuggested && (kind === 'keyword' || kind === 'adItem') ? { workspaceId, kind, ids } : skipToken,
    }),
    placeholderData: keepPreviousData,
  });
  const given = ghosts !== null && 'rows' in ghosts.of ? ghosts.of.rows : NO_ROWS;
  const previews = tool === null ? undefined : previewed.data;
  const bids = isSuggested ? suggested.data : undefined;
  const rows = useMemo(
    () => (previews !== undefined ? byRow(previews) : bids !== undefined ? bidsByRow(bids) : given),
    [previews, bids, given],
  );
  const answer = tool !== null ? previewed : isSuggested ? suggested : null;
  const isKnown = answer === null || (answer.data !== undefined && !answer.isPlaceholderData);
  return (row, index) => {
    if (ghosts === null || !isMeant(ghosts, index)) return undefined;
    return rows.get(row.id) ?? (isKnown ? UNCHANGED : undefined);
  };
}

const isMeant = ({ range }: GhostOptions, index: number): boolean =>
  range === null || (index >= range.from && index < range.to);

function byRow({ pairs, refusals }: Pick<BulkPreview, 'pairs' | 'refusals'>): ReadonlyMap<number, RowGhost> {
  const rows = new Map<number, RowGhost>();
  for (const { id, why } of refusals) rows.set(id, { cells: {}, why });
  for (const [id, own] of Map.groupBy(pairs, (pair) => pair.id)) {
    const cells: Record<string, CellGhost> = {};
    for (const { field, before, value, by } of own) if (field !== null) cells[field] = { before, value, by };
    rows.set(id, { cells, why: null });
  }
  return rows;
}

/** The new bids of rows with a suggestion that can be written. */
function bidsByRow({ rows }: Awaited<ReturnType<Client['suggestions']['ofRows']>>): ReadonlyMap<number, RowGhost> {
  const ghosts = new Map<number, RowGhost>();
  for (const { id, suggestion } of rows) {
    if (suggestion === null || suggestion.effect === 'not-possible') continue;
    const { current: before, suggested: value } = suggestion;
    ghosts.set(id, { cells: { bid: { before, value, by: Number(value) - Number(before) } }, why: null });
  }
  return ghosts;
}
