/**
 * Where an id of a campaign or an ad group came from: sent from here, typed by a person, pasted as a column, a line of a
 * sheet, a line of a report, or a list of the service. Stored as text: appended to, never renamed.
 */
export const REMOTE_ID_SOURCES = ['made', 'typed', 'pasted', 'sheet', 'report', 'list'] as const;
export type RemoteIdSource = (typeof REMOTE_ID_SOURCES)[number];

/** The kinds whose ids no documented read lists, so that they have to be known (document, "Endpoints"). */
export const KNOWN_KINDS = ['campaign', 'adGroup'] as const;
export type KnownKind = (typeof KNOWN_KINDS)[number];
