import { z } from 'zod';
import { FOLDER_CODES } from '../media/watched-files.ts';
import { operation } from './operation.ts';
import { GrantSchema, RowIdSchema } from './scalars.ts';

const FolderMessage = z.strictObject({
  code: z.enum(FOLDER_CODES),
  facts: z.record(z.string(), z.union([z.string(), z.number()])),
});

/** What became of a file of the watched folder. `waiting`: captions whose video is still to come. */
export const Drop = z.strictObject({
  id: z.int(),
  /** Milliseconds since 1970. */
  at: z.int(),
  /** Below the folder. */
  fileName: z.string(),
  outcome: z.enum(['attached', 'unchanged', 'waiting', 'not-attached', 'refused']),
  /** The reason and the next step (`dropText`). */
  message: FolderMessage,
  campaignId: RowIdSchema.nullable(),
  campaign: z.string().nullable(),
});
export type Drop = z.infer<typeof Drop>;

export const WatchedFolder = z.strictObject({
  on: z.boolean(),
  /** The name of the folder, without its path. */
  folder: z.string(),
  /** The folder is the one that Adslate made for the account. */
  isOwn: z.boolean(),
  state: z.enum(['off', 'watching', 'missing', 'read-only']),
  patterns: z.string(),
  polling: z.boolean(),
  /** Files that are there and still being written. */
  arriving: z.int(),
  /** Newest first, the first 500. */
  drops: z.array(Drop),
  total: z.int(),
});
export type WatchedFolder = z.infer<typeof WatchedFolder>;

const patterns = z.string().max(4000);

/** Files that an agency puts into a folder are attached to drafts by their names. Nothing is sent. */
export const watchedFolderContract = {
  state: operation({ output: WatchedFolder }),
  /** What is left out stays as it is. BAD_TOOL: a pattern that cannot be used. */
  set: operation({
    announced: true,
    access: 'write',
    input: {
      on: z.boolean().optional(),
      patterns: patterns.optional(),
      polling: z.boolean().optional(),
      /** A folder that the host has granted; null for the one of the account. */
      folder: GrantSchema.nullable().optional(),
    },
    output: WatchedFolder,
    errors: ['BAD_TOOL', 'NO_GRANT'],
  }),
  /** Where files of these names would go. */
  test: operation({
    input: { patterns, names: z.array(z.string().max(255)).max(50) },
    output: z.strictObject({
      problem: FolderMessage.nullable(),
      names: z.array(
        z.strictObject({
          name: z.string(),
          campaign: z.string().nullable(),
          creative: z.string().nullable(),
          problem: FolderMessage.nullable(),
        }),
      ),
    }),
  }),
  /** Looks into the folder now; `again` has files tried once more that were not attached. */
  scan: operation({
    announced: true,
    access: 'write',
    input: { again: z.boolean().default(false) },
    output: WatchedFolder,
  }),
};
