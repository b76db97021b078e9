import { z } from 'zod';
import { ExportedFile } from './files.ts';
import { STORYBOARD_MAX } from './limits.ts';
import { operation } from './operation.ts';
import { GrantSchema, RowIdSchema, RowRefSchema, seenName, seenText } from './scalars.ts';

/** Comments and verdicts one client sends back. */
const ENTRIES_MAX = 2000;

const Verdict = z.enum(['approved', 'rejected']);

/** A client's reply: a small file made by the page without a network. Other content is ignored. */
export const StoryboardReturn = z.strictObject({
  format: z.literal('adslate-comments'),
  version: z.literal(1),
  storyboard: z.uuid(),
  name: seenName(100),
  entries: z
    .array(
      z.strictObject({
        ref: RowRefSchema,
        field: z.string().max(60).nullable(),
        text: z.union([z.literal(''), seenText(4000)]),
        verdict: Verdict.nullable(),
        /** When it was written, milliseconds since 1970, by the client's clock. */
        at: z.int().min(0).max(8_640_000_000_000),
      }),
    )
    .max(ENTRIES_MAX),
});
export type StoryboardReturn = z.infer<typeof StoryboardReturn>;

export const storyboardContract = {
  /** Exports campaigns as one self-contained page: banners, videos, items, keywords. `rows` are its campaigns. */
  export: operation({
    input: {
      campaignIds: z.array(RowIdSchema).min(1).max(STORYBOARD_MAX),
      /** Includes bids and budgets. */
      money: z.boolean().default(false),
    },
    output: ExportedFile,
    errors: ['NO_ROW'],
  }),
  /** Adds a client's replies as comments, and changes nothing else. A file that was imported before adds nothing. */
  import: operation({
    access: 'write',
    input: { grant: GrantSchema },
    output: z.strictObject({
      name: z.string(),
      comments: z.int(),
      approved: z.int(),
      rejected: z.int(),
      /** Entries about rows that no longer exist. */
      skipped: z.int(),
    }),
    errors: ['NO_GRANT', 'BAD_FILE'],
  }),
};
