import type { ChangeStatus } from '../../shared/api/choices.ts';
import { countText, plural } from './numbers.ts';

/** Where changes stand, and the edits that a review closes. */
export const enAfterReview = {
  lanes: {
    ready: 'Ready',
    queued: 'Queued',
    'after-review': 'After the review',
    blocked: 'Needs you',
    held: 'Held',
  } as Readonly<Record<ChangeStatus, string>>,
  laneTexts: {
    ready: 'Goes with the next sync.',
    queued: 'On its way to the service; its answer is awaited.',
    'after-review': 'Kept until the review of its campaign is over, and not sent before.',
    blocked: 'Has an error or a conflict, or belongs to a row that has.',
    held: 'Held back by you, and not sent before you release it.',
  } as Readonly<Record<ChangeStatus, string>>,
  laneFilter: 'Changes by where they stand',
  lane: (name: string, n: number) => `${name} ${countText(n)}`,
  noneHere: 'No change stands here.',
  title: 'Edits that reviews close',
  locked: (rows: number) => `${plural(rows, 'edited row')} ${rows === 1 ? 'is' : 'are'} kept for after this review`,
  free: (rows: number, outcome: string) =>
    `The review is over${outcome === '' ? '' : ` (${outcome})`}: ${plural(rows, 'edited row')} can go, and be reviewed anew`,
  until: (days: string, asked: string) =>
    asked === '' ? `A review takes ${days}.` : `The review was asked for ${asked} and takes ${days}.`,
  days: (min: number, max: number) => (min === max ? plural(max, 'day') : `${min} to ${plural(max, 'day')}`),
  more: (n: number) => `and ${countText(n)} more`,
  submit: 'Send and submit now',
  submitOf: (campaign: string) => `Send and submit now: ${campaign}`,
  restart: 'Cancel the review and submit anew…',
  restartOf: (campaign: string) => `Cancel the review and submit anew: ${campaign}`,
  dialog: {
    title: 'Cancel the review and submit anew',
    steps: (campaign: string, rows: number, days: string) => [
      `The review of ${campaign} is cancelled. What was looked at so far counts no more.`,
      `${plural(rows, 'edited row')} that ${rows === 1 ? 'waits' : 'wait'} for its end, and whatever else is due in the campaign, ${rows === 1 ? 'goes' : 'go'} to the service.`,
      `The review is asked for again, and takes ${days} from then.`,
    ],
    safe: 'When the review cannot be cancelled any more, the edits stay here as they are.',
    over: 'The review is over meanwhile. Nothing has to be cancelled.',
    keep: 'Keep the review',
    button: 'Cancel, send and submit',
  },
} as const;
