import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import type { AnyValues } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { AnyRow, Row } from '../../shared/model/row.ts';
import type { RemoteId, RowId } from '../../shared/model/scalars.ts';
import type { SyncContext } from './context.ts';

/** The index of a run: the rows it has read, and which of them stands for which id of the service. */

/** Stands for a row that a merge has just added and whose number the run does not need. */
export const UNKNOWN_ROW = 0 as RowId;

export const rowKey = (kind: Kind, id: RowId): string => `${kind}:${id}`;

export function remoteIdOf(ctx: SyncContext, kind: Kind, id: RowId | null): RemoteId | null {
  return id === null ? null : (ctx.index.ids.get(rowKey(kind, id)) ?? null);
}

export function addRemoteId(ctx: SyncContext, kind: Kind, id: RowId, remoteId: RemoteId): void {
  ctx.index.ids.set(rowKey(kind, id), remoteId);
  ctx.index.owners.set(`${kind}:${remoteId}`, id);
}

/** The row of this kind that stands for an id of the service. */
export const rowForRemoteId = (ctx: SyncContext, kind: Kind, remoteId: RemoteId): RowId | null =>
  ctx.index.owners.get(`${kind}:${remoteId}`) ?? null;

/** Takes the rows of trees into the index of the run. */
export function indexTrees(ctx: SyncContext, trees: readonly CampaignTree[]): void {
  for (const tree of trees) {
    indexRows(ctx, [tree.campaign, ...tree.adGroups, ...tree.adItems, ...tree.keywords, ...tree.sbaProfiles]);
    indexRows(ctx, [...tree.videoProfiles, ...tree.placementMultipliers, ...tree.platformMultipliers, ...tree.media]);
  }
}

export function indexRows(ctx: SyncContext, rows: readonly AnyRow[]): void {
  for (const row of rows) {
    const key = rowKey(row.kind, row.id);
    ctx.index.rows.set(key, row);
    if (row.remoteId !== null) addRemoteId(ctx, row.kind, row.id, row.remoteId);
  }
}

export function mediaRow(ctx: SyncContext, id: RowId): Row<'media'> | null {
  const row = ctx.index.rows.get(rowKey('media', id));
  return row?.kind === 'media' ? row : null;
}

export const valuesOf = (row: { readonly values: object }): AnyValues => row.values as AnyValues;
