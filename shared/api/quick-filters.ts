/** What a view may be narrowed to with one click. */
export const QUICK_FILTERS = [
  'all',
  'changed',
  'errors',
  'warnings',
  'conflicts',
  'in-doubt',
  'rejected',
  'held',
  /** Something of the row is under way at the service: a review, an upload, a request. */
  'waiting',
  /** Somebody has written a comment on the row that is still open. */
  'commented',
  /** A comment on the row was resolved. */
  'resolved',
] as const;
