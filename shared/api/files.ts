import { z } from 'zod';
import { operation } from './operation.ts';
import { GrantSchema, RowIdSchema } from './scalars.ts';

const params = z.record(z.string(), z.union([z.string(), z.number()]));

export const RefusedFile = z.strictObject({
  outcome: z.literal('refused'),
  fileName: z.string(),
  reason: z.string(),
  params,
});
export type RefusedFile = z.infer<typeof RefusedFile>;

/** What became of one file that was dropped or picked. */
export const AddedFile = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('added'),
    fileName: z.string(),
    mediaId: RowIdSchema,
    mediaType: z.enum(['video', 'caption', 'logo']),
    /** True when the library had the same bytes already. */
    known: z.boolean(),
  }),
  RefusedFile,
]);
export type AddedFile = z.infer<typeof AddedFile>;

export const mediaContract = {
  /** Probes granted files and copies the good ones into the media library. One bad file never stops its neighbours. */
  add: operation({
    runs: 'main',
    access: 'write',
    input: { grants: z.array(GrantSchema).min(1).max(200) },
    output: z.strictObject({ files: z.array(AddedFile), revision: z.int() }),
    errors: ['NO_GRANT'],
  }),
  /** An address below the host's own origin that serves the file's bytes to this window only, and the name it leaves under. */
  preview: operation({
    runs: 'main',
    input: { mediaId: RowIdSchema },
    output: z.strictObject({ url: z.string(), contentType: z.string(), fileName: z.string() }),
    errors: ['NO_ROW'],
  }),
};
