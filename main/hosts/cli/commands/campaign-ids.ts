import { resolve } from 'node:path';
import type { AddCampaignOutcome, RemoteIdEntry } from '../../../../shared/api/campaigns.ts';
import { ADD_CAMPAIGNS_MAX, WINDOW_MAX } from '../../../../shared/api/limits.ts';
import { type CampaignLine, campaignLines, campaignsOf } from '../../../../shared/item-ids/campaign-lines.ts';
import type { Step } from '../../../../shared/lifecycle/eligibility.ts';
import { statusName } from '../../../../shared/lifecycle/states.ts';
import { type CampaignTree, rowsIn } from '../../../../shared/model/campaign-tree.ts';
import { KINDS } from '../../../../shared/model/kinds.ts';
import { rowKey } from '../../../../shared/model/row.ts';
import type { WorkspaceId } from '../../../../shared/model/scalars.ts';
import { isCarried, NOT_OFFERED, stepCommand } from '../../../../shared/plan/capabilities.ts';
import { offeredSteps } from '../../../../shared/plan/offered-steps.ts';
import { split } from '../../../../shared/plan/plan.ts';
import type { PlanInput } from '../../../../shared/plan/plan-types.ts';
import { rowLabel } from '../../../../shared/rules/rule.ts';
import { readSheet } from '../../../files/spreadsheet/read-sheet.ts';
import { EXIT_CODE, usageError } from '../cli-error.ts';
import { type Client, type Command, type Context, readPages } from '../command.ts';
import { unreadableFile } from '../named-file.ts';
import { counted } from '../output.ts';
import { readIssues } from './check.ts';

const SOURCE: Readonly<Record<RemoteIdEntry['source'], string>> = {
  made: 'created here',
  typed: 'entered',
  pasted: 'pasted',
  sheet: 'import',
  report: 'report',
  list: 'service',
};

const listCommand: Command = {
  name: 'campaign ids',
  takes: '[WORDS]',
  purpose: 'Lists the IDs of campaigns and ad groups, with source and last confirmation.',
  parameters: { WORDS: 'Shows only IDs with these words in ID, name or campaign.' },
  example: 'adslate campaign ids towels',
  positionals: [0, 20],
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const words = context.positionals.join(' ');
    const { ids } = await readPages('ids', (from) =>
      client.campaignIds.list({ workspaceId, from, count: WINDOW_MAX, words }),
    );
    const rows = ids.map(({ kind, id, name, source, confirmedAt, rowId }) => [
      kind === 'campaign' ? 'campaign' : 'ad group',
      id,
      SOURCE[source],
      confirmedAt === null ? 'never' : new Date(confirmedAt).toISOString().slice(0, 16),
      rowId === null ? 'no longer in the account' : (name ?? ''),
    ]);
    context.output.table(['Type', 'ID', 'Source', 'Last confirmed', 'Name'], rows);
    context.output.result({ ids });
  },
};

const addCommand: Command = {
  name: 'campaign add',
  takes: '[ID...]',
  purpose: 'Adds campaigns that were created elsewhere, and loads their contents.',
  parameters: {
    ID: 'Campaign ID.',
    '--file FILE': 'Reads one campaign per line: ID, or ID, name, type and ad group ID.',
    '--ad-group ID': 'Ad group of a single campaign, if the service does not list it.',
    '--name NAME': 'Name of a single campaign, if the service does not report it.',
    '--type TYPE': 'Type of a single campaign: sponsoredProducts, sba or video.',
  },
  example: 'adslate campaign add 904100200301 904100200302',
  positionals: [0, 1000],
  run: async (context) => {
    const file = context.text('file');
    const typed = typedLines(context);
    if (file !== null && typed.length > 0)
      throw usageError("IDs can't be combined with --file. Add them to the file, or run the command twice.");
    const lines = file === null ? typed : campaignLines(await tableOf(file));
    if (lines.length === 0)
      throw usageError('The campaign ID is missing. Run "adslate campaign add ID..." or add --file FILE.');
    const left = lines.filter(({ problem }) => problem !== null);
    context.output.say(left.map(problemOf));
    const { client, workspaceId } = await context.atAccount();
    const taken = await takeIn(client, workspaceId, campaignsOf(lines), file === null ? 'typed' : 'pasted');
    context.output.say([
      ...taken.outcomes.map(lineOf),
      ...taken.withoutGroup.map(
        (id) =>
          `The ad group of campaign ${id} is unknown, so its contents were not loaded. Run "adslate campaign add ${id} --ad-group ID".`,
      ),
    ]);
    if (taken.stoppedBy !== null) context.output.say(`Loading stopped: ${taken.stoppedBy}`);
    context.output.result({ ...taken, leftOut: left.map(({ line, text, problem }) => ({ line, text, problem })) });
    if (taken.stoppedBy !== null) return EXIT_CODE.unreachable;
    const isAll =
      left.length === 0 && taken.outcomes.every(({ outcome }) => outcome === 'added' || outcome === 'known');
    return isAll ? EXIT_CODE.done : EXIT_CODE.refused;
  },
};

