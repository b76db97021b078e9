import type { Values } from '../model/fields.ts';
import type { UnknownWord } from '../model/scalars.ts';

/**
 * Campaign status as the document names it ("States and transitions"). What is shown is the state that is derived of it
 * (`campaign-state.ts`).
 *
 *   create --> enabled --> proposal --> enabled --> scheduled --> live --> completed
 *                             | not eligible: stays     pause |  ^   \          | extend
 *                             v                               v  |    \         v
 *                         change, resubmit                  paused    +--> rescheduled --> live
 *                                                             | re-enable (review complete, eligible)
 *                                                             +--> enabled --> rescheduled
 */
export type ServiceStatus = Exclude<Values<'campaign'>['serviceStatus'], UnknownWord | null>;

/** The word that is shown for a campaign, and where it is from (`campaign-state.ts`). */
export type CampaignState = NonNullable<Values<'campaign'>['campaignState']>;
export type StateSource = NonNullable<Values<'campaign'>['stateSource']>;

export interface Transition {
  readonly from: ServiceStatus;
  readonly to: ServiceStatus;
  /** Who moves it: the service by itself, the review, or a call of ours (the status we send). */
  readonly by: 'service' | 'review' | 'paused' | 'enabled' | 'completed' | 'extend';
  readonly when: string;
}

export const CAMPAIGN_TRANSITIONS: readonly Transition[] = [
  { from: 'enabled', to: 'proposal', by: 'service', when: 'brand and video campaigns, soon after creation' },
  { from: 'proposal', to: 'enabled', by: 'review', when: 'the review is complete and the campaign eligible' },
  { from: 'enabled', to: 'scheduled', by: 'service', when: 'a profile, an item and a keyword are approved' },
  { from: 'scheduled', to: 'live', by: 'service', when: 'the start date is reached' },
  { from: 'rescheduled', to: 'live', by: 'service', when: 'the start date is reached' },
  { from: 'live', to: 'paused', by: 'paused', when: 'at once' },
  { from: 'live', to: 'paused', by: 'review', when: 'the review rejects the profile of a live campaign' },
  { from: 'paused', to: 'enabled', by: 'enabled', when: 'the review is complete and the campaign eligible' },
  { from: 'enabled', to: 'rescheduled', by: 'service', when: 'the campaign was paused before' },
  { from: 'live', to: 'completed', by: 'completed', when: 'at once' },
  { from: 'live', to: 'completed', by: 'service', when: 'the end date has passed' },
  { from: 'completed', to: 'rescheduled', by: 'extend', when: 'with an end after today' },
  { from: 'scheduled', to: 'proposal', by: 'review', when: 'the review rejects the profile before the start' },
  { from: 'rescheduled', to: 'paused', by: 'review', when: 'the review rejects the profile before the start' },
];

const STATUS_OF: Readonly<Partial<Record<CampaignState, ServiceStatus>>> = {
  live: 'live',
  paused: 'paused',
  ended: 'completed',
};

/** The moves a user can ask for in a state, beside staying in it. */
export const offeredMoves = (state: CampaignState): readonly Transition[] =>
  CAMPAIGN_TRANSITIONS.filter(
    (move) => move.from === STATUS_OF[state] && move.by !== 'service' && move.by !== 'review',
  );

const WORDS: Readonly<Partial<Record<CampaignState, string>>> = {
  draft: 'a draft on the service',
  'in-review': 'in review',
  processing: 'waiting for its video',
};

/** A state within a sentence: "the campaign is ...". */
export const stateWords = (state: CampaignState): string => WORDS[state] ?? state;
