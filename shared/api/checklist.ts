import { z } from 'zod';
import { CHECKLIST_STEPS } from './choices.ts';
import { operation } from './operation.ts';
import { jsonText, RowIdSchema } from './scalars.ts';

/** Steps are completed by events in the account, never by a click on them. */
const Checklist = z.strictObject({
  done: z.array(z.enum(CHECKLIST_STEPS)),
  /** Closed by the user; it can be opened again. */
  closed: z.boolean(),
});
export type Checklist = z.infer<typeof Checklist>;

/** The JSON text of the checklist in a workspace, with the initial state that steps are compared with. */
export const ChecklistText = jsonText(
  Checklist.extend({
    /** Bids in cents, of rows by kind and ID, such as `keyword/12`. */
    bids: z.record(z.string(), z.int()),
    campaigns: z.array(RowIdSchema),
    /** Those of them that were live. */
    live: z.array(RowIdSchema),
  }),
);
export type KeptChecklist = z.infer<typeof ChecklistText>;

const shown = Checklist.nullable();

export const checklistContract = {
  /** Null for an account without one: only sample accounts have it. */
  get: operation({ output: shown }),
  /** The overview was on screen. */
  seeOverview: operation({ access: 'write', output: shown }),
  setClosed: operation({ access: 'write', input: { closed: z.boolean() }, output: shown }),
};
