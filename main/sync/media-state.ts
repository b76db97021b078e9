import { isServiceMedia } from '../../shared/model/media.ts';
import type { Row } from '../../shared/model/row.ts';
import type { MediaRecord } from '../api/media.ts';
import type { CellUpdate, RemoteRow } from '../store/types.ts';
import {
  indexRows,
  isOver,
  mediaRow,
  remoteIdOf,
  rowForRemoteId,
  type SyncContext,
  stopFor,
  valuesOf,
} from './context.ts';
import { type ListedRow, mergeableRows } from './remote-rows.ts';
import { readWithRetry } from './retry.ts';

/** Polls uploads that the service still processes, or whose result it has not reported. */
export async function pollMedia(ctx: SyncContext, rows: readonly Row<'media'>[]): Promise<void> {
  const waiting = rows.filter(isAwaited);
  if (waiting.length === 0 || isOver(ctx)) return;
  const [only] = waiting;
  const asked = waiting.length === 1 && only !== undefined ? only.remoteId : null;
  const list = await readWithRetry(ctx, (api) => api.media(asked));
  if (!list.ok) return stopFor(ctx, list.error);
  await noteStates(ctx, waiting, list.value);
}

const isAwaited = ({ remoteId, values: { mediaState } }: Row<'media'>): boolean =>
  remoteId !== null && mediaState !== 'available' && mediaState !== 'failed';

/** Stores the states that the list has for these rows. */
async function noteStates(
  ctx: SyncContext,
  rows: readonly Row<'media'>[],
  list: readonly MediaRecord[],
): Promise<void> {
  const updates: CellUpdate[] = [];
  for (const row of rows) {
    const record = list.find(({ remoteId }) => remoteId === remoteIdOf(ctx, 'media', row.id));
    if (record === undefined || record.state === null) continue;
    const reason = record.state === 'failed' ? record.reason : null;
    for (const [field, value] of Object.entries({ mediaState: record.state, stateReason: reason })) {
      if (valuesOf(row)[field] !== value) updates.push({ kind: 'media', id: row.id, field, value });
    }
  }
  if (updates.length > 0) await ctx.ports.workspace.setServiceFields(updates);
}

/**
 * Reads all finished uploads of the account (document, "GET /api/v1/media"): states of ours, and videos uploaded
 * elsewhere, which become rows without a file. If the list is refused or fails, the rest of a refresh continues.
 */
export async function readLibrary(ctx: SyncContext): Promise<void> {
  const list = await readWithRetry(ctx, (api) => api.media(null));
  const rows = await ctx.ports.workspace.readMedia();
  indexRows(ctx, rows);
  if (!list.ok) {
    if (list.error.kind !== 'service' || rows.some(isAwaited)) stopFor(ctx, list.error);
    return;
  }
  const records = new Map(list.value.map((record) => [record.remoteId, record]));
  await noteStates(
    ctx,
    rows.filter((row) => isAwaited(row) && row.values.sha256 !== null),
    list.value,
  );
  const listedRows = list.value.map(({ remoteId, name }) => ({ remoteId, adGroupId: null, values: {}, word: name }));
  const settled = await mergeableRows(ctx, 'media', null, listedRows);
  const foreign = settled.flatMap(({ remoteId }): RemoteRow[] => {
    const record = records.get(remoteId);
    const owner = rowForRemoteId(ctx, 'media', remoteId);
    const isOurs = owner !== null && mediaRow(ctx, owner)?.values.sha256 !== null;
    return record === undefined || isOurs ? [] : [serviceMediaRow(record)];
  });
  const gone = rows.filter((row) => isServiceMedia(row) && row.remoteId !== null && !records.has(row.remoteId));
  const missing = gone.flatMap(({ id }): CellUpdate[] => [
    { kind: 'media', id, field: 'mediaState', value: 'failed' },
    { kind: 'media', id, field: 'stateReason', value: NOT_LISTED },
  ]);
  if (missing.length > 0) await ctx.ports.workspace.setServiceFields(missing);
  await mergeServiceMedia(ctx, foreign);
}

const NOT_LISTED = 'The service no longer lists this video.';

/**
 * Adds videos that appear only in the profiles that use them: a video in a profile is available (document, "GET
 * /api/v1/media").
 */
export async function learnShownVideos(ctx: SyncContext, profiles: readonly ListedRow[]): Promise<void> {
  const unknown = profiles.flatMap(({ mediaId, word, values }): RemoteRow[] => {
    if (mediaId === null || mediaId === undefined || rowForRemoteId(ctx, 'media', mediaId) !== null) return [];
    const thumbnailUrl = typeof values['thumbnailUrl'] === 'string' ? values['thumbnailUrl'] : null;
    const state = { state: 'available', reason: null, durationMs: null } as const;
    return [serviceMediaRow({ remoteId: mediaId, name: word ?? null, thumbnailUrl, ...state })];
  });
  await mergeServiceMedia(ctx, unknown);
}

async function mergeServiceMedia(ctx: SyncContext, rows: readonly RemoteRow[]): Promise<void> {
  if (rows.length === 0) return;
  await ctx.ports.outbox.merge({ rows });
  indexRows(ctx, await ctx.ports.workspace.readMedia());
}

/** Fields missing in the response are omitted, so that their values stay. */
function serviceMediaRow({ remoteId, name, state, reason, thumbnailUrl, durationMs }: MediaRecord): RemoteRow {
  const values = {
    mediaType: 'video',
    ...(name === null ? {} : { mediaName: name }),
    ...(state === null ? {} : { mediaState: state, stateReason: state === 'failed' ? reason : null }),
    ...(thumbnailUrl === null ? {} : { thumbnailUrl }),
    ...(durationMs === null ? {} : { durationMs }),
  };
  return { kind: 'media', remoteId, campaignId: null, adGroupId: null, values };
}
