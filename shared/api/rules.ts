import { z } from 'zod';
import { USER_RULES_MAX } from '../rules/custom-rules.ts';
import { CHECK_STAGES } from '../rules/rule.ts';
import { operation } from './operation.ts';
import { jsonText, KindSchema, SeveritySchema } from './scalars.ts';

/** A rule that the user wrote. Whether its parts can be used is judged when it is saved. */
export const UserRuleSchema = z.strictObject({
  id: z.string().max(64),
  /** What its issues say. */
  name: z.string().max(200),
  kind: KindSchema,
  severity: SeveritySchema,
  /** In the search syntax. */
  query: z.string().max(2000),
  enabled: z.boolean(),
  /** Rows that it has to find or to pass, as a rule pack has them. */
  samples: z
    .array(z.strictObject({ finds: z.boolean(), row: z.string().max(2000) }))
    .max(50)
    .optional(),
});

export type UserRule = z.infer<typeof UserRuleSchema>;

/** The JSON text under which a workspace keeps its rules. */
export const UserRulesText = jsonText(z.array(UserRuleSchema));

const listed = z.array(
  UserRuleSchema.extend({
    /** Why the rule cannot be run, for example because a field it names is gone; null for one that runs. */
    problem: z.string().nullable(),
  }),
);

const mutedIds = z.array(z.string());

/** Rules of the user's own: what the search finds becomes a finding. One of severity `error` keeps its rows from being sent. */
export const rulesContract = {
  list: operation({ output: listed }),
  /** Adds the rule, or replaces the one with its id. Everything is checked again in the background. */
  save: operation({
    announced: true,
    access: 'write',
    input: { rule: UserRuleSchema },
    output: listed,
    errors: ['BAD_RULE'],
  }),
  /** Adds the rules of a pack, or replaces those with their IDs: all of them or, with BAD_RULE, none. */
  savePack: operation({
    announced: true,
    access: 'write',
    input: { rules: z.array(UserRuleSchema).min(1).max(USER_RULES_MAX) },
    output: listed,
    errors: ['BAD_RULE'],
  }),
  remove: operation({
    announced: true,
    access: 'write',
    input: { id: UserRuleSchema.shape.id },
    output: listed,
  }),
  /**
   * Checks what is still to be checked, and says which of the three stages ran when, in milliseconds since 1970: rows by
   * themselves, rows beside each other, and against what the service said last (null: it was never read).
   */
  check: operation({
    output: z.strictObject({
      stages: z.array(z.strictObject({ stage: z.enum(CHECK_STAGES), rules: z.int(), at: z.int().nullable() })),
    }),
  }),
  /** Rules of ours that are silent in this workspace. */
  muted: operation({ output: mutedIds }),
  /** Silences a warning or a piece of advice, or lets it speak again. BAD_RULE: it is an error, or not there. */
  mute: operation({
    announced: true,
    access: 'write',
    input: { rule: z.string().max(100), muted: z.boolean() },
    output: mutedIds,
    errors: ['BAD_RULE'],
  }),
};
