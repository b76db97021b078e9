/**
 * How much may be asked for at once. The window cuts its questions by these; they stand apart from the schemas that hold
 * to them, because the window needs the numbers to begin with and the schemas not at all.
 */

/** Largest window a view hands out at once, in rows. */
export const WINDOW_MAX = 500;

/** Most rows whose text is handed out at once: a tenth of a second of work, so that what else is asked is not kept waiting. */
export const TEXT_MAX = 5000;

/** Most cells that one edit may set. */
export const CHANGES_MAX = 200_000;

/** Most campaigns one answer about launches holds: each of them is read whole. */
export const LAUNCH_MAX = 100;
