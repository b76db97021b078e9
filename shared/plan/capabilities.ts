import type { StepName } from '../lifecycle/eligibility.ts';
import type { Kind } from '../model/kinds.ts';
import { CAPABILITY_REQUESTS, type Capabilities, type CapabilityName } from './plan-types.ts';

/**
 * Commands on rows of the service that no documented request can do, and the extension that can (wire shapes, section
 * 3). Plan, window and command line derive from this table what they offer; any other command is documented.
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

/** The command to change a row on the service; null where documented requests do it. */
export const changeCommand = (kind: Kind): ExtensionCommand | null => OF_KIND[kind] ?? null;

/** The command that ends a missing step of a campaign; null for a documented one. */
export const stepCommand = (step: StepName): ExtensionCommand | null => OF_STEP[step] ?? null;

/** Whether a command is available here. */
export const isCarried = (command: ExtensionCommand | null, can: Capabilities): boolean =>
  command === null || can[EXTENSION_COMMANDS[command]];

/** The commands that need an extension, in the order of the table. */
export const commandsOf = (name: CapabilityName): readonly ExtensionCommand[] =>
  (Object.keys(EXTENSION_COMMANDS) as ExtensionCommand[]).filter((command) => EXTENSION_COMMANDS[command] === name);

/** Why a command is not available, and the alternative. */
export const NOT_OFFERED = "Not supported by this service. Use the retailer's console, then refresh.";

/** The request of an available command. */
const carriedByText = (command: ExtensionCommand): string =>
  `Uses an extension of the service: ${CAPABILITY_REQUESTS[EXTENSION_COMMANDS[command]]}.`;

/** Help text on whether the service offers a command; null for a documented command, and while it is unknown. */
export function offeringText(
  command: ExtensionCommand | null,
  known: readonly { readonly name: CapabilityName; readonly inUse: boolean }[] | undefined,
): { readonly isOffered: boolean; readonly text: string } | null {
  const one = command === null ? undefined : known?.find(({ name }) => name === EXTENSION_COMMANDS[command]);
  if (command === null || one === undefined) return null;
  return { isOffered: one.inUse, text: one.inUse ? carriedByText(command) : NOT_OFFERED };
}
