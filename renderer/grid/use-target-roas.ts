import { useQuery } from '@tanstack/react-query';
import { useApi } from '../app/app-context.ts';

/** Where nobody has set a target, in hundredths. */
const USUAL = 400;

/** The ROAS that an account aims for, in hundredths: that of its goal, else the one that it was set up with. */
export function useTargetRoas(workspaceId: string): number {
  const kept = useQuery(useApi().suggestions.goals.queryOptions({ input: { workspaceId } })).data;
  const own = kept?.goals.find(({ scope }) => scope.of === 'account')?.goal;
  const accounts = useQuery(useApi().accounts.list.queryOptions()).data;
  const target = accounts?.find((account) => account.workspaceId === workspaceId)?.targetRoas ?? null;
  if (own?.is === 'roas') return own.target;
  return target === null ? USUAL : Math.round(target * 100);
}
