import { expect, test } from 'vitest';
import { type Machine, machines } from '../../../sandbox/states.ts';
import {
  CAMPAIGN_TRANSITIONS,
  PART_STATE_TRANSITIONS,
  partReview,
  reviewState,
} from '../../../shared/lifecycle/states.ts';
import { FIELDS } from '../../../shared/model/fields.ts';

/**
 * The state machines were written twice from the document: here for what an edit costs, in the sandbox for what the
 * service does. Both must say the same steps.
 */
const stepsOf = (machine: Machine): readonly string[] =>
  Object.values(machine.moves)
    .flat()
    .map(([from, to]) => `${from} > ${to}`);
const stepsIn = (table: Readonly<Record<string, readonly string[]>>): readonly string[] =>
  Object.entries(table).flatMap(([from, all]) => all.map((to) => `${from} > ${to}`));
const sorted = (steps: readonly string[]): readonly string[] => [...new Set(steps)].toSorted();

test('a campaign moves by the same steps', () => {
  const ours = CAMPAIGN_TRANSITIONS.map(({ from, to }) => `${from} > ${to}`);
  expect(sorted(ours)).toEqual(sorted(stepsOf(machines.campaign)));
});

test('every switch moves by the same steps, and what is deleted or archived stays so', () => {
  for (const [kind, table] of Object.entries(PART_STATE_TRANSITIONS)) {
    const machine: Machine = machines[kind as keyof typeof PART_STATE_TRANSITIONS];
    expect(sorted(stepsIn(table)), kind).toEqual(sorted(stepsOf(machine)));
  }
});

const statesOf = (machine: Machine): readonly string[] =>
  sorted([...machine.begins, ...stepsOf(machine)].flatMap((step) => step.split(' > ')));

test('every state of a review, of its parts and of a video is one that our fields hold, and no other', () => {
  const ofCampaign = new Set(CAMPAIGN_TRANSITIONS.flatMap(({ from, to }) => [from, to]));
  expect(sorted([...ofCampaign])).toEqual(sorted(FIELDS.campaign.serviceStatus.type.choices));
  expect(sorted(FIELDS.adGroup.reviewStatus.type.choices)).toEqual(statesOf(machines.review));
  expect(sorted(FIELDS.adItem.reviewStatus.type.choices)).toEqual(statesOf(machines.adItemReview));
  expect(sorted(FIELDS.keyword.reviewStatus.type.choices)).toEqual(statesOf(machines.keywordReview));
  expect(sorted(FIELDS.videoProfile.reviewStatus.type.choices)).toEqual(statesOf(machines.videoProfileReview));
  // What happens to a video before it is on the service is ours, and the service's own "pending" is never read.
  const own: ReadonlySet<string> = new Set(['local', 'uploading']);
  const ofMedia = FIELDS.media.mediaState.type.choices.filter((state) => !own.has(state));
  expect(sorted(ofMedia)).toEqual(statesOf(machines.media).filter((state) => state !== 'pending'));
});

test('every word of the service for a review or one of its parts is read as what it is', () => {
  for (const word of statesOf(machines.review)) expect(reviewState(word), word).toBe(word);
  for (const machine of [machines.adItemReview, machines.keywordReview, machines.videoProfileReview]) {
    for (const word of statesOf(machine)) expect(partReview(word, null), word).toBe(word);
  }
});
