import type { SendSize } from '../../ask-to-send.ts';

/** What both hosts ask, outside their windows, before a run that does much. */
export const sendQuestion = (account: string, { creates, budgetCents }: SendSize): string =>
  `Send ${creates.toLocaleString('en-US')} new elements and budgets of ${money(budgetCents)} to ${account}?`;

export const SEND_DETAIL =
  'They are made on the service and may spend money. Keep them here if you did not ask for this.';

const money = (cents: number): string =>
  (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
