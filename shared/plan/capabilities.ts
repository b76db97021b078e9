import type { StepName } from '../lifecycle/eligibility.ts';
import type { Kind } from '../model/kinds.ts';
import type { Capabilities } from './plan-types.ts';

/** The calls beyond the documented ones that services of this family may offer, by what they allow (wire shapes, section 3). */
export const CAPABILITY_NAMES = [
  'campaignRead',
  'campaignUpdate',
  'adGroupRead',
  'adGroupUpdate',
  'keywordRead',
  'keywordUpdate',
  'videoProfileUpdate',
] as const satisfies readonly (keyof Capabilities)[];
export type CapabilityName = (typeof CAPABILITY_NAMES)[number];

/** The request behind each. */
export const CAPABILITY_REQUESTS: Readonly<Record<CapabilityName, string>> = {
  campaignRead: 'GET /api/v1/campaigns',
  campaignUpdate: 'PUT /api/v1/campaigns',
  adGroupRead: 'GET /api/v1/adGroups',
  adGroupUpdate: 'PUT /api/v1/adGroups',
  keywordRead: 'GET /api/v1/keywords',
  keywordUpdate: 'PUT /api/v1/keywords',
  videoProfileUpdate: 'PUT /api/v1/adGroup/media',
};

/**
 * What a user can do to a row of the service that no documented request carries, and the extension that does (wire shapes,
 * section 3). Plan, window and command line derive from this table what is offered; all that is not in it is documented.
 */
export const EXTENSION_COMMANDS = {
  'change-campaign': 'campaignUpdate',
  'enable-campaign': 'campaignUpdate',
  'extend-campaign': 'campaignUpdate',
  'change-ad-group': 'adGroupUpdate',
  'change-keyword': 'keywordUpdate',
  'change-video-profile': 'videoProfileUpdate',
} as const satisfies Readonly<Record<string, CapabilityName>>;
export type ExtensionCommand = keyof typeof EXTENSION_COMMANDS;

const OF_KIND: Readonly<Partial<Record<Kind, ExtensionCommand>>> = {
  campaign: 'change-campaign',
  adGroup: 'change-ad-group',
  keyword: 'change-keyword',
  videoProfile: 'change-video-profile',
};

const OF_STEP: Readonly<Partial<Record<StepName, ExtensionCommand>>> = {
  enable: 'enable-campaign',
  extend: 'extend-campaign',
};

/** The change of a row that the service has; null where documented requests carry it. */
export const changeCommand = (kind: Kind): ExtensionCommand | null => OF_KIND[kind] ?? null;

/** The command that ends a missing step of a campaign; null for a documented one. */
export const stepCommand = (step: StepName): ExtensionCommand | null => OF_STEP[step] ?? null;

/** Whether a command can be carried out here. */
export const isCarried = (command: ExtensionCommand | null, can: Capabilities): boolean =>
  command === null || can[EXTENSION_COMMANDS[command]];

/** The commands that rest on an extension, in the order of the table. */
export const commandsOf = (name: CapabilityName): readonly ExtensionCommand[] =>
  (Object.keys(EXTENSION_COMMANDS) as ExtensionCommand[]).filter((command) => EXTENSION_COMMANDS[command] === name);
