import { type ExtensionCommand, offeringText } from '../../shared/plan/capabilities.ts';
import { useView } from '../app/app-context.ts';
import { capabilities } from './account-questions.ts';
import { useQuery } from './use-query.ts';

/**
 * Whether the open account's service offers a command, and what a tooltip says of it. Null for commands that documented
 * requests carry, and while nobody knows what the service offers.
 */
export function useOffering(command: ExtensionCommand | null): ReturnType<typeof offeringText> {
  const workspaceId = useView((s) => s.workspaceId);
  const known = useQuery(command === null || workspaceId === null ? null : capabilities(workspaceId)).data;
  return offeringText(command, known);
}
