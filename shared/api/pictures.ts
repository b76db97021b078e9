import { z } from 'zod';
import { operation } from './operation.ts';
import { RowIdSchema } from './scalars.ts';

/** What a picture is of. Never an address: which address that is, main knows. */
export const PictureOf = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('item'), itemId: z.string().min(1).max(40) }),
  z.strictObject({ is: z.literal('row'), kind: z.enum(['sbaProfile', 'videoProfile', 'media']), id: RowIdSchema }),
]);
export type PictureOf = z.infer<typeof PictureOf>;

export const ShownPicture = z.strictObject({
  /** Address of ours to show; null when there is no picture to show. */
  url: z.string().nullable(),
  /** `none`: the service names no picture. `host`: nobody has allowed pictures from `host`. `unfit`: it cannot be drawn. */
  why: z.enum(['none', 'host', 'unfit', 'unreachable']).nullable(),
  host: z.string(),
});
export type ShownPicture = z.infer<typeof ShownPicture>;

export const picturesContract = {
  /** A picture of the service, from the cache or fetched now. It may take some seconds. */
  show: operation({ runs: 'main', input: { of: PictureOf }, output: ShownPicture }),
};
