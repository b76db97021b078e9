import type { AnyValues } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { RemoteId } from '../../shared/model/scalars.ts';
import type { Verb } from '../../shared/plan/plan-types.ts';
import type { ResultShape } from '../api/classify-response.ts';
import { multiplierId } from '../api/partner-api.ts';
import type { ElementOutcome } from '../api/request-outcome.ts';
import type { ElementSettlement } from '../store/outbox/outbox-types.ts';

/** What the answer to a batch must look like, and what it says about the rows. */
const ID_NAMES: Readonly<Record<Kind | 'review', readonly string[]>> = {
  campaign: ['campaignId'],
  adGroup: ['adGroupId'],
  adItem: ['adItemId'],
  keyword: ['keywordId'],
  sbaProfile: ['sbaProfileId'],
  videoProfile: ['adGroupMediaId'],
  placementMultiplier: ['placementMultiplierId'],
  platformMultiplier: ['platformMultiplierId', 'placementMultiplierId'],
  media: ['mediaId'],
  review: ['reviewId'],
};

/** Multipliers are known by campaign and type, so the number in their answer means nothing to us. */
const isPair = (kind: Kind | 'review'): boolean => kind === 'placementMultiplier' || kind === 'platformMultiplier';

export function expectedShape(
  kind: Kind | 'review',
  verb: Verb,
  elements: number,
  isTaken: (id: RemoteId) => boolean,
  names: ResultShape['names'] = [],
): ResultShape {
  const makesId = verb === 'create' || verb === 'submit' || verb === 'upload';
  return {
    elements,
    // Repeats among the numbers of multipliers prove nothing, so they are not looked at.
    idNames: isPair(kind) ? [] : ID_NAMES[kind],
    needsId: makesId && !isPair(kind),
    isTaken: makesId && kind !== 'review' ? isTaken : () => false,
    names,
  };
}

/** What a result may say of its element: its own id where it has one, and the identity of its kind. */
export function namesOf(
  kind: Kind | 'review',
  elements: readonly { readonly remoteId: RemoteId | null; readonly sent: AnyValues }[],
): NonNullable<ResultShape['names']> {
  const [idName] = isPair(kind) ? [] : ID_NAMES[kind];
  const identity = IDENTITY[kind] ?? {};
  return elements.map(({ remoteId, sent }) => {
    const texts = Object.entries(identity).map(([name, field]) => [name, sent[field]] as const);
    const own = idName === undefined ? [] : [[idName, remoteId] as const];
    return Object.fromEntries(
      [...own, ...texts].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  });
}

/** Names of the wire for the fields by which rows of a kind differ within a batch. */
const IDENTITY: Readonly<Partial<Record<Kind | 'review', Readonly<Record<string, string>>>>> = {
  adItem: { itemId: 'itemId' },
  keyword: { keywordText: 'text', matchType: 'matchType' },
  placementMultiplier: { placementType: 'placement' },
  platformMultiplier: { platformType: 'platform' },
};

/** What an accepted send says about the fields that only the service sets. */
export function serviceFieldsOf(kind: Kind | 'review', verb: Verb, remoteId: RemoteId | null): AnyValues {
  if (verb === 'submit') return { reviewStatus: 'pending', reviewId: remoteId };
  if (verb === 'cancel') return { reviewStatus: 'cancelled' };
  if (verb === 'upload') return { mediaState: 'processing', stateReason: null };
  if (verb !== 'create') return {};
  switch (kind) {
    case 'campaign':
      return { serviceStatus: 'enabled' };
    case 'adItem':
    case 'keyword':
    case 'sbaProfile':
    case 'videoProfile':
      return { reviewStatus: 'pending', reviewReason: null };
    default:
      return {};
  }
}

/** One element of an answer as the outbox records it. */
export function outcomesFor(
  outcome: ElementOutcome,
  element: { readonly kind: Kind; readonly remoteId: RemoteId | null; readonly sent: AnyValues },
  batch: { readonly kind: Kind | 'review'; readonly verb: Verb },
  campaignId: RemoteId | null,
): ElementSettlement {
  if (outcome.is !== 'done') return outcome;
  const { kind, verb } = batch;
  if (isPair(kind)) {
    const type = element.sent[kind === 'placementMultiplier' ? 'placement' : 'platform'];
    const remoteId =
      campaignId !== null && typeof type === 'string' ? multiplierId(campaignId, type) : element.remoteId;
    return { is: 'done', remoteId, serviceFields: {} };
  }
  const isOtherRow =
    verb === 'update' &&
    outcome.remoteId !== null &&
    element.remoteId !== null &&
    outcome.remoteId !== element.remoteId;
  if (isOtherRow) return { is: 'in-doubt', cause: `the answer names ${outcome.remoteId}, not ${element.remoteId}` };
  const remoteId = verb === 'update' || verb === 'logo' ? element.remoteId : outcome.remoteId;
  return { is: 'done', remoteId, serviceFields: serviceFieldsOf(kind, verb, remoteId) };
}
