import { z } from 'zod';

/** Sizes and visibility of panes, columns and chosen keys, as the window stores them (`renderer/app/store/layout-slice.ts`). */
export const Layout = z.record(z.string(), z.union([z.number(), z.boolean(), z.string()]));
export type Layout = Readonly<z.infer<typeof Layout>>;