/** The IDs of the command line as lines of such a table. */
function typedLines(context: Context): readonly CampaignLine[] {
  const [name, type, adGroup] = [context.text('name'), context.text('type'), context.text('ad-group')];
  const isSingle = context.positionals.length === 1;
  if (!isSingle && (name ?? type ?? adGroup) !== null)
    throw usageError(
      '--name, --type and --ad-group apply to a single ID. Add one campaign at a time, or use --file FILE.',
    );
  return campaignLines(context.positionals.map((id) => [id, name ?? '', type ?? '', adGroup ?? '']));
}

async function tableOf(path: string): Promise<readonly (readonly string[])[]> {
  const read = await readSheet(resolve(path));
  if (!read.ok) throw unreadableFile(path, read.error);
  return read.value;
}

/** Sends long lists in parts, since each part gets one response. After a part that stopped, no other is sent. */
async function takeIn(
  client: Client,
  workspaceId: WorkspaceId,
  campaigns: ReturnType<typeof campaignsOf>,
  source: 'typed' | 'pasted',
) {
  const outcomes: AddCampaignOutcome[] = [];
  const withoutGroup: string[] = [];
  let stoppedBy: string | null = null;
  for (const part of split(campaigns, ADD_CAMPAIGNS_MAX)) {
    if (stoppedBy !== null) {
      outcomes.push(...part.map(({ id }) => notAsked(id)));
      continue;
    }
    const taken = await client.campaignIds.add({ workspaceId, source, campaigns: [...part] });
    outcomes.push(...taken.outcomes);
    withoutGroup.push(...taken.withoutGroup);
    stoppedBy = taken.stoppedBy;
  }
  return { outcomes, withoutGroup, stoppedBy };
}

const notAsked = (id: string): AddCampaignOutcome => {
  return { kind: 'campaign', id, campaign: id, outcome: 'not-asked', detail: '' };
};

const PROBLEM: Readonly<Record<NonNullable<CampaignLine['problem']>, string>> = {
  'not-an-id': 'is not an ID',
  'not-a-type': 'has an unknown type. Use sponsoredProducts, sba or video',
  'not-a-group': 'has an ad group ID that is not an ID',
  repeated: 'is repeated',
};
const problemOf = ({ line, text, problem }: CampaignLine): string =>
  `Line ${line.toLocaleString('en-US')} skipped: "${text}" ${problem === null ? '' : PROBLEM[problem]}.`;

const OUTCOME: Readonly<Record<AddCampaignOutcome['outcome'], string>> = {
  added: 'added',
  known: 'already in the account',
  'not-found': 'not added. The service does not have it, or does not show it to this account',
  'other-campaign': 'not added. It belongs to another campaign',
  'second-group': 'not added. Its campaign already has an ad group',
  unsettled: 'not added. It may be the result of an unconfirmed request. Run "adslate sync" first',
  refused: 'not added. The service did not accept the request',
  'not-asked': 'not checked',
};
const lineOf = ({ kind, id, outcome, detail }: AddCampaignOutcome): string =>
  `${kind === 'campaign' ? 'Campaign' : 'Ad group'} ${id}: ${OUTCOME[outcome]}${detail === '' ? '' : ` (${detail})`}.`;

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

/** Campaigns that are read at once, each with all of its rows. */
const AT_ONCE = 100;

const campaignsCommand: Command = {
  name: 'campaigns',
  purpose: 'Lists every campaign with its status, its next step and its issues.',
  example: 'adslate campaigns --json',
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const { workspace, sync: openSync } = await context.account();
    const sync = await openSync();
    const asked = new Set((await sync.questions()).map(({ kind, rowId }) => rowKey(kind, rowId)));
    const { issues } = await readIssues(client, workspaceId);
    const found = Map.groupBy(
      issues.filter(({ severity }) => severity !== 'advice'),
      ({ kind, id }) => rowKey(kind, id),
    );
    const ids = await workspace.campaignIds('all');
    const campaigns = [];
    /** IDs of campaigns whose next step must be done outside this service. */
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
      stateSource === 'estimated' ? `${statusName(state)} (estimated)` : statusName(state),
      outside.has(campaignId) ? `${nextStep}: ${NOT_OFFERED}` : nextStep,
      problems.length === 0 ? '' : counted(problems.length, 'issue'),
    ]);
    context.output.table(
      ['Campaign', 'Status', 'Next step', 'Issues'],
      lines,
      'No campaigns yet. Run "adslate import FILE" to add some.',
    );
    context.output.result({ campaigns });
  },
};

const rowKeys = (tree: CampaignTree): readonly string[] =>
  KINDS.flatMap((kind) => rowsIn(tree, kind).map(({ id }) => rowKey(kind, id)));

/** The step is missing, and no request of this service can do it. */
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

export const campaignCommands: readonly Command[] = [listCommand, addCommand, campaignsCommand];
