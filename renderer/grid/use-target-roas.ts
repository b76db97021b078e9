import { useQuery } from '@tanstack/react-query';
import { useApi } from '../app/app-context.ts';

/** Where nobody has set a target, in hundredths. */
const USUAL = 400;

/** The ROAS an account aims for, in hundredths. */
export function useTargetRoas(workspaceId: string): number {
  const accounts = useQuery(useApi().accounts.list.queryOptions()).data;
  const target = accounts?.find((account) => account.workspaceId === workspaceId)?.targetRoas ?? null;
  return target === null ? USUAL : Math.round(target * 100);
}
