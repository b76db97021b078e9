/**
 * Where a change stands on its way to the service.
 *
 *   held --release--> ready --a sync sends it--> queued --answered--> no change any more
 *                       |  ^
 *   an error, a conflict|  |mended, settled          a review is open | over
 *                       v  |                                          v |
 *                      blocked                                    after-review
 *
 * `ready` goes with the next sync; `queued` is on its way and its answer is awaited; the other three are not sent.
 */
export const CHANGE_STATUSES = ['ready', 'queued', 'after-review', 'blocked', 'held'] as const;
export type ChangeStatus = (typeof CHANGE_STATUSES)[number];
