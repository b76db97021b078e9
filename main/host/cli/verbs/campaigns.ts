import type { Step } from '../../../../shared/lifecycle/eligibility.ts';
import { type CampaignTree, rowsIn } from '../../../../shared/model/campaign-tree.ts';
import { KINDS } from '../../../../shared/model/kinds.ts';
import { isCarried, stepCommand } from '../../../../shared/plan/command-capabilities.ts';
import { offeredSteps } from '../../../../shared/plan/offered-steps.ts';
import { NOT_OFFERED } from '../../../../shared/plan/offering-text.ts';
import type { PlanInput } from '../../../../shared/plan/plan-input.ts';
import { rowLabel } from '../../../../shared/rules/row-label.ts';
import type { Command } from '../command.ts';
import { readFindings } from '../findings.ts';
import { EXIT } from '../stop.ts';
import { counted, table } from '../table.ts';

/** What a campaign needs next, for programs. The list is the documented one (docs/command-line.md). */
type NextStep =
  | 'none'
  | 'answer-questions'
  | 'resolve-conflicts'
  | 'fix-errors'
  | 'add-parts'
  | 'sync'
  | 'upload-media'
  | 'wait-for-video'
  | 'replace-video'
  | 'submit-review'
  | 'resubmit-review'
  | 'wait-for-review'
  | 'fix-rejected'
  | 'enable'
  | 'extend'
  | 'wait-for-start'
  | 'wait';

/** Campaigns that are read at once: each comes with all that hangs from it. */
const AT_ONCE = 100;

export const campaignsCommand: Command = {
  name: 'campaigns',
  takes: '',
  summary: 'Lists every campaign with its state, where the state is from, what it needs next and what is wrong.',
  options: {},
  positionals: { min: 0, max: 0 },
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const { workspace, sync: openSync } = await context.account();
    const sync = await openSync();
    const asked = new Set((await sync.questions()).map(({ kind, rowId }) => `${kind}:${rowId}`));
    const { findings } = await readFindings(client, workspaceId);
    const found = Map.groupBy(
      findings.filter(({ severity }) => severity !== 'advice'),
      ({ kind, id }) => `${kind}:${id}`,
    );
    const ids = await workspace.campaignIds('all');
    const campaigns = [];
    /** Ids of campaigns whose next step has to be done elsewhere. */
    const outside = new Set<string | null>();
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const input = await sync.planInput(ids.slice(from, from + AT_ONCE));
      for (const tree of input.trees) {
        const { remoteId, values } = tree.campaign;
        const rows = rowKeys(tree);
        const nextStep = nextStepOf(tree, input, rows, asked);
        if (isDoneElsewhere(tree, input, nextStep)) outside.add(remoteId);
        campaigns.push({
          campaign: rowLabel(tree.campaign),
          campaignId: remoteId,
          type: values.campaignType,
          state: values.campaignState ?? 'draft',
          stateSource: values.stateSource ?? 'local',
          asOf: values.stateAsOf,
          nextStep,
          problems: rows
            .flatMap((key) => found.get(key) ?? [])
            .map(({ rule, severity, message }) => ({ rule, severity, message })),
        });
      }
    }
    const lines = campaigns.map(({ campaign, campaignId, state, stateSource, nextStep, problems }) => [
      campaign,
      stateSource === 'estimated' ? `${state} (estimated)` : state,
      outside.has(campaignId) ? `${nextStep}: ${NOT_OFFERED}` : nextStep,
      problems.length === 0 ? '' : counted(problems.length, 'problem'),
    ]);
    if (lines.length === 0) context.output.say('The account has no campaigns.');
    else for (const line of table(['Campaign', 'State', 'Next step', ''], lines)) context.output.say(line);
    context.output.result({ campaigns });
    return EXIT.done;
  },
};

const rowKeys = (tree: CampaignTree): readonly string[] =>
  KINDS.flatMap((kind) => rowsIn(tree, kind).map(({ id }) => `${kind}:${id}`));

/** The step is missing, and no request of this service carries it. */
const isDoneElsewhere = (tree: CampaignTree, input: PlanInput, word: NextStep): boolean =>
  (word === 'enable' || word === 'extend') &&
  !isCarried(stepCommand(word), input.capabilities) &&
  tree.campaign.remoteId !== null;

function nextStepOf(
  tree: CampaignTree,
  input: PlanInput,
  rows: readonly string[],
  asked: ReadonlySet<string>,
): NextStep {
  if (rows.some((key) => asked.has(key))) return 'answer-questions';
  if (rows.some((key) => input.blocked.get(key) === 'conflict')) return 'resolve-conflicts';
  const { missing, isEligible } = offeredSteps(tree, input);
  const [step] = missing;
  if (step !== undefined) return wordOf(step, tree);
  if (!isEligible) return 'wait';
  return tree.campaign.values.campaignState === 'scheduled' ? 'wait-for-start' : 'none';
}

function wordOf({ step, fix }: Step, tree: CampaignTree): NextStep {
  switch (step) {
    case 'video':
      if (fix.way === 'look') return 'wait-for-video';
      return fix.way === 'go' ? 'replace-video' : 'upload-media';
    case 'submit':
      return tree.adGroups.some(({ values }) => values.reviewId !== null) ? 'resubmit-review' : 'submit-review';
    case 'sync':
    case 'enable':
    case 'extend':
      return step;
    case 'review':
      return 'wait-for-review';
    case 'approval':
      return 'fix-rejected';
    case 'errors':
      return 'fix-errors';
    case 'ad-group':
    case 'item':
    case 'keyword':
    case 'profile':
      return 'add-parts';
  }
}
