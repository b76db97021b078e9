import type { AnyValues } from '../../../shared/model/fields.ts';
import type { RemoteId, RowId } from '../../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { ReadFailure } from '../../api/outcome.ts';
import { type Listed, listed, type RemoteRecord } from '../../api/read.ts';
import type { Misread } from '../../api/reading.ts';
import type { LiveBatch } from '../../workspace/outbox/outbox-types.ts';
import { readAgain } from './again.ts';
import { remoteIdOf, rowKey } from './books.ts';
import type { RoundContext } from './context.ts';
import type { Work } from './effects.ts';

/** One thing of the service as a read shows it, in the terms in which rows are matched. */
export interface Sighting {
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

export type Sightings = Result<Listed<Sighting>, ReadFailure> | 'no-read';

/** Whether what a list lacks is absent: not while it holds rows that cannot be told apart or read. */
export const isWhole = (list: Listed<Sighting>, isKnown: (id: RemoteId) => boolean): boolean =>
  list.broken === undefined && list.every(({ remoteId, misread }) => misread === undefined || isKnown(remoteId));

/** What a batch touches, in the service's ids: where to look for it. */
export type Whereabouts = Pick<LiveBatch, 'kind' | 'verb' | 'campaignId' | 'adGroupId'> & {
  readonly ops: readonly { readonly rowId: RowId }[];
};

/**
 * Whether any read shows things of this kind. The document has none for campaigns, ad groups and keywords; where a
 * deployment offers it as an extension it is used.
 */
export function isReadable({ capabilities }: RoundContext, kind: Whereabouts['kind']): boolean {
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

/** Reads what the service has where a batch was sent, or says that no read shows it. */
export function* sight(ctx: RoundContext, batch: Whereabouts): Work<Sightings> {
  if (!isReadable(ctx, batch.kind)) return 'no-read';
  const campaign = remoteIdOf(ctx, 'campaign', batch.campaignId);
  const group = remoteIdOf(ctx, 'adGroup', batch.adGroupId);
  if (batch.kind === 'media') {
    const media = yield* readAgain(ctx, 'list media', (ports) => ports.api.media(null));
    return media.ok
      ? ok(seenIn(media.value, ({ remoteId, name }) => ({ remoteId, adGroupId: null, values: {}, word: name })))
      : media;
  }
  if (batch.kind === 'campaign') return yield* records(ctx, 'list campaigns', (ports) => ports.api.campaigns());
  if (campaign === null) return 'no-read';
  switch (batch.kind) {
    case 'adGroup':
      return yield* records(ctx, 'list ad groups', (ports) => ports.api.adGroups(campaign));
    case 'adItem':
      return yield* records(ctx, 'list ad items', (ports) => ports.api.adItems(campaign));
    case 'placementMultiplier':
    case 'platformMultiplier': {
      const { kind } = batch;
      return yield* records(ctx, 'list multipliers', (ports) => ports.api.multipliers(kind, campaign));
    }
    case 'keyword':
      return yield* keywords(ctx, campaign, batch);
    case 'sbaProfile':
      if (group === null) return 'no-read';
      return yield* records(ctx, 'list brand profiles', (ports) => ports.api.sbaProfiles(group));
    case 'videoProfile': {
      if (group === null) return 'no-read';
      const found = yield* readAgain(ctx, 'read video profile', (ports) => ports.api.videoProfiles(campaign, group));
      return found.ok
        ? ok(
            seenIn(found.value, (record) => ({
              ...sightingOf(record),
              mediaId: record.mediaId,
              word: record.mediaName,
            })),
          )
        : found;
    }
    case 'review': {
      if (group === null) return 'no-read';
      const reviews = yield* readAgain(ctx, 'list reviews', (ports) => ports.api.reviews(group));
      return reviews.ok
        ? ok(
            seenIn(reviews.value, (one) => ({ remoteId: one.reviewId, adGroupId: group, values: {}, word: one.state })),
          )
        : reviews;
    }
  }
}

function* records(
  ctx: RoundContext,
  label: string,
  run: Parameters<typeof readAgain<Listed<RemoteRecord>>>[2],
): Work<Sightings> {
  const found = yield* readAgain(ctx, label, run);
  return found.ok ? ok(seenIn(found.value, sightingOf)) : found;
}

/** Keywords are listed by group; an update may reach into several groups of its campaign. */
function* keywords(ctx: RoundContext, campaign: RemoteId, batch: Whereabouts): Work<Sightings> {
  const groups = new Set<RemoteId>();
  const ofRows = batch.ops.map(({ rowId }) => ctx.rows.get(rowKey('keyword', rowId))?.adGroupId ?? null);
  for (const groupRow of batch.adGroupId === null ? ofRows : [batch.adGroupId]) {
    const group = remoteIdOf(ctx, 'adGroup', groupRow);
    if (group !== null) groups.add(group);
  }
  if (groups.size === 0) return 'no-read';
  const all: Sighting[] = [];
  const broken: string[] = [];
  for (const group of groups) {
    const found = yield* readAgain(ctx, 'list keywords', (ports) => ports.api.keywords(campaign, group));
    if (!found.ok) return err(found.error);
    all.push(...found.value.map(sightingOf));
    broken.push(...(found.value.broken ?? []));
  }
  return ok(listed(all, broken));
}

const seenIn = <T>(list: Listed<T>, of: (record: T) => Sighting): Listed<Sighting> => listed(list.map(of), list.broken);

const sightingOf = ({ remoteId, adGroupId, values, misread }: RemoteRecord): Sighting => ({
  remoteId,
  adGroupId,
  values,
  ...(misread === undefined ? {} : { misread }),
});
