import { oc } from '@orpc/contract';
import { z } from 'zod';
import { readPolicy } from '../merge/conflict-policy.ts';
import { inAccount } from './errors.ts';
import { inWorkspace } from './scalars.ts';

const PolicyText = z
  .string()
  .max(2000)
  .refine((text) => readPolicy(text).ok, 'not a policy');

const kept = z.strictObject({ text: z.string() });

/** Which side counts in conflicts of this account (`shared/merge/conflict-policy.ts`); an empty text asks each time. */
export const conflictPolicyContract = {
  get: oc.input(inWorkspace).output(kept).errors(inAccount()),
  /** Used from the next read of the service on; conflicts that are open stay the user's. */
  set: oc
    .input(inWorkspace.extend({ text: PolicyText }))
    .output(kept)
    .errors(inAccount()),
};
