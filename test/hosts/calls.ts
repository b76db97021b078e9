import type { Call } from './call.ts';
import { CALLS_OF_ACCOUNTS } from './calls-of-accounts.ts';
import { CALLS_OF_ROWS } from './calls-of-rows.ts';
import { CALLS_OF_SERVICE } from './calls-of-service.ts';

/** At least one call of every operation, in an order in which they can follow each other. */
export const CALLS: readonly Call[] = [...CALLS_OF_ACCOUNTS, ...CALLS_OF_ROWS, ...CALLS_OF_SERVICE];
