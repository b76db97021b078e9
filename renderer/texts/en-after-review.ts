import type { ChangeStatus } from '../../shared/api/choices.ts';
import { countText, plural } from './numbers.ts';

/** Where changes stand, and the edits that a review closes. */
export const enAfterReview = {
  lanes: {
    ready: 'Ready to sync',
    queued: 'Sending',
    'after-review': 'After review',
    blocked: 'Needs attention',
    held: 'On hold',
  } as Readonly<Record<ChangeStatus, string>>,
  laneTexts: {
    ready: 'Will be sent with the next sync.',
    queued: 'Sent. Waiting for the response of the service.',
    'after-review': 'Will be sent after the campaign review ends.',
    blocked: "Can't be sent: the row or its parent has an error or a conflict.",
    held: 'On hold. Will not be sent until you release it.',
  } as Readonly<Record<ChangeStatus, string>>,
  laneFilter: 'Filter changes by status',
  lane: (name: string, n: number) => `${name} ${countText(n)}`,
  noneHere: 'No changes with this status.',
  title: 'Changes waiting for a review',
  locked: (rows: number) => `${plural(rows, 'changed row')} will be sent after this review`,
  free: (rows: number, outcome: string) =>
    `Review finished${outcome === '' ? '' : ` (${outcome})`}: ${plural(rows, 'changed row')} ready to sync and resubmit`,
  until: (days: string, asked: string) =>
    asked === '' ? `Reviews take ${days}.` : `Submitted ${asked}. Reviews take ${days}.`,
  days: (min: number, max: number) => (min === max ? plural(max, 'day') : `${countText(min)}–${plural(max, 'day')}`),
  more: (n: number) => `and ${countText(n)} more`,
  submit: 'Sync and submit for review',
  submitOf: (campaign: string) => `Sync and submit for review: ${campaign}`,
  restart: 'Cancel review and resubmit…',
  restartOf: (campaign: string) => `Cancel review and resubmit: ${campaign}`,
  dialog: {
    title: 'Cancel review and resubmit',
    steps: (campaign: string, rows: number, days: string) => [
      `Adslate cancels the review of ${campaign}. Its progress is lost.`,
      `Adslate syncs the ${plural(rows, 'changed row')} waiting for the review, and all other changes in the campaign.`,
      `Adslate submits the campaign for a new review, which takes ${days}.`,
    ],
    safe: "If the review can't be canceled anymore, your changes are kept and not sent.",
    over: 'The review has already finished. There is nothing to cancel.',
    keep: 'Keep review',
    button: 'Cancel review and resubmit',
  },
} as const;
