import { z } from 'zod';

/** A file that main has written for the window to save; `url` is below the host's own origin. */
export const ExportedFile = z.strictObject({
  fileName: z.string(),
  url: z.string(),
  contentType: z.string(),
  bytes: z.int(),
  rows: z.int(),
  /** An archive or a file of changes that could not be signed, because the key is locked away. */
  isUnsigned: z.literal(true).optional(),
});
export type ExportedFile = z.infer<typeof ExportedFile>;
