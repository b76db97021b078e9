import { CAPABILITY_REQUESTS, type CapabilityName, EXTENSION_COMMANDS, type ExtensionCommand } from './capabilities.ts';

/** Why a command is not available, and the way out. */
export const NOT_OFFERED = "Not offered by this service. Do it in the service's own console, then refresh.";

/** Where a command is available, what carries it. */
const carriedByText = (command: ExtensionCommand): string =>
  `Carried by an extension of the service: ${CAPABILITY_REQUESTS[EXTENSION_COMMANDS[command]]}.`;

/** What a tooltip or help says of a command; null for a documented one, and while nobody knows what is offered. */
export function offeringText(
  command: ExtensionCommand | null,
  known: readonly { readonly name: CapabilityName; readonly inUse: boolean }[] | undefined,
): { readonly isOffered: boolean; readonly text: string } | null {
  const one = command === null ? undefined : known?.find(({ name }) => name === EXTENSION_COMMANDS[command]);
  if (command === null || one === undefined) return null;
  return { isOffered: one.inUse, text: one.inUse ? carriedByText(command) : NOT_OFFERED };
}
