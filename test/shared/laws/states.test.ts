import { expect, test } from 'vitest';
import { type Machine, machines } from '../../../sandbox/states.ts';
import { CAMPAIGN_TRANSITIONS } from '../../../shared/lifecycle/campaign-states.ts';
import { MEDIA_TRANSITIONS, PART_TRANSITIONS, REVIEW_TRANSITIONS } from '../../../shared/lifecycle/review-states.ts';
import { SWITCH_TRANSITIONS } from '../../../shared/lifecycle/switch-states.ts';
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

test('a review moves by the same steps; asking anew is another review of the group', () => {
  const ours = stepsIn(REVIEW_TRANSITIONS).filter((step) => !step.endsWith('> pending'));
  expect(sorted(ours)).toEqual(sorted(stepsOf(machines.review)));
  const anew = stepsIn(REVIEW_TRANSITIONS).filter((step) => step.endsWith('> pending'));
  expect(anew).toEqual(['cancelled > pending', 'approved > pending', 'rejected > pending']);
});

test('what a review says of items, keywords and videos moves by the same steps', () => {
  for (const machine of [machines.adItemReview, machines.keywordReview, machines.videoProfileReview]) {
    expect(sorted(stepsIn(PART_TRANSITIONS))).toEqual(sorted(stepsOf(machine)));
  }
});

test('every switch moves by the same steps, and what is deleted or archived stays so', () => {
  for (const [kind, table] of Object.entries(SWITCH_TRANSITIONS)) {
    const machine: Machine = machines[kind as keyof typeof SWITCH_TRANSITIONS];
    expect(sorted(stepsIn(table)), kind).toEqual(sorted(stepsOf(machine)));
  }
});

test('a video on the service moves by the same steps; what happens before it is there is ours', () => {
  const own: ReadonlySet<string> = new Set(['local', 'uploading']);
  const ours = stepsIn(MEDIA_TRANSITIONS).filter((step) => step.split(' > ').every((state) => !own.has(state)));
  const theirs = stepsOf(machines.media).filter((step) => step !== 'pending > processing');
  expect(sorted(ours)).toEqual(sorted(theirs));
});

test('every state that a field can hold stands in its table', () => {
  const ofCampaign = new Set(CAMPAIGN_TRANSITIONS.flatMap(({ from, to }) => [from, to]));
  expect(sorted([...ofCampaign])).toEqual(sorted(FIELDS.campaign.serviceStatus.type.choices));
  expect(sorted(Object.keys(REVIEW_TRANSITIONS))).toEqual(sorted(FIELDS.adGroup.reviewStatus.type.choices));
  expect(sorted(Object.keys(PART_TRANSITIONS))).toEqual(sorted(FIELDS.adItem.reviewStatus.type.choices));
  expect(sorted(Object.keys(MEDIA_TRANSITIONS))).toEqual(sorted(FIELDS.media.mediaState.type.choices));
});
