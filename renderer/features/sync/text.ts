import { countText, plural } from '../../app/locale/numbers.ts';

export const syncTexts = {
  planning: 'Preparing the sync plan…',
  days: (min: number, max: number) => (min === max ? plural(max, 'day') : `${countText(min)}–${plural(max, 'day')}`),
} as const;

/** Why no call of the service takes a change back. */
export const NOT_REVERSIBLE: Readonly<Record<string, string>> = {
  'created-for-good': "the service can't delete it",
  'fixed-after-create': "can't be changed after it was created",
  'logo-replaced': 'the previous logo is no longer available',
  'review-asked': 'submitted for review; you can cancel the review while it is open',
  'video-uploaded': "the video stays in the service's library",
  'switched-off-for-good': 'deleting is permanent on the service; add it again',
};
