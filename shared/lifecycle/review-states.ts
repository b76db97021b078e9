import type { Values } from '../model/fields.ts';

/**
 * Review of an ad group, and processing of a video (document, "Review status"; wire shapes, section 4).
 *
 *   submit --> pending --> in-progress --> approved         request, upload, complete
 *                 |             |     \--> rejected              |
 *                 +--- cancel --+                          local --> uploading --> processing --> available
 *                        v                                   ^---- cut off ---|         \--> failed --> upload anew
 *                    cancelled --> submit anew
 */
export type ReviewState = NonNullable<Values<'adGroup'>['reviewStatus']>;
export type MediaState = NonNullable<Values<'media'>['mediaState']>;

export const REVIEW_TRANSITIONS: Readonly<Record<ReviewState, readonly ReviewState[]>> = {
  pending: ['in-progress', 'approved', 'rejected', 'cancelled'],
  'in-progress': ['approved', 'rejected', 'cancelled'],
  cancelled: ['pending'],
  approved: ['pending'],
  rejected: ['pending'],
};

export const MEDIA_TRANSITIONS: Readonly<Record<MediaState, readonly MediaState[]>> = {
  local: ['uploading'],
  uploading: ['local', 'processing'],
  processing: ['available', 'failed'],
  available: [],
  failed: ['uploading'],
};

/** Only a review that has not ended can be cancelled; afterwards items and keywords may be added again. */
export const canCancel = (state: ReviewState | null): boolean => state === 'pending' || state === 'in-progress';
/** One review at a time: a new one can be asked for once the last has ended. */
export const canSubmit = (state: ReviewState | null): boolean => !canCancel(state);

/** Reads the service's word for a review, whatever its spelling; unknown words are null and shown as they came. */
export function reviewState(word: string): ReviewState | null {
  const known: Readonly<Record<string, ReviewState>> = {
    pending: 'pending',
    submitted: 'pending',
    inprogress: 'in-progress',
    cancelled: 'cancelled',
    canceled: 'cancelled',
    approved: 'approved',
    rejected: 'rejected',
  };
  const key = word.toLowerCase().replace(/[\s_-]+/g, '');
  return Object.hasOwn(known, key) ? (known[key] ?? null) : null;
}

/** A brand profile's own `reviewStatus` knows pending and complete; the reason tells what complete means. */
export function profileReview(word: string, reason: string | null): 'pending' | 'approved' | 'rejected' | null {
  const key = word.toLowerCase();
  if (key === 'complete') return reason === null || reason === '' ? 'approved' : 'rejected';
  const state = reviewState(word);
  return state === 'approved' || state === 'rejected' ? state : state === null ? null : 'pending';
}
