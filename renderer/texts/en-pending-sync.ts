import type { PendingSyncView } from '../../shared/api/sync.ts';
import { plural } from './numbers.ts';

/** Texts of syncs that are paused, wait for the service, or are scheduled. */
export const enPendingSync = {
  pause: 'Pause',
  resume: 'Resume',
  resumeNow: 'Resume now',
  cancel: 'Cancel sync',
  titles: {
    paused: 'Sync paused',
    waiting: 'Sync waiting for the service',
    scheduled: 'Sync scheduled',
  } as Readonly<Record<PendingSyncView['state'], string>>,
  left: (n: number) => `${plural(n, 'change')} left to send.`,
  edited: (n: number) =>
    n > 0
      ? `${plural(n, 'change')} made since then ${n === 1 ? 'is' : 'are'} included.`
      : `${plural(-n, 'change')} fewer than before.`,
  editing: 'Edits you make before then are included.',
  reviewed: 'If the plan changes before then, nothing is sent.',
  resumesAt: (time: string) => `Resumes at ${time} if the service responds.`,
  checksAt: (time: string) => `Next check at ${time}.`,
  healthy: (minutes: number) =>
    `Starts when the service has responded for ${plural(minutes, 'minute')} without a break.`,
  healthySince: (time: string) => `Responding since ${time}.`,
  deadlineAt: (time: string) => `Nothing is sent after ${time}.`,
  sign: {
    paused: 'Sync paused',
    waiting: (time: string) => `Sync resumes at ${time}`,
    scheduled: (time: string) => `Sync scheduled, next check ${time}`,
  },
  deadline: 'Deadline',
  deadlineHelp: 'Nothing is sent after this time. Leave it empty for no deadline.',
  day: (name: string) => `${name}: date`,
  time: (name: string) => `${name}: time`,
  past: 'This time has passed. Enter a later one.',
  open: 'Send when healthy…',
  explain:
    'Adslate checks the service every minute. It sends this plan when the service responds without a break, or reports why not.',
  after: 'Not before',
  minutes: 'Minutes without a failure',
  schedule: 'Schedule sync',
  back: 'Back',
  scheduled: 'The sync is scheduled. Adslate has to stay open.',
} as const;
