import { z } from 'zod';
import { jsonText } from './json-text.ts';
import { operation } from './operation.ts';

/** So many are kept; the oldest go first. */
export const NOTIFICATIONS_MAX = 100;

export const NEWS_TEXT_MAX = 1000;

/** Something that happened in an account by itself. */
export const NotificationEntry = z.strictObject({
  /** Milliseconds since 1970. */
  at: z.int().min(0),
  tone: z.enum(['good', 'bad', 'plain']),
  text: z.string().min(1).max(NEWS_TEXT_MAX),
  /** Where it leads. */
  place: z.enum(['sync', 'reviews', 'changes', 'media', 'backups', 'access', 'reports']).nullable(),
});
export type NotificationEntry = z.infer<typeof NotificationEntry>;

/** The JSON text under which a workspace keeps its news. */
export const NewsText = jsonText(z.array(NotificationEntry).max(NOTIFICATIONS_MAX));

const kept = z.array(NotificationEntry);

export const newsContract = {
  /** What is kept, newest first. */
  list: operation({ runs: 'main', output: kept }),
  clear: operation({ runs: 'main', access: 'write', output: kept }),
};
