/**
 * Limits of one request. They are separate from the schemas that enforce them, because the window needs the numbers at
 * its start and the schemas not at all.
 */

/** Most rows that a view returns at once. */
export const WINDOW_MAX = 500;

/** Most values of a column that are listed at once. */
export const VALUES_MAX = 200;

/** Most rows that the result of an edit includes; beyond it a window reads its rows again. */
export const PATCH_MAX = 500;

/** Most rows in the event of a change for the other windows. */
export const EVENT_ROWS_MAX = 50;

/** Most rows whose text is returned at once: a tenth of a second of work, so that other calls do not wait long. */
export const TEXT_MAX = 5000;

/** Most rows whose suggested bids are returned at once: with a suggestion for each, as much work. */
export const SUGGESTED_MAX = 2000;

/** Most cells that one edit may set. */
export const CHANGES_MAX = 200_000;

/** Most rows that one call creates. */
export const CREATE_MAX = 10_000;

/** Most conflicts that one call resolves. */
export const RESOLVE_MAX = 10_000;

/** Most campaigns in one result about launches: each of them is read completely. */
export const LAUNCH_MAX = 100;

/** Fewest characters of a passphrase: from this length the slow derivation makes guessing infeasible. */
export const PASSPHRASE_MIN = 12;

/** Maximum size of the log of responses, in megabytes (2^20 bytes). */
export const RESPONSE_LOG_MAX_MB = 4096;

/** Most campaigns added by one call: each costs several requests. */
export const ADD_CAMPAIGNS_MAX = 1000;

/** Characters that are shown of the body of a request or a response. */
export const BODY_SHOWN_MAX = 100_000;

/** Most campaigns of one storyboard: nobody reads a longer page. */
export const STORYBOARD_MAX = 200;

/** Campaigns that an overlap of keywords shows, and keywords that two of them share. */
export const OVERLAP_CAMPAIGNS_MAX = 400;
export const OVERLAP_KEYWORDS_MAX = 1000;

/** Most campaigns whose keywords are spread over new campaigns in one step. */
export const SPREAD_MAX = 100;

/** Most dismissed suggestions of an account; the oldest are listed again. */
export const DISMISSALS_MAX = 20_000;

/** Most banner swaps of an account; the oldest are forgotten first. */
export const SWAPS_MAX = 200;
