import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { type AnyRow, isChanged, isDeleted, type Row } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { foldMessage } from '../../api/error-text.ts';
import type { ReadFailure } from '../../api/outcome.ts';
import type { RoundContext } from './context.ts';
import { tx, type Work } from './effects.ts';
import type { Sighting } from './sightings.ts';

/** Kinds whose list shows every row that there is, each under its id. */
const LISTED: ReadonlySet<Kind> = new Set<Kind>(['adItem', 'keyword']);

/**
 * Changed rows that a read of the service lacks: somebody deleted them there. Their edits are not sent. The second such
 * read makes it a conflict, which the user settles; until then they are told as refused, and looked for again.
 */
export function* noteGone(
  ctx: RoundContext,
  rows: readonly AnyRow[],
  kind: Kind,
  sightings: readonly Sighting[],
): Work<void> {
  if (ctx.phase !== 'pulling' || !LISTED.has(kind)) return;
  const listed = new Set(sightings.map(({ remoteId }) => remoteId));
  const missing = rows.filter((row) => row.remoteId !== null && isChanged(row) && !listed.has(row.remoteId));
  yield* note(ctx, kind, missing);
}

/** A read that is refused because its campaign or ad group is not there (document, "Errors", 404). */
export function* noteGoneParent(
  ctx: RoundContext,
  { campaign }: CampaignTree,
  group: Row<'adGroup'> | null,
  failure: ReadFailure,
): Work<void> {
  if (ctx.phase !== 'pulling' || failure.kind !== 'refused' || failure.status !== 404) return;
  const message = foldMessage(failure.message);
  if (message === 'campaign not found') yield* note(ctx, 'campaign', [campaign]);
  else if (message === 'adgroup not found' && group !== null) yield* note(ctx, 'adGroup', [group]);
}

function* note(ctx: RoundContext, kind: Kind, missing: readonly AnyRow[]): Work<void> {
  if (missing.length === 0) return;
  const ids = missing.map(({ id }): RowId => id);
  const { epoch } = ctx;
  const { proven } = yield* tx('note missing', (ports) => ports.outbox.noteMissing({ epoch, kind, ids }));
  for (const row of missing) {
    if (kind === 'campaign' || kind === 'adGroup') ctx.absent.push({ kind, id: row.id });
    if (proven.includes(row.id) || isDeleted(row)) continue;
    const isTold = ctx.tally.refused.some((one) => one.kind === kind && one.id === row.id);
    if (!isTold) ctx.tally.refused.push({ kind, id: row.id, message: MISSED });
  }
}

const MISSED =
  'The service does not list it any more, so its change was not sent. The next sync looks again, from two minutes from now; if it is still gone you are asked whether to make it anew or to drop it.';
