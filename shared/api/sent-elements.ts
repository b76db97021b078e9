/** What became of one element of a request: on its way, its answer lost, only the user can say, done, refused, not carried out. */
export const ELEMENT_STATES = ['SENT', 'IN_DOUBT', 'NEEDS_USER', 'DONE', 'REJECTED', 'RETURNED'] as const;

/** Characters of a body that are shown. */
export const BODY_SHOWN_MAX = 100_000;
