import { z } from 'zod';
import { operation } from './operation.ts';

/** How an account stands: what may still be sent, when the service is asked again, whether its disk runs full. */
export const AccountStatus = z.strictObject({
  /** Elements that may still be changed, of those an hour allows (wire shapes, section 2, "rate limit"). */
  budgetLeft: z.int(),
  budgetPerHour: z.int(),
  /** When reviews and uploads are looked at by themselves, in milliseconds since 1970; null while that is going on. */
  nextPollAt: z.int().nullable(),
  /** Whether the service answered the last time it was asked; null before the first time. */
  reachable: z.boolean().nullable(),
  /** Until when the service has said it takes no further requests, in milliseconds since 1970; null when it has not. */
  limitedUntil: z.int().nullable(),
  /** Bytes that are free on the disk of the workspace when they are few, else null. */
  lowSpaceBytes: z.int().nullable(),
});
export type AccountStatus = z.infer<typeof AccountStatus>;

export const accountStatusContract = {
  get: operation({ runs: 'main', output: AccountStatus }),
};
