/**
 * Numbers of the document that the window shows before it knows of any deployment (document, "Limits"). The deployment
 * profile begins with them, and the rules judge by the account's own profile.
 */

/** Longest brand and headline of an SBA profile, in code points. */
export const SBA_TEXT = { brandMax: 35, headlineMax: 45 } as const;

/** Size of a logo in pixels. */
export const LOGO_PIXELS = { width: 100, height: 100 } as const;
