import type { AnyValues } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { RemoteId } from '../../shared/model/scalars.ts';
import type { Verb } from '../../shared/plan/plan-types.ts';
import type { ResultShape } from '../api/classify-response.ts';
import { multiplierId } from '../api/partner-api.ts';
import type { ElementOutcome } from '../api/request-outcome.ts';
import type { ElementSettlement } from '../store/outbox/outbox-types.ts';

/** The names under which the response to a batch has the IDs of its rows. */
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

/** Multipliers are identified by campaign and type; the number in their response is ignored. */
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
    // Equal numbers of multipliers prove nothing, so they are not checked.
    idNames: isPair(kind) ? [] : ID_NAMES[kind],
    needsId: makesId && !isPair(kind),
    isTaken: makesId && kind !== 'review' ? isTaken : () => false,
    names,
  };
}

/**
 * The values by which a result is matched with its element: its ID if it has one, and the identifying fields of its
 * kind.
 */
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

/** Wire names of the fields that identify a row within a batch, by kind. */
const IDENTITY: Readonly<Partial<Record<Kind | 'review', Readonly<Record<string, string>>>>> = {
  adItem: { itemId: 'itemId' },
  keyword: { keywordText: 'text', matchType: 'matchType' },
  placementMultiplier: { placementType: 'placement' },
  platformMultiplier: { platformType: 'platform' },
};

/** Service-only fields after an accepted request. */
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

/** The outcome of one element as the outbox records it. */
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
