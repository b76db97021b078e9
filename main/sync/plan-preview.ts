import { createHash, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { RowRef } from '../../shared/api/scalars.ts';
import {
  type BatchView,
  PLAN_CHANGES_MAX,
  PLAN_LINE_MAX,
  type PlanChanges,
  type PlanView,
} from '../../shared/api/sync.ts';
import type { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { type CampaignTree, rowsIn } from '../../shared/model/campaign-tree.ts';
import { type AnyRow, type Row, rowKey } from '../../shared/model/row.ts';
import type { PlainDate, RowId } from '../../shared/model/scalars.ts';
import { joinParts, partPlanner, planInParts } from '../../shared/plan/plan.ts';
import { type PlanLineChange, planDifference } from '../../shared/plan/plan-difference.ts';
import { planText, printPlan, type WrittenPlan } from '../../shared/plan/plan-text.ts';
import {
  type Capabilities,
  type ChosenRows,
  createBlockKey,
  type LeftOut,
  type Plan,
  type PlanBatch,
  type PlanInput,
} from '../../shared/plan/plan-types.ts';
import { afterCancelling, cancellations, withReviewsCancelled } from '../../shared/plan/review-restart.ts';
import { rollbackPlan } from '../../shared/plan/rollback-plan.ts';
import { pickedIn } from '../../shared/plan/send-decisions.ts';
import { type OfferedRow, offeredRows } from '../../shared/plan/sign-off.ts';
import { choiceOf } from '../../shared/plan/sync-selection.ts';
import { renderBatch, unresolved } from '../../shared/plan/wire.ts';
import { ruleShortName } from '../../shared/rules/messages.ts';
import { type Issue, rowLabel } from '../../shared/rules/rule.ts';
import type { LongTask } from '../app/long-task.ts';
import type { OutboxClient } from '../store/outbox/ops.ts';
import type { Workspace } from '../store/workspace.ts';
import type { RunOptions } from './context.ts';
import {
  changesOf,
  createPlanLines,
  inOrder,
  type LineView,
  outlook,
  type PlanLines,
  plannedCampaign,
  type RowResult,
  requestsOf,
  staysOf,
  unsubmittedOf,
} from './plan-lines.ts';
import type { Gathered, PlanSettings, Ports } from './ports.ts';

/** The lines of a plan text, with the line ends of any editor. */
export const linesOf = (text: string): readonly string[] => text.trimEnd().split(/\r?\n/);

/** Campaigns that a sync may touch, in the order of their IDs. */
export async function dueCampaigns(
  outbox: Pick<OutboxClient, 'campaignsToSync'>,
  { submit, campaignIds: named }: RunOptions,
): Promise<readonly RowId[]> {
  const due = await outbox.campaignsToSync({ submit, named });
  return named === null ? due : due.filter((id) => named.includes(id));
}

/** Campaigns read at once; other queries wait for that long. */
export const CAMPAIGNS_A_READ = 25;

/** A range of the requests of a plan, with or without their bodies. */
type PlanWindow = { readonly from: number; readonly count: number; readonly bodies: boolean };

/** A plan with what it was made from. */
export interface Planned {
  readonly plan: Plan;
  readonly trees: readonly CampaignTree[];
  readonly capabilities: Capabilities;
  /** Number of rows of the account with an error. */
  readonly errors: number;
}

export interface ShownPlan {
  readonly plan: Plan;
  readonly options: RunOptions;
}

interface PlanPreviewDeps {
  readonly workspace: Workspace;
  readonly profile: DeploymentSettings;
  readonly advertiserId: string;
  readonly capabilities: () => Promise<Capabilities>;
  readonly today: () => Promise<string>;
  readonly runInSlices: Ports['runInSlices'];
  readonly signOffs?: Ports['signOffs'];
}

interface KeptPlan extends ShownPlan {
  readonly planId: string;
  /** A mark that differs after each edit of the user. */
  readonly edits: string;
  readonly facts: string;
  /** Everything the plan depends on except its check boxes, and the part of each campaign, by its check boxes. */
  readonly basis: string;
  readonly parts: ReadonlyMap<RowId, ShownPart>;
  readonly lines: PlanLines;
  readonly requests: () => ReturnType<typeof requestsOf>;
}

/**
 * The plan as shown before a run. The last one is cached: windows read its requests, the confirmation of a large sync
 * reads it, and a run sends it. Each of them plans again if anything the plan depends on has changed. A changed check
 * box replans only its campaign.
 */
export function createPlanPreview(deps: PlanPreviewDeps) {
  const { workspace, profile, advertiserId } = deps;
  const { outbox } = workspace;
  let shown: KeptPlan | null = null;
  /** The plan that was sent last: windows show its requests with their results. */
  let lastSent: KeptPlan | null = null;
  /** Digests of plans shown earlier, the newest last: another window may still show one of them. */
  const earlier = new Map<string, string>();
  /** Counts changes of rows by any source. Results of checks are not counted; they are compared directly. */
  let changes = 0;
  workspace.onChanged((_revision, _kinds, only) => {
    if (only === null) changes++;
  });

  const gather = async <Tree>(
    trees: readonly Tree[],
    errors: readonly RowRef[],
    beforeSignOff = false,
  ): Promise<Omit<Gathered, 'trees'> & { readonly trees: readonly Tree[] }> => ({
    trees,
    live: await outbox.live(),
    conflicts: await outbox.conflicts(),
    withErrors: new Set(errors.map(({ kind, id }) => rowKey(kind, id))),
    signOffs: beforeSignOff ? null : ((await deps.signOffs?.()) ?? null),
  });
  const settingsFor = async (options: RunOptions): Promise<PlanSettings> => {
    const capabilities = await deps.capabilities();
    return { ...options, profile, capabilities, advertiserId, today: await deps.today() };
  };

  const makePlan = async (options: RunOptions): Promise<Planned> => {
    const ids = await dueCampaigns(outbox, options);
    const trees = ids.length === 0 ? [] : await workspace.readTrees(ids);
    const errors = await workspace.rowsWithErrors();
    const cancels = isRestart(options);
    const gathered = await gather(cancels ? trees.map(withReviewsCancelled) : trees, errors, options.beforeSignOff);
    const settings = await settingsFor(options);
    const plan = await deps.runInSlices(planInParts(planInputOf(gathered, settings)));
    return {
      plan: cancels ? afterCancelling(trees.flatMap(cancellations), plan) : plan,
      trees,
      capabilities: settings.capabilities,
      errors: errors.length,
    };
  };

  /**
   * Reads the campaigns a few at a time, the next ones while the current ones are used: there may be a million rows.
   */
  const eachTree = async (
    ids: readonly RowId[],
    use: (tree: CampaignTree) => void,
    tellShare: LongTask['tellShare'],
  ): Promise<void> => {
    const read = (at: number) => (at < ids.length ? workspace.readTrees(ids.slice(at, at + CAMPAIGNS_A_READ)) : []);
    function* used(trees: readonly CampaignTree[]): Generator<void, void> {
      for (const tree of trees) {
        use(tree);
        yield;
      }
    }
    let trees = await read(0);
    for (let at = CAMPAIGNS_A_READ; at < ids.length + CAMPAIGNS_A_READ; at += CAMPAIGNS_A_READ) {
      [trees] = await Promise.all([read(at), deps.runInSlices(used(trees))]);
      tellShare(Math.min(1, at / ids.length));
    }
  };

  const show = async (
    options: RunOptions,
    tellShare: LongTask['tellShare'] = () => undefined,
  ): Promise<{ readonly view: PlanView; readonly plan: Plan }> => {
    // Counted before the rows are read: the rows may or may not contain a change made during the read.
    const before = changes;
    const edits = await workspace.editMark();
    const ids = await dueCampaigns(outbox, options);
    const errors = await workspace.rowsWithErrors();
    const gathered = await gather(
      ids.map((id) => ({ campaign: { id } })),
      errors,
      options.beforeSignOff,
    );
    const settings = await settingsFor(options);
    const { chosen = null } = settings;
    const allSet = chosen === null || chosen.rows.length === 0 ? null : { ...chosen, picks: [] };
    const basis = factsOf(before, gathered, { ...settings, chosen: allSet });
    const picksOf = picksByCampaign(chosen);
    const parts = new Map(shown?.basis === basis ? shown.parts : []);
    const isOld = (id: RowId): boolean => parts.get(id)?.picks !== JSON.stringify(picksOf(id));
    const isChosen = choiceOf(chosen);
    const blocksIn = createBlocks(gathered);
    const planTree = (tree: CampaignTree): void => {
      const { id } = tree.campaign;
      parts.set(id, shownPart(tree, { picks: picksOf(id), isChosen, blocksIn }, gathered, settings));
    };
    await eachTree(ids.filter(isOld), planTree, tellShare);
    const all = ids.flatMap((id) => parts.get(id) ?? []);
    const plan = afterCancelling(
      all.flatMap(({ first }) => first),
      joinParts(all.flatMap(({ part }) => part ?? [])),
    );
    const list = inOrder(all.flatMap((one) => one.changes));
    const sent = changesOf(plan);
    const lines = createPlanLines(list, { sent, isPicked: pickedIn(chosen), resultOf: () => NO_RESULT });
    let requests: ReturnType<typeof requestsOf> | null = null;
    const facts = factsOf(before, gathered, settings);
    // An equal plan keeps its ID, so that a window which shows it may send it.
    const isSame = shown !== null && shown.plan.elements === plan.elements && isDeepStrictEqual(shown.plan, plan);
    const planId = shown !== null && isSame ? shown.planId : randomUUID();
    if (shown !== null && !isSame) rememberDigest(earlier, shown.planId, shown.plan);
    shown = {
      planId,
      edits,
      plan,
      options,
      facts,
      basis,
      parts,
      lines,
      requests: () => (requests ??= requestsOf(plan)),
    };
    const view = await planView(workspace, { plan, list, sent, parts: all, settings });
    return { view: { planId, ...view, errors: errors.length }, plan };
  };

  const unchangedPlan = (gathered: Facts, settings: PlanSettings): Plan | null => {
    // A sync that cancels reviews is planned from rows as they are after the cancellation.
    if (shown === null || shown.options.cancelReviews === true || settings.cancelReviews === true) return null;
    return shown.facts === factsOf(changes, gathered, settings) ? shown.plan : null;
  };

  /** The plan that was shown if it is still current, else a new one. */
  const planToSend = async (options: RunOptions): Promise<Pick<Planned, 'plan'>> => {
    const trees = (await dueCampaigns(outbox, options)).map((id) => ({ campaign: { id } }));
    const gathered = await gather(trees, await workspace.rowsWithErrors());
    const plan = unchangedPlan(gathered, await settingsFor(options));
    return plan === null ? makePlan(options) : { plan };
  };

  return {
    /** The plan of what a run would send. */
    planned: makePlan,
    /** The plan shown last if a plan made now would be equal, else null. */
    unchangedPlan,
    /** The contents to sign off: what would be sent of each row if it were signed off. */
    offered: async (options: RunOptions): Promise<readonly OfferedRow[]> => {
      const { plan, trees } = await makePlan({ ...options, beforeSignOff: true });
      return offeredRows(plan, trees);
    },
    /** Like `planned`, without the trees; reuses the shown plan if it is still current. */
    planToSend,
    /**
     * The number of rows that would now be sent differently from the plan with this ID. `outdated` if another plan was
     * made since, for example in a second window, and the current plan differs: the differing rows are then unknown.
     */
    changedSince: async (planId: string, options: RunOptions): Promise<number | 'outdated'> => {
      const seen = shown;
      const digest = earlier.get(planId);
      if (seen?.planId !== planId && digest === undefined) return 'outdated';
      const { plan } = await planToSend(options);
      if (seen?.planId !== planId) return digest === digestOf(plan) ? 0 : 'outdated';
      return plan === seen.plan ? 0 : differingRows(seen.plan, plan);
    },
    /**
     * Finds the rows whose content in a plan differs from the plan with this ID, if the user has edited since. Changes
     * by reads of the service are sent as they are now. Keeps working when another plan is shown later.
     */
    unseenRows: (planId: string) => {
      const seen = shown;
      if (seen?.planId !== planId) return null;
      let contents: ReadonlySet<string> | null = null;
      return async (plan: Plan): Promise<readonly RowRef[]> => {
        if (seen.edits === (await workspace.editMark())) return [];
        const known = contents ?? contentsOf(seen.plan);
        contents = known;
        return plan.batches.flatMap(({ verb, elements }) =>
          elements.filter((element) => !known.has(contentOf(verb, element))).map(({ kind, id }) => ({ kind, id })),
        );
      };
    },
    /** The input for a plan of these campaigns, including unchanged ones. */
    planInput: async (campaignIds: readonly RowId[]): Promise<PlanInput> => {
      // Runs pending checks first, which also update the states of campaigns.
      const errors = await workspace.rowsWithErrors();
      const trees = campaignIds.length === 0 ? [] : await workspace.readTrees(campaignIds);
      const gathered = await gather(trees, errors);
      return planInputOf(gathered, await settingsFor({ submit: true, campaignIds: null }));
    },
    plan: async (options: RunOptions, tellShare?: LongTask['tellShare']) => (await show(options, tellShare)).view,
    /** The plan made last, with its options; null if `planId` names an older one. */
    shownPlan: (planId: string): ShownPlan | null => (shown?.planId === planId ? shown : null),
    /** What a run would send, compared with a written plan. */
    planBeside: async (
      written: WrittenPlan,
      options: RunOptions,
    ): Promise<{ plan: PlanView; changed: PlanChanges }> => {
      const { view, plan } = await show(options);
      const changed = planDifference(linesOf(printPlan(written)), linesOf(planText(plan)));
      return { plan: view, changed: await namedChanges(workspace, changed) };
    },
    /** Called when a run begins that sends the plan with this ID. */
    keepSent: (planId: string | null): void => {
      if (shown?.planId === planId) lastSent = shown;
    },
    /** A range of the requests of the plan made last or sent last; null if `planId` names an older one. */
    planBatches: (planId: string, window: PlanWindow): readonly BatchView[] | null => {
      const kept = [shown, lastSent].find((each) => each?.planId === planId);
      return kept == null ? null : batchViews(kept.plan, kept.parts, kept.requests(), window);
    },
    /** A range of the lines of the plan made last; null if `planId` names an older one. */
    planLines: (planId: string, view: LineView, from: number, count: number) =>
      shown?.planId === planId ? shown.lines(view, from, count) : null,
  };
}

/** The content of each element of a plan, independent of its request, as a text that includes its row. */
export const contentsOf = (plan: Plan): ReadonlySet<string> =>
  new Set([
    ...plan.uploads.map(({ mediaId, bytes }) => `upload media/${mediaId} ${bytes}`),
    ...plan.batches.flatMap(({ verb, elements }) => elements.map((element) => contentOf(verb, element))),
  ]);

const contentOf = (verb: PlanBatch['verb'], { kind, id, sent }: PlanBatch['elements'][number]): string =>
  `${verb} ${kind}/${id} ${JSON.stringify(sent)}`;

const digestOf = (plan: Plan): string => {
  const hash = createHash('sha256');
  for (const content of [...contentsOf(plan)].toSorted()) hash.update(content).update('\n');
  return hash.digest('hex');
};

const EARLIER_MAX = 8;
/** The digest of a larger plan would block the main process for more than 10 ms. */
const EARLIER_ELEMENTS_MAX = 5_000;

function rememberDigest(earlier: Map<string, string>, planId: string, plan: Plan): void {
  if (plan.elements > EARLIER_ELEMENTS_MAX) return;
  earlier.set(planId, digestOf(plan));
  for (const oldest of earlier.keys()) {
    if (earlier.size <= EARLIER_MAX) break;
    earlier.delete(oldest);
  }
}

/** The number of rows whose contents differ between two plans. */
function differingRows(one: Plan, other: Plan): number {
  const [before, after] = [contentsOf(one), contentsOf(other)];
  const differing = [
    ...[...before].filter((content) => !after.has(content)),
    ...[...after].filter((content) => !before.has(content)),
  ];
  return new Set(differing.map((content) => content.split(' ', 2)[1])).size;
}

export const planInputOf = (
  gathered: Gathered,
  settings: PlanSettings,
  blocksIn = createBlocks(gathered),
): PlanInput => ({
  trees: gathered.trees,
  profile: settings.profile,
  capabilities: settings.capabilities,
  advertiserId: settings.advertiserId,
  blocked: blocksIn(gathered.trees),
  submit: settings.submit,
  only: settings.campaignIds === null ? null : new Set(settings.campaignIds),
  chosen: settings.chosen ?? null,
  hasErrors: (kind, id) => gathered.withErrors.has(rowKey(kind, id)),
  signOffOf: gathered.signOffs?.of ?? null,
  today: settings.today as PlainDate,
});

type Blocks = Map<string, LeftOut['reason']>;

/**
 * Rows that can't be sent: rows with an unconfirmed request, and rows with a conflict. While a create is unconfirmed,
 * its group gets no further creates of that kind: a read could not tell their rows apart.
 *
 * @returns a function for the campaigns of one plan, as thousands of campaigns may be planned one by one
 */
function createBlocks({ live, conflicts, absent = [] }: Omit<Gathered, 'trees'>) {
  const blocked: Blocks = new Map();
  const created = new Set<string>();
  for (const batch of live) {
    for (const op of batch.ops) {
      blocked.set(rowKey(op.kind, op.rowId), 'in-doubt');
      if (batch.verb === 'create') created.add(rowKey(op.kind, op.rowId));
    }
  }
  /** Campaigns and ad groups that are missing on the service: the rows below them can't be sent. */
  const missing: Blocks = new Map();
  for (const { ref, field } of conflicts) {
    blocked.set(rowKey(ref.kind, ref.id), 'conflict');
    if (field === null) missing.set(rowKey(ref.kind, ref.id), 'conflict');
  }
  for (const ref of absent) missing.set(rowKey(ref.kind, ref.id), 'parent-left-out');
  return (trees: readonly CampaignTree[]): PlanInput['blocked'] => {
    if (created.size + missing.size === 0) return blocked;
    const own: Blocks = new Map();
    for (const { kind, id, adGroupId, campaignId } of trees.flatMap(rowsOf)) {
      const group = adGroupId === null ? undefined : missing.get(rowKey('adGroup', adGroupId));
      const reason = group ?? (campaignId === null ? undefined : missing.get(rowKey('campaign', campaignId)));
      if (reason !== undefined) own.set(rowKey(kind, id), reason);
      const parent = adGroupId ?? campaignId;
      if (parent !== null && created.has(rowKey(kind, id))) own.set(createBlockKey(kind, parent), 'in-doubt');
    }
    return { get: (key) => own.get(key) ?? blocked.get(key) };
  };
}

/** The rows below a campaign. */
const rowsOf = ({ campaign: _, media: __, ...lists }: CampaignTree): readonly Row[] => Object.values(lists).flat();

type Facts = Omit<Gathered, 'trees'> & { readonly trees: readonly { readonly campaign: { readonly id: RowId } }[] };

/** Everything a plan depends on, as text. The rows themselves are represented by the counter of changes. */
const factsOf = (
  changes: number,
  { trees, live, conflicts, withErrors, absent = [], signOffs }: Facts,
  { submit, campaignIds, chosen = null, capabilities, today }: PlanSettings,
): string =>
  JSON.stringify([
    changes,
    submit,
    campaignIds,
    chosen,
    capabilities,
    today,
    trees.map(({ campaign }) => campaign.id),
    live.map(({ id, ops }) => [id, ops.map((op) => [op.id, op.state])]),
    conflicts.map(({ ref, field }) => [ref, field]),
    [...withErrors],
    absent,
    signOffs?.version,
  ]);

const NO_RESULT: RowResult = { is: 'pending', at: null, message: null };

/** The part of a campaign in the shown plan. */
type ShownPart = ReturnType<typeof shownPart>;

interface Asked {
  readonly picks: Picks;
  readonly isChosen: ReturnType<typeof choiceOf>;
  readonly blocksIn: ReturnType<typeof createBlocks>;
}

/**
 * Plans one campaign. Rows whose check box is clear stay in the list, as they would be sent with all boxes selected.
 */
function shownPart(
  tree: CampaignTree,
  { picks, isChosen, blocksIn }: Asked,
  gathered: Omit<Gathered, 'trees'>,
  settings: PlanSettings,
) {
  const { chosen = null } = settings;
  const planned = isRestart(settings) ? withReviewsCancelled(tree) : tree;
  const partFor = (boxes: Picks) =>
    partPlanner(
      planInputOf(
        { ...gathered, trees: [planned] },
        { ...settings, chosen: chosen && { ...chosen, picks: boxes } },
        blocksIn,
      ),
      isChosen,
    )(planned);
  const part = partFor(picks);
  const plan = joinParts(part === null ? [] : [part]);
  const whole = picks.length === 0 ? part : partFor([]);
  const isLimited = (chosen?.rows.length ?? 0) > 0;
  const stays = staysOf(plan, [tree], isLimited ? 'not-chosen' : undefined);
  return {
    /** The check boxes with which this part was made, as text. */
    picks: JSON.stringify(picks),
    campaignId: tree.campaign.id,
    name: rowLabel(tree.campaign),
    /** Null if the sync does not include this campaign. */
    part,
    /** Cancellations of its reviews, which are sent first. */
    first: isRestart(settings) ? cancellations(tree) : [],
    rollback: rehearsed(plan, tree, settings.capabilities),
    changes: plannedCampaign(tree, changesOf(joinParts(whole === null ? [] : [whole]))),
    stays: byReason(stays, [tree]),
    unsubmitted: unsubmittedOf(tree, changesOf(plan), stays, settings.submit),
    added: byReason(
      plan.added.map(({ why, ...row }) => ({ ...row, reason: why })),
      [tree],
    ),
  };
}

/** A plan for the screen: what is sent and what is left out, when it takes effect, and what can be rolled back. */
async function planView(
  workspace: Workspace,
  {
    plan,
    list,
    sent,
    parts,
    settings: { campaignIds, today },
  }: {
    readonly plan: Plan;
    readonly list: ReturnType<typeof inOrder>;
    readonly sent: ReturnType<typeof changesOf>;
    readonly parts: readonly ShownPart[];
    readonly settings: PlanSettings;
  },
): Promise<Omit<PlanView, 'planId' | 'errors'>> {
  const leftOut = await Promise.all(
    joinReasons(parts.map(({ stays }) => stays)).map((group) => withNames(workspace, group)),
  );
  const stays = leftOut.reduce((sum, { rows }) => sum + rows, 0);
  // Campaigns outside `campaignIds` are not read: their changes are left out too.
  const elsewhere = campaignIds === null ? 0 : Math.max(0, (await workspace.summary()).changed - stays - sent.size);
  const unsubmitted = new Map(parts.map((one) => [one.campaignId, one.unsubmitted]));
  const { left: budgetLeft, sentBy, ...changeLimit } = await workspace.outbox.changeLimit({ changes: plan.elements });
  return {
    ...planCounts(plan),
    changes: sent.size,
    listed: list.total,
    ...outlook(list, sent, today, await workspace.serviceBudgets(), submittedOf(parts), unsubmitted),
    leftOut: [...leftOut, ...(elsewhere === 0 ? [] : [{ reason: 'not-chosen', rows: elsewhere, first: [] }])],
    warnings: await warningsOf(workspace, sent),
    added: joinReasons(parts.map(({ added }) => added)),
    notIncluded: stays + elsewhere,
    held: leftOut.find(({ reason }) => reason === 'held')?.rows ?? 0,
    budgetLeft,
    waitsHours: Math.max(0, Math.ceil((plan.elements - budgetLeft) / changeLimit.perHour)),
    changeLimit,
    sentBy: plan.elements > budgetLeft ? Math.round(sentBy) : null,
    rollback: {
      changes: parts.reduce((sum, { rollback }) => sum + rollback.changes, 0),
      forGood: parts.reduce((sum, { rollback }) => sum + rollback.forGood, 0),
      firstForGood: parts.flatMap(({ rollback }) => rollback.firstForGood).slice(0, FOR_GOOD_NAMED),
    },
  };
}

/** Warnings of the rows that are sent: a bid with a misplaced decimal point takes effect at once. */
async function warningsOf(
  workspace: Pick<Workspace, 'changesWithWarnings' | 'readRow'>,
  sent: ReturnType<typeof changesOf>,
): Promise<PlanView['warnings']> {
  const warned = (await workspace.changesWithWarnings()).filter(({ kind, id }) => sent.has(kind, id));
  const byRule = Map.groupBy(
    warned.flatMap(({ kind, id, rules }) => rules.map((rule) => ({ kind, id, rule }))),
    ({ rule }) => rule,
  );
  const largest = [...byRule].toSorted(([, a], [, b]) => b.length - a.length);
  return Promise.all(
    largest.map(async ([reason, rows]) => {
      const first = await Promise.all(
        rows.slice(0, WARNED_NAMED).map(async ({ kind, id }) => {
          const row = await workspace.readRow({ kind, id });
          return { kind, id, label: row === null ? '' : rowLabel(row) };
        }),
      );
      return { reason, rows: rows.length, first };
    }),
  );
}

/** Named rows per rule with warnings. */
const WARNED_NAMED = 3;

const submittedOf = (parts: readonly ShownPart[]): ReadonlyMap<RowId, string> =>
  new Map(
    parts
      .filter(({ part }) => part?.drafts.flat().some(({ verb }) => verb === 'submit') === true)
      .map(({ campaignId, name }) => [campaignId, name]),
  );

const FOR_GOOD_NAMED = 20;

/** What could be rolled back of the plan of a campaign. */
function rehearsed(plan: Plan, tree: CampaignTree, can: Capabilities): PlanView['rollback'] {
  const { changes, irreversible } = rollbackPlan(plan, [tree], can);
  const firstForGood = irreversible.slice(0, FOR_GOOD_NAMED).map(({ kind, id, why }) => {
    const row = rowsIn(tree, kind).find((one) => one.id === id);
    return { kind, id, label: row === undefined ? '' : rowLabel(row), why };
  });
  return { changes: changes.length, forGood: irreversible.length, firstForGood };
}

const isRestart = ({ cancelReviews, campaignIds }: Pick<RunOptions, 'cancelReviews' | 'campaignIds'>): boolean =>
  cancelReviews === true && campaignIds !== null;

type Picks = NonNullable<ChosenRows['picks']>;

/** The check boxes that apply to a campaign: its own, and those for every campaign. */
function picksByCampaign(chosen: ChosenRows | null): (id: RowId) => Picks {
  const picks = chosen?.picks ?? [];
  const own = Map.groupBy(picks, ({ campaignId }) => campaignId);
  const common = own.get(null) ?? [];
  return (id) => [...common, ...(own.get(id) ?? [])];
}

/** Maximum number of named rows per reason in the view. */
const NAMED = 20;

/** The counts of a plan that the user reads before confirming it. */
function planCounts(
  plan: Plan,
): Pick<PlanView, 'requests' | 'uploads' | 'elements' | 'creates' | 'updates' | 'reviews'> {
  const count = (verb: string): number =>
    plan.batches.filter((batch) => batch.verb === verb).reduce((sum, batch) => sum + batch.elements.length, 0);
  return {
    requests: plan.batches.length,
    uploads: plan.uploads.map(({ mediaId, file, bytes }) => ({ mediaId, file, bytes })),
    elements: plan.elements,
    creates: count('create'),
    updates: count('update') + count('logo'),
    reviews: count('submit'),
  };
}

/** Requests for the screen, with or without the exact bodies. */
const batchViews = (
  plan: Plan,
  names: ReadonlyMap<RowId, { readonly name: string }>,
  requests: ReturnType<typeof requestsOf>,
  window: PlanWindow,
): readonly BatchView[] =>
  plan.batches.slice(window.from, window.from + window.count).map((batch) => ({
    index: batch.index,
    method: batch.method,
    path: batch.path,
    kind: batch.kind,
    verb: batch.verb,
    campaign: (batch.campaignId === null ? undefined : names.get(batch.campaignId)?.name) ?? '',
    elements: batch.elements.length,
    changes: requests[batch.index]?.changes ?? 0,
    after: requests[batch.index]?.after ?? null,
    json: window.bodies ? renderBatch(batch, unresolved) : null,
  }));

type Reasoned = RowRef & { readonly reason: string };

/** Groups rows by the reason why they are left out or added; the first few of each have names. */
export function byReason(list: readonly Reasoned[], trees: readonly CampaignTree[]): PlanView['leftOut'] {
  const groups = [...Map.groupBy(list, ({ reason }) => reason)];
  const labels = labelsOf(
    groups.flatMap(([, some]) => some.slice(0, NAMED)),
    trees,
  );
  return groups.map(([reason, some]) => ({
    reason,
    rows: some.length,
    first: some.slice(0, NAMED).map(({ kind, id }) => ({
      kind,
      id,
      label: labels.get(rowKey(kind, id)) ?? `${kind} ${id}`,
    })),
  }));
}

/** Joins the groups of several campaigns. */
const joinReasons = (lists: readonly PlanView['leftOut'][]): PlanView['leftOut'] =>
  [...Map.groupBy(lists.flat(), ({ reason }) => reason)].map(([reason, some]) => ({
    reason,
    rows: some.reduce((sum, { rows }) => sum + rows, 0),
    first: some.flatMap(({ first }) => first).slice(0, NAMED),
  }));

/** For rows that were changed after their sign-off, adds who changed them, and for rows with errors, which they have. */
async function withNames(
  workspace: Pick<Workspace, 'callReader'>,
  group: PlanView['leftOut'][number],
): Promise<PlanView['leftOut'][number]> {
  if (group.reason === 'has-errors') {
    const first = group.first.map(async (row) => withErrors(row, await errorsOf(workspace, row)));
    return { ...group, first: await Promise.all(first) };
  }
  if (group.reason !== 'changed-since-sign-off') return group;
  const first = group.first.map(async ({ kind, id, label }) => {
    const input = { ref: { kind, id }, from: 0, count: 1, stepId: null, campaignId: null, member: null };
    const log = await workspace.callReader(['history', 'log'], input);
    const [last] = log.ok ? (log.value as { readonly entries: readonly { readonly who: string }[] }).entries : [];
    return { kind, id, label: last === undefined || last.who === '' ? label : `${label}, changed by ${last.who}` };
  });
  return { ...group, first: await Promise.all(first) };
}

/** The IDs of the rules by which a row has an error. */
async function errorsOf(workspace: Pick<Workspace, 'callReader'>, { kind, id }: RowRef): Promise<readonly string[]> {
  const read = await workspace.callReader(['workspace', 'rowIssues'], { kind, ids: [id] });
  const { issues } = read.ok ? (read.value as { readonly issues: readonly Issue[] }) : { issues: [] };
  return issues.flatMap(({ rule, severity }) => (severity === 'error' ? [rule] : []));
}

function withErrors<Row extends { readonly label: string }>(row: Row, rules: readonly string[]): Row {
  const names = rules.flatMap((rule) => ruleShortName(rule) ?? []);
  return names.length === 0 ? row : { ...row, label: `${row.label}: ${names.join(', ')}` };
}

/**
 * The name of a row in a list of several campaigns, with the campaign's name if rows of many campaigns have equal
 * names.
 */
function labelIn(campaign: CampaignTree['campaign'], row: AnyRow): string {
  switch (row.kind) {
    case 'videoProfile':
      return rowLabel(campaign);
    case 'placementMultiplier':
    case 'platformMultiplier':
      return `${rowLabel(row)}, ${rowLabel(campaign)}`;
    default:
      return rowLabel(row);
  }
}

/** The names of a few rows, by `kind:id`; the trees may have a million rows. */
function labelsOf(refs: readonly RowRef[], trees: readonly CampaignTree[]): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  if (refs.length === 0) return labels;
  const wanted = new Map([...Map.groupBy(refs, ({ kind }) => kind)].map(([kind, some]) => [kind, idsOf(some)]));
  for (const { campaign, ...lists } of trees) {
    const all: readonly (readonly AnyRow[])[] = [[campaign], ...Object.values(lists)];
    for (const rows of all) {
      const ids = rows[0] === undefined ? undefined : wanted.get(rows[0].kind);
      if (ids === undefined) continue;
      for (const row of rows) if (ids.has(row.id)) labels.set(rowKey(row.kind, row.id), labelIn(campaign, row));
    }
  }
  return labels;
}

const idsOf = (refs: readonly RowRef[]): ReadonlySet<RowId> => new Set(refs.map(({ id }) => id));

/** The shown lines of a difference, with the names of their rows. */
export async function namedChanges(
  workspace: Pick<Workspace, 'readRow'>,
  changes: readonly PlanLineChange[],
): Promise<PlanChanges> {
  const shown = changes.slice(0, PLAN_CHANGES_MAX);
  const labels = new Map<string, string>();
  for (const { row } of shown) {
    const found = row === null || labels.has(rowKey(row.kind, row.id)) ? null : await workspace.readRow(row);
    if (found !== null) labels.set(rowKey(found.kind, found.id), rowLabel(found));
  }
  return {
    lines: shown.map(({ sign, line, row }) => ({
      sign,
      line: line.length > PLAN_LINE_MAX ? `${line.slice(0, PLAN_LINE_MAX)}…` : line,
      kind: row?.kind ?? null,
      id: row?.id ?? null,
      label: row === null ? null : (labels.get(rowKey(row.kind, row.id)) ?? null),
    })),
    more: changes.length - shown.length,
  };
}
