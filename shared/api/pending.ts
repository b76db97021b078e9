import { z } from 'zod';
import { operation } from './operation.ts';
import { KindSchema, RowIdSchema } from './scalars.ts';

/** Why something is not on the service, or not live, although it is meant to be. */
export const PENDING_REASONS = [
  // Goes on by itself.
  'video-processing',
  'video-overdue',
  'review-going-on',
  'scheduled',
  'sync-waiting',
  'sync-scheduled',
  'rate-limited',
  // Goes on with the next sync.
  'changed',
  'budget',
  'in-doubt',
  'waits-for-media',
  'review-open',
  'parent-left-out',
  // Waits for the user.
  'sync-paused',
  'upload-host',
  'question',
  'conflict',
  'has-errors',
  'held',
  'not-offered',
] as const;
export type PendingReason = (typeof PENDING_REASONS)[number];

/** Elements that wait for one reason. */
export const PendingGroup = z.strictObject({
  reason: z.enum(PENDING_REASONS),
  /** What has to happen: time has to pass, a sync has to be started, or the user has to do something. */
  until: z.enum(['time', 'sync', 'user']),
  elements: z.int(),
  /** The first few of them by name. */
  first: z.array(z.strictObject({ kind: KindSchema, id: RowIdSchema, label: z.string() })),
  /** The next moment at which they are looked at or may go on, in milliseconds since 1970; null where none is known. */
  nextAt: z.int().nullable(),
});
export type PendingGroup = z.infer<typeof PendingGroup>;

export const waitingContract = {
  /** Everything that waits, as it is now, with what it waits for; what the user can do comes last. */
  list: operation({ runs: 'main', output: z.array(PendingGroup) }),
};
