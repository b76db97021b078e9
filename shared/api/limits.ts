/**
 * How much may be asked for at once. The window cuts its questions by these; they stand apart from the schemas that hold
 * to them, because the window needs the numbers to begin with and the schemas not at all.
 */

/** Largest window a view hands out at once, in rows. */
export const WINDOW_MAX = 500;

/** Most values of a column that are listed at once. */
export const VALUES_MAX = 200;

/** Most rows that an edit answers with as they are afterwards; beyond it a window reads its rows again. */
export const PATCH_MAX = 500;

/** Most rows that the news of a change carries to windows that have not made it. */
export const EVENT_ROWS_MAX = 50;

/** Most rows whose text is handed out at once: a tenth of a second of work, so that what else is asked is not kept waiting. */
export const TEXT_MAX = 5000;

/** Most cells that one edit may set. */
export const CHANGES_MAX = 200_000;

/** Most campaigns one answer about launches holds: each of them is read whole. */
export const LAUNCH_MAX = 100;

/** Fewest characters of a passphrase: with so many the slow derivation makes guessing hopeless. */
export const PASSPHRASE_MIN = 12;

/** The most that the log of responses can keep, in megabytes (2^20 bytes). */
export const RESPONSE_LOG_MAX_MB = 4096;

/** Most campaigns that are taken in by one call: each costs a handful of requests. */
export const ADD_CAMPAIGNS_MAX = 1000;

/** Characters that are shown of the body of a request or a response. */
export const BODY_SHOWN_MAX = 100_000;

/** Most campaigns of one storyboard: more are no page that somebody reads. */
export const STORYBOARD_MAX = 200;

/** Campaigns that an overlap of keywords shows, and keywords that two of them share. */
export const OVERLAP_CAMPAIGNS_MAX = 400;
export const OVERLAP_KEYWORDS_MAX = 1000;
