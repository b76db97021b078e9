import type { SyncSize } from '../../app/confirm-large-sync.ts';

/**
 * What both hosts ask, outside their windows, before a run that does much.
 *
 * @param locale how the user has numbers written (`de-DE`); null for the language of the system
 */
export function largeSyncQuestion(account: string, { creates, budgetCents }: SyncSize, locale: string | null): string {
  const tag = locale ?? undefined;
  const money = (budgetCents / 100).toLocaleString(tag, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return `Send ${creates.toLocaleString(tag)} new elements and budgets of ${money} to ${account}?`;
}

export const LARGE_SYNC_DETAIL =
  'They are made on the service and may spend money. Keep them here if you did not ask for this.';
