/**
 * The kinds of rows in a workspace, with their parent: campaigns and media belong to the account, the rest to a campaign
 * or its ad group. The order is stored (as a small integer in the history tables), so new kinds are appended and none is
 * ever removed.
 */
export const PARENT_OF = {
  campaign: 'account',
  adGroup: 'campaign',
  adItem: 'adGroup',
  keyword: 'adGroup',
  sbaProfile: 'adGroup',
  videoProfile: 'adGroup',
  placementMultiplier: 'campaign',
  platformMultiplier: 'campaign',
  media: 'account',
} as const;

export type Kind = keyof typeof PARENT_OF;
export const KINDS = Object.keys(PARENT_OF) as readonly Kind[];

/** Kinds that are compared: all but files, which other rows refer to. */
export const COMPARED_KINDS = KINDS.filter((kind) => kind !== 'media');

export const kindCode = (kind: Kind): number => KINDS.indexOf(kind);

/**
 * Source of the ID of a campaign or an ad group: created here, typed, pasted as a column, a line of a spreadsheet, a
 * line of a report, or a list of the service. Stored as text: append only, never rename.
 */
export const REMOTE_ID_SOURCES = ['made', 'typed', 'pasted', 'sheet', 'report', 'list'] as const;
export type RemoteIdSource = (typeof REMOTE_ID_SOURCES)[number];

/** The kinds whose IDs no documented read lists, so that the user must add them (document, "Endpoints"). */
export const KNOWN_KINDS = ['campaign', 'adGroup'] as const;
export type KnownKind = (typeof KNOWN_KINDS)[number];
