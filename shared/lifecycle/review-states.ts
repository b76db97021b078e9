import type { Values } from '../model/fields.ts';

/**
 * Review of an ad group, and processing of a video (document, "Review status"; wire shapes, section 4).
 *
 *   submit --> pending --> in-progress --> approved         request, upload, complete
 *                 |             |     \--> rejected              |
 *                 +--- cancel --+                          local --> uploading --> processing --> available
 *                        v                                   ^---- cut off ---|         \--> failed --> upload anew
 *                    cancelled --> submit anew
 *
 * The review of one part, which ad operations may revise:
 *
 *   pending --> approved <--> rejected        back to pending by re-enabling, new content or another submission
 */
export type ReviewState = NonNullable<Values<'adGroup'>['reviewStatus']>;
export type PartReview = NonNullable<Values<'adItem'>['reviewStatus']>;
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
  // The retailer may block a video, or let it pass after all.
  available: ['failed'],
  failed: ['uploading', 'available'],
};

export const PART_TRANSITIONS: Readonly<Record<PartReview, readonly PartReview[]>> = {
  pending: ['approved', 'rejected'],
  approved: ['pending', 'rejected'],
  rejected: ['pending', 'approved'],
};

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

/**
 * What a review said of one part: a profile, an item, a keyword. `complete` is both outcomes, and the reason tells
 * which (wire shapes, section 5, "SBA profile"); unknown words are null.
 */
export function partReview(word: string, reason: string | null): PartReview | null {
  if (isComplete(word)) return (reason ?? '').trim() === '' ? 'approved' : 'rejected';
  const state = reviewState(word);
  return state === 'in-progress' ? 'pending' : state === 'cancelled' ? null : state;
}

/** Whether a review is over without saying how: its components do (wire shapes, section 2, "Two dialects"). */
export const isComplete = (word: string): boolean => word.trim().toLowerCase() === 'complete';
