import { z } from 'zod';
import { FOLDER_CODES } from '../media/watched-files.ts';
import { operation } from './operation.ts';
import { GrantSchema, RowIdSchema } from './scalars.ts';

const FolderMessage = z.strictObject({
  code: z.enum(FOLDER_CODES),
  facts: z.record(z.string(), z.union([z.string(), z.number()])),
});

/** Result of a file in the watched folder. `waiting`: captions whose video is still missing. */
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
  /** The folder is the one that Adslate created for the account. */
  isOwn: z.boolean(),
  /** `missing`: the folder is not there or can't be read. `failed`: taking the files failed; it is tried again. */
  state: z.enum(['off', 'watching', 'missing', 'read-only', 'failed']),
  /** Why no file is taken, with the next step; null while the folder is off or watched. */
  problem: FolderMessage.nullable(),
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

/** Attaches files from a watched folder to drafts by their names. Nothing is sent. */
export const watchedFolderContract = {
  state: operation({ output: WatchedFolder }),
  /** Absent settings stay unchanged. BAD_TOOL: a pattern that can't be used. */
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
  /** Where files of these names would be attached. */
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
  /** Scans the folder now; `again` retries files that were not attached. */
  scan: operation({
    announced: true,
    access: 'write',
    input: { again: z.boolean().default(false) },
    output: WatchedFolder,
  }),
};
