import type { Values } from '../model/fields.ts';
import type { UnknownWord } from '../model/scalars.ts';

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
export type ReviewState = Exclude<Values<'adGroup'>['reviewStatus'], UnknownWord | null>;
export type PartReview = Exclude<Values<'adItem'>['reviewStatus'], UnknownWord | null>;
export type MediaState = Exclude<Values<'media'>['mediaState'], UnknownWord | null>;

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
