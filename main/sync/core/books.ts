import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import type { AnyValues } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { AnyRow, Row } from '../../../shared/model/row.ts';
import type { RemoteId, RowId } from '../../../shared/model/scalars.ts';
import type { RoundContext } from './context.ts';

/** The books of a round: the rows it has read, and which of them stands for which id of the service. */

/** Stands for a row that a merge has just added and whose number the round does not need. */
export const UNKNOWN_ROW = 0 as RowId;

export const rowKey = (kind: Kind, id: RowId): string => `${kind}:${id}`;

export function remoteIdOf(ctx: RoundContext, kind: Kind, id: RowId | null): RemoteId | null {
  return id === null ? null : (ctx.ids.get(rowKey(kind, id)) ?? null);
}

export function learnId(ctx: RoundContext, kind: Kind, id: RowId, remoteId: RemoteId): void {
  ctx.ids.set(rowKey(kind, id), remoteId);
  ctx.owners.set(`${kind}:${remoteId}`, id);
}

/** The row of this kind that stands for an id of the service. */
export const ownerOf = (ctx: RoundContext, kind: Kind, remoteId: RemoteId): RowId | null =>
  ctx.owners.get(`${kind}:${remoteId}`) ?? null;

/** Takes the rows of trees into the books of the round. */
export function learnTrees(ctx: RoundContext, trees: readonly CampaignTree[]): void {
  for (const tree of trees) {
    learnRows(ctx, [tree.campaign, ...tree.adGroups, ...tree.adItems, ...tree.keywords, ...tree.sbaProfiles]);
    learnRows(ctx, [...tree.videoProfiles, ...tree.placementMultipliers, ...tree.platformMultipliers, ...tree.media]);
  }
}

export function learnRows(ctx: RoundContext, rows: readonly AnyRow[]): void {
  for (const row of rows) {
    const key = rowKey(row.kind, row.id);
    ctx.rows.set(key, row);
    if (row.remoteId !== null) learnId(ctx, row.kind, row.id, row.remoteId);
  }
}

export function mediaRow(ctx: RoundContext, id: RowId): Row<'media'> | null {
  const row = ctx.rows.get(rowKey('media', id));
  return row?.kind === 'media' ? row : null;
}

export const valuesOf = (row: { readonly values: object }): AnyValues => row.values as AnyValues;
