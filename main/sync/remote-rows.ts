import type { AnyValues } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { rowKey } from '../../shared/model/row.ts';
import type { RemoteId, RowId } from '../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { type Listed, listed, type RemoteRecord } from '../api/fetch-records.ts';
import type { MediaRecord } from '../api/media.ts';
import type { Misread } from '../api/parse-record.ts';
import type { ReadFailure } from '../api/request-outcome.ts';
import type { ReviewRecord } from '../api/reviews.ts';
import type { LiveBatch } from '../store/outbox/outbox-types.ts';
import { remoteIdOf, rowForRemoteId, type SyncContext } from './context.ts';
import { readWithRetry } from './retry.ts';

/** A row of the service in a read, in the form used for matching. */
export interface ListedRow {
  readonly remoteId: RemoteId;
  readonly adGroupId: RemoteId | null;
  readonly values: Partial<AnyValues>;
  /** For a video profile, the ID of its media. */
  readonly mediaId?: RemoteId | null;
  /** For a review, its state; for a finished upload, its name; for a video profile, the name of its video. */
  readonly word?: string | null;
  /** Fields with a value that is invalid for them. */
  readonly misread?: readonly Misread[];
}

type ListedRows = Result<Listed<ListedRow>, ReadFailure> | 'no-read';

/**
 * Whether a row that the list lacks is absent: false if the list has rows with unreadable IDs or, among unknown rows,
 * unreadable values.
 */
export const isWhole = (list: Listed<ListedRow>, isKnown: (id: RemoteId) => boolean): boolean =>
  list.broken === undefined && list.every(({ remoteId, misread }) => misread === undefined || isKnown(remoteId));

/** The place of a batch on the service, for reads that show its rows. */
type ListLocation = Pick<LiveBatch, 'kind' | 'verb' | 'campaignId' | 'adGroupId'> & {
  readonly ops: readonly { readonly rowId: RowId }[];
};

/**
 * Whether a read shows rows of this kind. The document has none for campaigns, ad groups and keywords; a deployment may
 * support them as an extension.
 */
export function isReadable({ options: { capabilities } }: SyncContext, kind: ListLocation['kind']): boolean {
  switch (kind) {
    case 'campaign':
      return capabilities.campaignRead;
    case 'adGroup':
      return capabilities.adGroupRead;
    case 'keyword':
      return capabilities.keywordRead;
    default:
      return true;
  }
}

/** Reads all rows of a kind that are not below a campaign. */
export const readAllRows = (ctx: SyncContext, kind: 'campaign' | 'media'): Promise<ListedRows> =>
  readListedRows(ctx, { kind, verb: 'create', campaignId: null, adGroupId: null, ops: [] });

/** Reads the service's rows in the place of a batch; `no-read` if no read shows them. */
export async function readListedRows(ctx: SyncContext, batch: ListLocation): Promise<ListedRows> {
  if (!isReadable(ctx, batch.kind)) return 'no-read';
  const campaign = remoteIdOf(ctx, 'campaign', batch.campaignId);
  const group = remoteIdOf(ctx, 'adGroup', batch.adGroupId);
  if (batch.kind === 'media') {
    const toRow = ({ remoteId, name }: MediaRecord) => ({ remoteId, adGroupId: null, values: {}, word: name });
    return listedIn(ctx, (api) => api.media(null), toRow);
  }
  if (batch.kind === 'campaign') return records(ctx, (api) => api.campaigns());
  if (campaign === null) return 'no-read';
  switch (batch.kind) {
    case 'adGroup':
      return records(ctx, (api) => api.adGroups(campaign));
    case 'adItem':
      return records(ctx, (api) => api.adItems(campaign));
    case 'placementMultiplier':
    case 'platformMultiplier': {
      const { kind } = batch;
      return records(ctx, (api) => api.multipliers(kind, campaign));
    }
    case 'keyword':
      return keywords(ctx, campaign, batch);
    case 'sbaProfile':
      if (group === null) return 'no-read';
      return records(ctx, (api) => api.sbaProfiles(group));
    case 'videoProfile': {
      if (group === null) return 'no-read';
      return listedIn(
        ctx,
        (api) => api.videoProfiles(campaign, group),
        (record) => ({ ...listedRowOf(record), mediaId: record.mediaId, word: record.mediaName }),
      );
    }
    case 'review': {
      if (group === null) return 'no-read';
      const toRow = ({ reviewId, state }: ReviewRecord) => ({
        remoteId: reviewId,
        adGroupId: group,
        values: {},
        word: state,
      });
      return listedIn(ctx, (api) => api.reviews(group), toRow);
    }
  }
}

type ReadList<T> = Parameters<typeof readWithRetry<Listed<T>>>[1];

const records = (ctx: SyncContext, read: ReadList<RemoteRecord>): Promise<ListedRows> =>
  listedIn(ctx, read, listedRowOf);

async function listedIn<T>(ctx: SyncContext, read: ReadList<T>, of: (record: T) => ListedRow): Promise<ListedRows> {
  const found = await readWithRetry(ctx, read);
  return found.ok ? ok(listed(found.value.map(of), found.value.broken)) : found;
}

/** Keywords are listed by ad group; an update may have rows of several ad groups of its campaign. */
async function keywords(ctx: SyncContext, campaign: RemoteId, batch: ListLocation): Promise<ListedRows> {
  const groups = new Set<RemoteId>();
  const ofRows = batch.ops.map(({ rowId }) => ctx.index.rows.get(rowKey('keyword', rowId))?.adGroupId ?? null);
  for (const groupRow of batch.adGroupId === null ? ofRows : [batch.adGroupId]) {
    const group = remoteIdOf(ctx, 'adGroup', groupRow);
    if (group !== null) groups.add(group);
  }
  if (groups.size === 0) return 'no-read';
  const all: ListedRow[] = [];
  const broken: string[] = [];
  for (const group of groups) {
    const found = await readWithRetry(ctx, (api) => api.keywords(campaign, group));
    if (!found.ok) return err(found.error);
    all.push(...found.value.map(listedRowOf));
    broken.push(...(found.value.broken ?? []));
  }
  return ok(listed(all, broken));
}

const listedRowOf = ({ remoteId, adGroupId, values, misread }: RemoteRecord): ListedRow => ({
  remoteId,
  adGroupId,
  values,
  ...(misread === undefined ? {} : { misread }),
});

/**
 * The rows of a read that may be merged while requests are unconfirmed. A row with an unconfirmed request is left to
 * `resolve.ts`: merged, our own value would look like another person's and conflict with a later edit. While a create
 * is unconfirmed, an unknown row may be its result: inserted as a new row, it could never be adopted.
 */
export async function mergeableRows(
  ctx: SyncContext,
  kind: Kind,
  campaignId: RowId | null,
  listedRows: readonly ListedRow[],
): Promise<readonly ListedRow[]> {
  if (listedRows.length === 0) return listedRows;
  const live = (await ctx.ports.outbox.live()).filter((batch) => batch.kind === kind);
  if (live.length === 0) return listedRows;
  const inDoubt = new Set(live.flatMap(({ ops }) => ops.map(({ rowId }) => rowId)));
  const createIsOpen = live.some(
    ({ verb, ...batch }) =>
      (verb === 'create' || verb === 'upload') && (campaignId === null || batch.campaignId === campaignId),
  );
  return listedRows.filter(({ remoteId }) => {
    const owner = rowForRemoteId(ctx, kind, remoteId);
    return owner === null ? !createIsOpen : !inDoubt.has(owner);
  });
}
