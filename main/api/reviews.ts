import { isComplete, type PartReview, type ReviewState, reviewState } from '../../shared/lifecycle/states.ts';
import { FIELDS } from '../../shared/model/fields.ts';
import type { RemoteId, UnknownWord } from '../../shared/model/scalars.ts';
import { fetchRecords, type Listed, noneAsEmpty, type Read } from './fetch-records.ts';
import type { Http } from './http.ts';
import { isJsonList, type JsonValue } from './lossless-json.ts';
import { idOf, recordFieldsOf, reviewOutcome, textOf, wordOf } from './parse-record.ts';

/** The outcome of a review for one row. */
export interface ReviewComponent {
  readonly kind: 'sbaProfile' | 'videoProfile' | 'adItem' | 'keyword' | null;
  readonly remoteId: RemoteId;
  readonly status: PartReview | UnknownWord;
  readonly reason: string | null;
}

export interface ReviewRecord {
  readonly reviewId: RemoteId;
  /** A word that this version does not know counts as undecided and is displayed as received. */
  readonly state: ReviewState | UnknownWord;
  readonly components: readonly ReviewComponent[];
}

/** Lists every review of an ad group; the newest ID counts (wire shapes, section 4). */
export const listReviews = (http: Http, adGroupId: RemoteId): Read<Listed<ReviewRecord>> =>
  noneAsEmpty(
    fetchRecords(http, '/api/v1/review', { advertiserId: http.connection.advertiserId, adGroupId }, (element) =>
      review(element),
    ),
  );

/** The review that counts: the one with the largest ID. IDs are compared as numbers of any size. */
export function newestReview(reviews: readonly ReviewRecord[]): ReviewRecord | null {
  const ordered = reviews.toSorted((a, b) => compareIds(b.reviewId, a.reviewId));
  return ordered[0] ?? null;
}

export const compareIds = (a: string, b: string): number =>
  a.length === b.length ? (a < b ? -1 : a > b ? 1 : 0) : a.length - b.length;

function review(element: JsonValue): ReviewRecord | null {
  const members = recordFieldsOf(element);
  const reviewId = idOf(members?.get('reviewId', 'id'));
  if (members === null || reviewId === null) return null;
  const list = members.get('components', 'reviewComponents');
  const components = isJsonList(list) ? list.map(component).filter((found) => found !== null) : [];
  const state = stateOf(textOf(members.get('reviewStatus', 'status')), components);
  return {
    reviewId,
    state,
    components,
  };
}

/** A review without a state counts as pending; if it was dropped, an older review would be used. */
function stateOf(word: string | null, components: readonly ReviewComponent[]): ReviewState | UnknownWord {
  if (word === null) return 'pending';
  if (isComplete(word)) return components.some((one) => one.status === 'rejected') ? 'rejected' : 'approved';
  return reviewState(word) ?? wordOf(FIELDS.adGroup.reviewStatus, word) ?? 'pending';
}

function component(element: JsonValue): ReviewComponent | null {
  const members = recordFieldsOf(element);
  const type = textOf(members?.get('type', 'componentType'));
  const remoteId = idOf(members?.get('id', 'componentId'));
  if (members === null || type === null || remoteId === null) return null;
  const reason = members.get('reason', 'reviewReason', 'details');
  return {
    kind: componentKind(type),
    remoteId,
    status: reviewOutcome(members.get('status', 'reviewStatus'), reason) ?? 'pending',
    reason: textOf(reason),
  };
}

function componentKind(type: string): ReviewComponent['kind'] {
  const folded = type.toLowerCase().replace(/[\s_-]+/g, '');
  if (folded.startsWith('sba')) return 'sbaProfile';
  if (folded.startsWith('video') || folded === 'adgroupmedia') return 'videoProfile';
  if (folded === 'aditem' || folded === 'item') return 'adItem';
  return folded.startsWith('keyword') ? 'keyword' : null;
}
