import { z } from 'zod';
import { operation } from '../api/operation.ts';
import { readPolicy } from '../merge/conflict-policy.ts';

const PolicyText = z
  .string()
  .max(2000)
  .refine((text) => readPolicy(text).ok, 'not a policy');

const kept = z.strictObject({ text: z.string() });

/** Which side counts in conflicts of this account (`shared/merge/conflict-policy.ts`); an empty text asks each time. */
export const conflictPolicyContract = {
  get: operation({ runs: 'main', output: kept }),
  /** Used from the next read of the service on; conflicts that are open stay the user's. */
  set: operation({ runs: 'main', access: 'write', input: { text: PolicyText }, output: kept }),
};
