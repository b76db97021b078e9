import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { type AnyRow, isChanged, isDeleted, type Row } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { foldMessage } from '../../api/error-text.ts';
import type { ReadFailure } from '../../api/outcome.ts';
import type { Listed } from '../../api/read.ts';
import { MISSED } from '../../workspace/outbox/outbox-types.ts';
import type { RoundContext } from './context.ts';
import { tx, type Work } from './effects.ts';
import { noteGoneRow } from './read-notes.ts';
import type { Sighting } from './sightings.ts';

/** Kinds whose list a run looks through for rows that it is about to change, each under its id. */
const LISTED: ReadonlySet<Kind> = new Set<Kind>(['adItem', 'keyword']);

/**
 * Rows that a read of the service lacks: somebody deleted them there. A run looks for those it is about to change, whose
 * edits are not sent; a refresh for all. The second such read makes it a conflict, which the user settles; until then they
 * are told, and looked for again.
 *
 * @param rows those that the list would show: a list of one ad group says nothing of the rows of another
 */
export function* noteGone(
  ctx: RoundContext,
  rows: readonly AnyRow[],
  kind: Kind,
  list: Listed<Pick<Sighting, 'remoteId'>>,
): Work<void> {
  const isLooked = ctx.isRefresh || (ctx.phase === 'pulling' && LISTED.has(kind));
  // A row that cannot be told apart may be any of them.
  if (!isLooked || list.broken !== undefined) return;
  const there = new Set(list.map(({ remoteId }) => remoteId));
  const missing = rows.filter(
    (row) =>
      row.remoteId !== null && !there.has(row.remoteId) && (isChanged(row) || (ctx.isRefresh && !isSwitchedOff(row))),
  );
  if (missing.length > 0) yield* note(ctx, kind, yield* settledRows(ctx, kind, missing));
}

/** Switched off for good: whether a list still shows it differs (document, "Ad item"). */
const isSwitchedOff = ({ base }: AnyRow): boolean => {
  const values: Readonly<Record<string, unknown>> = base ?? {};
  return values['status'] === 'deleted' || values['state'] === 'archived';
};

/** A row whose send is not settled is looked for by the resolving. */
function* settledRows(ctx: RoundContext, kind: Kind, rows: readonly AnyRow[]): Work<readonly AnyRow[]> {
  if (!ctx.isRefresh) return rows;
  const live = yield* tx('live', (ports) => ports.outbox.live());
  const open = new Set(live.flatMap(({ ops }) => ops.filter((op) => op.kind === kind).map(({ rowId }) => rowId)));
  return rows.filter(({ id }) => !open.has(id));
}

/** Whether a read of this round has not found it. */
export const isGone = (ctx: RoundContext, { kind, id }: Pick<AnyRow, 'kind' | 'id'>): boolean =>
  ctx.absent.some((one) => one.kind === kind && one.id === id);

/**
 * A read that is refused because its campaign or ad group is not there (document, "Errors", 404).
 *
 * @returns whether that is what the refusal says
 */
export function* noteGoneParent(
  ctx: RoundContext,
  { campaign }: CampaignTree,
  group: Row<'adGroup'> | null,
  failure: ReadFailure,
): Work<boolean> {
  const isLooked = ctx.isRefresh || ctx.phase === 'pulling';
  if (!isLooked || failure.kind !== 'refused' || failure.status !== 404) return false;
  const message = foldMessage(failure.message);
  if (message === 'campaign not found') yield* note(ctx, 'campaign', [campaign]);
  else if (message === 'adgroup not found' && group !== null) yield* note(ctx, 'adGroup', [group]);
  else return false;
  return true;
}

function* note(ctx: RoundContext, kind: Kind, missing: readonly AnyRow[]): Work<void> {
  if (missing.length === 0) return;
  const ids = missing.map(({ id }): RowId => id);
  const { epoch } = ctx;
  const { proven } = yield* tx('note missing', (ports) => ports.outbox.noteMissing({ epoch, kind, ids }));
  for (const row of missing) {
    if (kind === 'campaign' || kind === 'adGroup') ctx.absent.push({ kind, id: row.id });
    if (isDeleted(row)) continue;
    if (ctx.isRefresh) noteGoneRow(ctx, row, proven.includes(row.id));
    if (ctx.isRefresh || proven.includes(row.id)) continue;
    const isTold = ctx.tally.refused.some((one) => one.kind === kind && one.id === row.id);
    if (!isTold) ctx.tally.refused.push({ kind, id: row.id, message: MISSED });
  }
}
