import { z } from 'zod';
import { USER_RULES_MAX } from '../rules/custom-rules.ts';
import { CHECK_STAGES } from '../rules/rule.ts';
import { operation } from './operation.ts';
import { KindSchema, SeveritySchema } from './scalars.ts';

/** A rule of the user. Its parts are checked when it is saved. */
export const UserRuleSchema = z.strictObject({
  id: z.string().max(64),
  /** Text of its issues. */
  name: z.string().max(200),
  kind: KindSchema,
  severity: SeveritySchema,
  /** In the search syntax. */
  query: z.string().max(2000),
  enabled: z.boolean(),
  /** Rows that it must match or not match, as in a rule pack. */
  samples: z
    .array(z.strictObject({ finds: z.boolean(), row: z.string().max(2000) }))
    .max(50)
    .optional(),
});

export type UserRule = z.infer<typeof UserRuleSchema>;

const listed = z.array(
  UserRuleSchema.extend({
    /** Why the rule can't run, for example because its field no longer exists; null for one that runs. */
    problem: z.string().nullable(),
  }),
);

const mutedIds = z.array(z.string());

/** Rules of the user: each search match is an issue. Rows with one of severity `error` are not sent. */
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
   * Runs pending checks and returns when each of the three stages last ran, in milliseconds since 1970: single rows,
   * rows against each other, and rows against the service's last values (null: never read).
   */
  check: operation({
    output: z.strictObject({
      stages: z.array(z.strictObject({ stage: z.enum(CHECK_STAGES), rules: z.int(), at: z.int().nullable() })),
    }),
  }),
  /** Built-in rules that are muted in this workspace. */
  muted: operation({ output: mutedIds }),
  /** Mutes a warning or a suggestion, or unmutes it. BAD_RULE: it is an error, or does not exist. */
  mute: operation({
    announced: true,
    access: 'write',
    input: { rule: z.string().max(100), muted: z.boolean() },
    output: mutedIds,
    errors: ['BAD_RULE'],
  }),
};
