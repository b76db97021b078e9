import { oc } from '@orpc/contract';
import { z } from 'zod';
import { may } from './errors.ts';
import { inWorkspace } from './scalars.ts';

/** How an account stands with its service: what may still be sent, and when the service is asked again. */
export const Standing = z.strictObject({
  /** Elements that may still be changed, of those an hour allows (wire shapes, section 2, "rate limit"). */
  budgetLeft: z.int(),
  budgetPerHour: z.int(),
  /** When reviews and uploads are looked at by themselves, in milliseconds since 1970; null while that is going on. */
  nextPollAt: z.int().nullable(),
});
export type Standing = z.infer<typeof Standing>;

export const standingContract = {
  get: oc.input(inWorkspace).output(Standing).errors(may('NO_WORKSPACE')),
};
