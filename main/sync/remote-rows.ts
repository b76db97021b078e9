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

/** One thing of the service as a read shows it, in the terms in which rows are matched. */
export interface ListedRow {
  readonly remoteId: RemoteId;
  readonly adGroupId: RemoteId | null;
  readonly values: Partial<AnyValues>;
  /** Of a video profile: the media it shows. */
  readonly mediaId?: RemoteId | null;
  /** Of a review: its state. Of a finished upload: its name. Of a video profile: the name of its video. */
  readonly word?: string | null;
  /** Members that came with a value their field cannot have. */
  readonly misread?: readonly Misread[];
}

type ListedRows = Result<Listed<ListedRow>, ReadFailure> | 'no-read';

/** Whether what a list lacks is absent: not while it holds rows that cannot be told apart or read. */
export const isWhole = (list: Listed<ListedRow>, isKnown: (id: RemoteId) => boolean): boolean =>
  list.broken === undefined && list.every(({ remoteId, misread }) => misread === undefined || isKnown(remoteId));

/** What a batch touches, in the service's ids: where to look for it. */
type ListLocation = Pick<LiveBatch, 'kind' | 'verb' | 'campaignId' | 'adGroupId'> & {
  readonly ops: readonly { readonly rowId: RowId }[];
};

/**
 * Whether any read shows things of this kind. The document has none for campaigns, ad groups and keywords; where a
 * deployment offers it as an extension it is used.
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

/** Reads all of a kind that hangs from no campaign. */
export const readAllRows = (ctx: SyncContext, kind: 'campaign' | 'media'): Promise<ListedRows> =>
  readListedRows(ctx, { kind, verb: 'create', campaignId: null, adGroupId: null, ops: [] });

/** Reads what the service has where a batch was sent, or says that no read shows it. */
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

/** Keywords are listed by group; an update may reach into several groups of its campaign. */
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
 * What may be merged of a read while sends are not settled. A row in doubt is left to the resolving: merged, our own
 * value would look like somebody else's and contradict a later edit. And while a create is not settled, a thing
 * nobody here knows may be that very create: taken in as a row of its own, it could never be adopted any more.
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
