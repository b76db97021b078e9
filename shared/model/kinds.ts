/**
 * The kinds of row a workspace holds. The order is stored (as a small integer in the history tables),
 * so new kinds are appended and none is ever removed.
 */
export const KINDS = [
  'campaign',
  'adGroup',
  'adItem',
  'keyword',
  'sbaProfile',
  'videoProfile',
  'placementMultiplier',
  'platformMultiplier',
  'media',
] as const;

export type Kind = (typeof KINDS)[number];

/** Kinds that are compared: all but files, which rows name. */
export const COMPARED_KINDS = KINDS.filter((kind) => kind !== 'media');

/** Where a kind hangs: campaigns and media belong to the account, the rest to a campaign or its ad group. */
export const PARENT_OF: Readonly<Record<Kind, 'account' | 'campaign' | 'adGroup'>> = {
  campaign: 'account',
  adGroup: 'campaign',
  adItem: 'adGroup',
  keyword: 'adGroup',
  sbaProfile: 'adGroup',
  videoProfile: 'adGroup',
  placementMultiplier: 'campaign',
  platformMultiplier: 'campaign',
  media: 'account',
};

export const kindCode = (kind: Kind): number => KINDS.indexOf(kind);

/**
 * Where an id of a campaign or an ad group came from: sent from here, typed by a person, pasted as a column, a line of a
 * sheet, a line of a report, or a list of the service. Stored as text: appended to, never renamed.
 */
export const REMOTE_ID_SOURCES = ['made', 'typed', 'pasted', 'sheet', 'report', 'list'] as const;
export type RemoteIdSource = (typeof REMOTE_ID_SOURCES)[number];

/** The kinds whose ids no documented read lists, so that they have to be known (document, "Endpoints"). */
export const KNOWN_KINDS = ['campaign', 'adGroup'] as const;
export type KnownKind = (typeof KNOWN_KINDS)[number];
