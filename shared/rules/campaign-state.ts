import { type CampaignState, isEstimated, offeredMoves, stateWords } from '../lifecycle/campaign-states.ts';
import type { CampaignTree } from '../model/campaign-tree.ts';
import { OPEN_END } from '../model/plain-date.ts';
import { isDeleted, isNew } from '../model/row.ts';
import { type Report, type RuleEnv, rulesOf } from './rule.ts';

/** Whether the state the user wants of a campaign can be reached from its state; one that is estimated only warns. */
export const campaignState = rulesOf('campaign', 'campaign-state', 'Campaign status', {
  'born-enabled': {
    bit: 22,
    severity: 'warning',
    fields: ['status'],
    text: 'The new campaign "{label}" shall be {status}, but a campaign is created enabled. It is created first; the change to {status} follows when the connection offers it.',
  },
  'pause-from-live': {
    bit: 23,
    severity: 'error',
    fields: ['status'],
    needs: 'service state',
    text: 'Campaign "{label}" is {state}; only a live campaign can be paused. Take the change back or wait until it is live.',
  },
  'end-from-live': {
    bit: 24,
    severity: 'error',
    fields: ['status'],
    needs: 'service state',
    text: 'Campaign "{label}" is {state}; only a live campaign can be ended. Take the change back or wait until it is live.',
  },
  'extend-needs-end': {
    bit: 25,
    severity: 'error',
    fields: ['endDate'],
    needs: 'service state',
    text: 'Campaign "{label}" is completed. To take it up again it needs an end after today ({today:day}). Choose a later end or leave it open.',
  },
  'completed-shows-nothing': {
    bit: 26,
    severity: 'warning',
    fields: ['status'],
    needs: 'service state',
    text: 'Campaign "{label}" is completed; the service takes the change, but nothing of it is shown. Set its status to enabled together with a later end to take it up again.',
  },
  'reenable-needs-review': {
    bit: 27,
    severity: 'warning',
    fields: ['status'],
    needs: 'service state',
    scope: 'campaign',
    text: 'Campaign "{label}" is taken up after a pause, but not every part is approved. The service refuses it until the review is complete. Submit the review first.',
  },
  'delete-impossible': {
    bit: 28,
    severity: 'warning',
    fields: [],
    text: 'Campaign "{label}" is marked as deleted, but the service has no call that deletes a campaign. End it instead, and revert the deletion.',
  },
  'start-after-live': {
    bit: 29,
    severity: 'warning',
    fields: ['startDate'],
    needs: 'service state',
    text: 'Campaign "{label}" is {state} already; a new start date moves its flight. Check that this is wanted.',
  },
  'pause-estimated': {
    bit: 42,
    severity: 'warning',
    fields: ['status'],
    needs: 'service state',
    text: 'Campaign "{label}" is {state}, as far as Adslate can tell. The service pauses only live campaigns and may refuse this. Refresh the account, or wait until the campaign is live.',
  },
  'end-estimated': {
    bit: 43,
    severity: 'warning',
    fields: ['status'],
    needs: 'service state',
    text: 'Campaign "{label}" is {state}, as far as Adslate can tell. The service ends only live campaigns and may refuse this. Refresh the account, or wait until the campaign is live.',
  },
});

const rules = campaignState;

/** Whether the service takes this wish now; of a state that nobody knows nothing is said. */
const isOffered = (state: CampaignState | null, wish: 'paused' | 'completed'): boolean =>
  state === null || offeredMoves(state).some((move) => move.by === wish);

const RUNNING: ReadonlySet<CampaignState | null> = new Set(['live', 'paused'] as const);

export function checkCampaignState(tree: CampaignTree, env: RuleEnv, report: Report): void {
  const { campaign } = tree;
  const { base } = campaign;
  if (isNew(campaign)) checkNew(campaign, report);
  else if (isDeleted(campaign)) report.add(rules['delete-impossible'], campaign);
  if (isNew(campaign) || base === null) return;
  const { status, campaignState: state, startDate } = campaign.values;
  const wants = status === base.status ? null : status;
  checkEnding(campaign, wants, base.status, report);
  if (base.status === 'completed' || (state === 'ended' && !isEstimated(campaign)))
    checkCompleted(campaign, wants, env, report);
  if (wants === 'enabled' && base.status === 'paused' && hasUnapprovedProfile(tree)) {
    report.add(rules['reenable-needs-review'], campaign);
  }
  if (startDate !== base.startDate && RUNNING.has(state)) {
    report.add(rules['start-after-live'], campaign, { state: stateOf(campaign) });
  }
}

type Campaign = CampaignTree['campaign'];
type Status = Campaign['values']['status'];

function checkNew(campaign: Campaign, report: Report): void {
  const { status } = campaign.values;
  if (status !== null && status !== 'enabled') report.add(rules['born-enabled'], campaign, { status });
}

/** Only what is live can be paused or ended. `proposal` comes from a read, and a sync reads again before it decides. */
function checkEnding(campaign: Campaign, wants: Status, before: Status, report: Report): void {
  const { campaignState: state, serviceStatus } = campaign.values;
  const isEnding = wants === 'paused' || wants === 'completed';
  if (!isEnding || isOffered(state, wants === 'paused' ? 'paused' : 'completed')) return;
  const isUnsure = isEstimated(campaign) && serviceStatus !== 'proposal';
  const reported = wants === 'paused' ? rules['pause-from-live'] : rules['end-from-live'];
  const estimated = wants === 'paused' ? rules['pause-estimated'] : rules['end-estimated'];
  report.add(
    isUnsure ? estimated : reported,
    campaign,
    { state: stateOf(campaign) },
    { field: 'status', value: before },
  );
}

/** A campaign that is over is taken up again by enabling it with a later end, and by nothing else. */
function checkCompleted(campaign: Campaign, wants: Status, { today }: RuleEnv, report: Report): void {
  const { status, endDate } = campaign.values;
  if (wants === 'enabled') {
    const isOpen = endDate === null || endDate === OPEN_END;
    if (!isOpen && endDate <= today) report.add(rules['extend-needs-end'], campaign, { today });
  } else if (status === 'completed' && campaign.dirty !== 0) {
    report.add(rules['completed-shows-nothing'], campaign, {}, { field: 'status', value: 'enabled' });
  }
}

const stateOf = ({ values }: Campaign): string =>
  values.campaignState === null ? 'in an unknown state' : stateWords(values.campaignState);

function hasUnapprovedProfile({ sbaProfiles, videoProfiles }: CampaignTree): boolean {
  const profiles = [...sbaProfiles, ...videoProfiles].filter(
    (row) => !isDeleted(row) && row.values.status !== 'disabled',
  );
  return profiles.length > 0 && !profiles.some((row) => row.values.reviewStatus === 'approved');
}
