import { z } from 'zod';
import { MENU_PLACES } from './menu-places.ts';

/**
 * What a window would like the system's own menu to hold: its commands, with their names and keys as the user has them.
 * It travels beside the contract, on the desktop's own line, because it means one window and no answer.
 */
const MenuCommand = z.strictObject({
  id: z.string().regex(/^[a-z]+\.[a-z-]{1,40}$/),
  title: z.string().max(200),
  /** As shown, `Ctrl+Shift+E`; null when it has none. */
  keys: z.string().max(40).nullable(),
  enabled: z.boolean(),
});

export const WindowMenu = z.strictObject({
  sections: z
    .array(
      z.strictObject({
        place: z.enum(MENU_PLACES),
        title: z.string().max(60),
        /** Each with a line between it and the next. */
        groups: z.array(z.array(MenuCommand).max(60)).max(20),
      }),
    )
    .max(MENU_PLACES.length),
});
export type WindowMenu = z.infer<typeof WindowMenu>;
