import type { Launch, SwapView } from '../../shared/api/campaigns.ts';
import type { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { changeImpact } from '../../shared/lifecycle/change-impact.ts';
import { laterEnd, submitBy } from '../../shared/lifecycle/eligibility.ts';
import { needsReview } from '../../shared/lifecycle/states.ts';
import { beginSwap, offeredSwap, type Swap, swapState } from '../../shared/lifecycle/swap.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import { addDays, daysBetween, OPEN_END, plainDate } from '../../shared/model/plain-date.ts';
import { isDeleted } from '../../shared/model/row.ts';
import type { PlainDate, RowId } from '../../shared/model/scalars.ts';
import { isCarried, stepCommand } from '../../shared/plan/capabilities.ts';
import { offeredSteps } from '../../shared/plan/offered-steps.ts';
import type { PlanInput } from '../../shared/plan/plan-types.ts';
import { ok } from '../../shared/result.ts';
import { rowLabel } from '../../shared/rules/rule.ts';
import type { ActiveAccount } from '../core/active-account.ts';
import type { CampaignFacts } from '../store/reader/attention.ts';
import type { Workspace } from '../store/workspace.ts';
import type { MainOperations } from './router.ts';

/** Maximum number of days in the banner log. */
const LOG_DAYS = 400;

/** Operations on campaign starts, and on banner swaps, which change a live banner without a pause. */
export const launchOperations: Pick<MainOperations, 'launch' | 'bannerSwaps'> = {
  launch: {
    list: async ({ account }, { part, from, count }) => ok(await launches(account, from, count, part)),
  },
  bannerSwaps: {
    state: async ({ account }, { campaignId }) => ok(await view(account, campaignId)),
    log: async ({ account: { cube, reports, profile } }, { campaignId }) => {
      const setup = { today: await reports.today(), zone: profile.business.zone, daysMax: LOG_DAYS, campaignId };
      return ok(await (await cube()).bannerLog(setup));
    },
    start: async ({ account }, { campaignId }) => {
      const { tree, swap } = await read(account, campaignId);
      const isOver = tree !== null && swap !== null && stateOf(account, tree, swap) === null;
      const offered = tree !== null && (swap === null || isOver) ? offeredSwap(tree) : null;
      if (offered !== null) await account.swaps.keep(beginSwap(offered, campaignId));
      return ok(await view(account, campaignId));
    },
    keep: async ({ account }, { campaignId }) => {
      const swap = await account.swaps.of(campaignId);
      if (swap !== null) await account.swaps.keep({ ...swap, asItIs: true });
      return ok(await view(account, campaignId));
    },
    end: async ({ account }, { campaignId }) => {
      await account.swaps.forget(campaignId);
      return ok(await view(account, campaignId));
    },
  },
};

/**
 * Campaigns that start between today and a day, the first ones first.
 *
 * @param type null for campaigns of every type
 */
export async function startingUntil(
  account: ActiveAccount,
  today: PlainDate,
  until: PlainDate,
  type: CampaignFacts['campaignType'],
  count: number,
) {
  const ofType = type === null ? '' : ` campaignType:${type}`;
  const filter = `-campaignState:ended,live startDate>=${today} startDate<=${until}${ofType}`;
  return launches(account, 0, count, 'all', filter);
}

type Part = 'all' | 'upcoming' | 'live';

async function launches(account: ActiveAccount, from: number, count: number, part: Part, filter: string | null = null) {
  const { workspace, profile, reports, sync } = account;
  const today = await reports.today();
  const { ids, total } = await inOrder(workspace, filter ?? FILTERS[part](today), part, from, count);
  const head = { total, today, reviewDays: profile.review.days, mediaMinutes: profile.media.processingMinutes };
  // The input of a plan needs the errors of all rows.
  if (ids.length === 0) return { ...head, launches: [] };
  const input = await (await sync()).planInput(ids);
  const trees = new Map(input.trees.map((tree) => [tree.campaign.id, tree]));
  return {
    ...head,
    launches: ids.flatMap((id) => {
      const tree = trees.get(id);
      return tree === undefined ? [] : [launchOf(tree, profile, input)];
    }),
  };
}

/** Campaigns that ended within this number of days stay on the calendar, before the live ones: they can be extended. */
const ENDED_DAYS = 30;

const endedLately = (today: PlainDate): string => `(campaignState:ended endDate>=${addDays(today, -ENDED_DAYS)})`;

const FILTERS: Readonly<Record<Part, (today: PlainDate) => string>> = {
  all: (today) => `(-campaignState:ended -status:completed) OR ${endedLately(today)}`,
  upcoming: () => '-campaignState:live,ended -status:completed',
  live: (today) => `campaignState:live OR ${endedLately(today)}`,
};

/** The requested page of campaigns, ordered by start date; live and ended ones by end date. */
async function inOrder(workspace: Workspace, filter: string, part: Part, from: number, count: number) {
  const opening = await workspace.openView({
    kind: 'campaign',
    filter,
    sort: [{ column: part === 'live' ? 'endDate' : 'startDate', descending: false }],
    campaignId: null,
    only: 'all',
  });
  if (!opening.ok) throw new Error(`the order of launches cannot be read: ${opening.error.problem}`);
  const { viewId, length } = opening.value;
  const page = await workspace.readWindow(viewId, from, count);
  await workspace.closeView(viewId);
  return { ids: page?.rows.map(({ id }) => id) ?? [], total: length };
}

function launchOf(tree: CampaignTree, profile: DeploymentSettings, input: PlanInput): Launch {
  const { today } = input;
  const { campaign, adGroups, adItems, media } = tree;
  const { startDate, endDate, campaignType, campaignState, stateSource, stateAsOf } = campaign.values;
  const { missing, lacks, isEligible } = offeredSteps(tree, input);
  const waitsForVideo = media.some((row) => row.values.mediaType === 'video' && row.values.mediaState !== 'available');
  const start = startDate === null ? null : plainDate(startDate);
  const until = start === null || !needsReview(campaign) ? null : submitBy(start, profile, waitsForVideo);
  const isOpen = lacks.has('submit') || lacks.has('approval');
  return {
    campaignId: campaign.id,
    name: rowLabel(campaign),
    campaignType,
    state: campaignState ?? 'draft',
    stateSource: stateSource ?? 'local',
    asOf: stateAsOf,
    reviewStatus: adGroups.find((group) => group.values.reviewStatus !== null)?.values.reviewStatus ?? null,
    startDate,
    endDate,
    missing: [...missing],
    isReady: isEligible,
    needsReview: isOpen || lacks.has('review'),
    submitBy: until,
    isLate: until !== null && isOpen && until < today,
    waitsForVideo,
    itemId: adItems.find((row) => !isDeleted(row))?.values.itemId ?? null,
    dailyBudgetCents: campaign.values.dailyBudget,
    extendTo: canExtend(tree, input) ? laterEnd(campaign.values, today) : null,
  };
}

/** A live campaign can be extended within this number of days before its end. */
const EXTEND_DAYS = 14;

function canExtend(tree: CampaignTree, { today, capabilities }: PlanInput): boolean {
  const { campaignState, endDate } = tree.campaign.values;
  const end = campaignState === 'live' ? plainDate(endDate ?? '') : null;
  if (end === null || end === OPEN_END || daysBetween(today, end) > EXTEND_DAYS) return false;
  const isOffered = isCarried(stepCommand('extend'), capabilities);
  return isOffered && changeImpact('campaign', 'endDate', tree).cost === 'immediate';
}

async function read({ workspace, swaps }: ActiveAccount, campaignId: RowId) {
  const [tree] = await workspace.readTrees([campaignId]);
  return { tree: tree ?? null, swap: await swaps.of(campaignId) };
}

const stateOf = ({ profile }: ActiveAccount, tree: CampaignTree, swap: Swap) =>
  swapState(tree, swap, profile.sba.singleEnabled);

async function view(account: ActiveAccount, campaignId: RowId): Promise<SwapView | null> {
  const { tree, swap } = await read(account, campaignId);
  if (tree === null) return null;
  const under = swap === null ? null : stateOf(account, tree, swap);
  const shown = (id: RowId) => {
    const row = tree.sbaProfiles.find((each) => each.id === id);
    return { id, label: row === undefined ? '' : rowLabel(row) };
  };
  if (swap !== null && under !== null) return { from: shown(swap.from), to: shown(swap.to), under, forgets: null };
  const offered = offeredSwap(tree);
  if (offered === null) return null;
  const oldest = await account.swaps.forgottenFor(campaignId);
  const campaign = oldest === null ? null : await account.workspace.readRow({ kind: 'campaign', id: oldest });
  const forgets = oldest === null ? null : campaign === null ? '' : rowLabel(campaign);
  return { from: shown(offered.from.id), to: shown(offered.to.id), under: null, forgets };
}
