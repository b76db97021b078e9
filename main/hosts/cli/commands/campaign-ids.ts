import { resolve } from 'node:path';
import type { AddCampaignOutcome, RemoteIdEntry } from '../../../../shared/api/campaigns.ts';
import { ADD_CAMPAIGNS_MAX, WINDOW_MAX } from '../../../../shared/api/limits.ts';
import { type CampaignLine, campaignLines, campaignsOf } from '../../../../shared/item-ids/campaign-lines.ts';
import type { Step } from '../../../../shared/lifecycle/eligibility.ts';
import { type CampaignTree, rowsIn } from '../../../../shared/model/campaign-tree.ts';
import { KINDS } from '../../../../shared/model/kinds.ts';
import type { WorkspaceId } from '../../../../shared/model/scalars.ts';
import { isCarried, NOT_OFFERED, stepCommand } from '../../../../shared/plan/capabilities.ts';
import { offeredSteps } from '../../../../shared/plan/offered-steps.ts';
import { split } from '../../../../shared/plan/plan.ts';
import type { PlanInput } from '../../../../shared/plan/plan-types.ts';
import { rowLabel } from '../../../../shared/rules/rule.ts';
import { readSheet } from '../../../files/spreadsheet/read-sheet.ts';
import { EXIT_CODE, usageError } from '../cli-error.ts';
import type { Client, Command, Context } from '../command.ts';
import { unreadableFile } from '../named-file.ts';
import { counted } from '../output.ts';
import { readFindings } from './check.ts';

const SOURCE: Readonly<Record<RemoteIdEntry['source'], string>> = {
  made: 'sent from here',
  typed: 'added by hand',
  pasted: 'pasted',
  sheet: 'a sheet',
  report: 'a report',
  list: 'list of the service',
};

const listCommand: Command = {
  name: 'known list',
  takes: '[WORDS]',
  summary:
    'Lists the known ids of campaigns and ad groups: where each came from and when the service last answered for it. WORDS narrow it to what has each of them in id, name or campaign.',
  positionals: [0, 20],
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const words = context.positionals.join(' ');
    const ids: RemoteIdEntry[] = [];
    for (;;) {
      const page = await client.campaignIds.list({ workspaceId, from: ids.length, count: WINDOW_MAX, words });
      ids.push(...page.ids);
      if (page.ids.length === 0 || ids.length >= page.total) break;
    }
    const rows = ids.map(({ kind, id, name, source, confirmedAt, rowId }) => [
      kind === 'campaign' ? 'campaign' : 'ad group',
      id,
      SOURCE[source],
      confirmedAt === null ? 'never' : new Date(confirmedAt).toISOString().slice(0, 16),
      rowId === null ? 'not in the account any more' : (name ?? ''),
    ]);
    context.output.table(['Kind', 'Id', 'From', 'Last confirmed', 'Name'], rows);
    context.output.result({ ids });
  },
};

const addCommand: Command = {
  name: 'known add',
  takes: '[ID...] [--file FILE] [--ad-group ID] [--name NAME] [--type TYPE]',
  summary:
    'Takes campaigns in that were made elsewhere, by their ids, and reads what hangs from them. --file FILE has one a line: the id alone, or a table with id, name, type and ad group id. --ad-group, --name and --type go with a single ID, for what the service cannot be asked.',
  positionals: [0, 1000],
  run: async (context) => {
    const file = context.text('file');
    const lines = file === null ? typedLines(context) : campaignLines(await tableOf(file));
    if (lines.length === 0)
      throw usageError('Name at least one campaign id, or a file with them: adslate known add ID.');
    const left = lines.filter(({ problem }) => problem !== null);
    context.output.say(left.map(problemOf));
    const { client, workspaceId } = await context.atAccount();
    const taken = await takeIn(client, workspaceId, campaignsOf(lines), file === null ? 'typed' : 'pasted');
    context.output.say([
      ...taken.outcomes.map(lineOf),
      ...taken.withoutGroup.map(
        (id) => `campaign ${id} has no known ad group: name it with --ad-group, or nothing can be read below it.`,
      ),
    ]);
    if (taken.stoppedBy !== null) context.output.say(`The reading ended early: ${taken.stoppedBy}`);
    context.output.result({ ...taken, leftOut: left.map(({ line, text, problem }) => ({ line, text, problem })) });
    if (taken.stoppedBy !== null) return EXIT_CODE.unreachable;
    const isAll =
      left.length === 0 && taken.outcomes.every(({ outcome }) => outcome === 'added' || outcome === 'known');
    return isAll ? EXIT_CODE.done : EXIT_CODE.refused;
  },
};

/** The ids of the command line as lines of such a table. */
function typedLines(context: Context): readonly CampaignLine[] {
  const [name, type, adGroup] = [context.text('name'), context.text('type'), context.text('ad-group')];
  const isSingle = context.positionals.length === 1;
  if (!isSingle && (name ?? type ?? adGroup) !== null)
    throw usageError('--name, --type and --ad-group go with a single id.');
  return campaignLines(context.positionals.map((id) => [id, name ?? '', type ?? '', adGroup ?? '']));
}

async function tableOf(path: string): Promise<readonly (readonly string[])[]> {
  const read = await readSheet(resolve(path));
  if (!read.ok) throw unreadableFile(path, read.error);
  return read.value.map((cells) => cells.map((cell) => cell.replace(/^\uFEFF/, '')));
}

/** Long lists go in parts, since each part is answered as a whole; a part that ends early is the last. */
async function takeIn(
  client: Client,
  workspaceId: WorkspaceId,
  campaigns: ReturnType<typeof campaignsOf>,
  source: 'typed' | 'pasted',
) {
  const outcomes: AddCampaignOutcome[] = [];
  const withoutGroup: string[] = [];
  for (const part of split(campaigns, ADD_CAMPAIGNS_MAX)) {
    const taken = await client.campaignIds.add({ workspaceId, source, campaigns: [...part] });
    outcomes.push(...taken.outcomes);
    withoutGroup.push(...taken.withoutGroup);
    if (taken.stoppedBy !== null) return { outcomes, withoutGroup, stoppedBy: taken.stoppedBy };
  }
  return { outcomes, withoutGroup, stoppedBy: null };
}

const PROBLEM: Readonly<Record<NonNullable<CampaignLine['problem']>, string>> = {
  'not-an-id': 'is not an id',
  'not-a-type': 'has a type that is none of sponsoredProducts, sba, video',
  'not-a-group': 'has an ad group id that is none',
  repeated: 'stands above already',
};
const problemOf = ({ line, text, problem }: CampaignLine): string =>
  `line ${line}: "${text}" ${problem === null ? '' : PROBLEM[problem]}. Left out.`;

const OUTCOME: Readonly<Record<AddCampaignOutcome['outcome'], string>> = {
  added: 'added',
  known: 'known already',
  'not-found': 'not on the service, or not shown to this account; not kept',
  'other-campaign': 'belongs to another campaign; not kept',
  'second-group': 'not kept: its campaign has an ad group already, and takes one only',
  unsettled: 'not kept: a send from here is not settled, and this may be it ("adslate waiting")',
  refused: 'refused',
  'not-asked': 'not asked about',
};
const lineOf = ({ kind, id, outcome, detail }: AddCampaignOutcome): string =>
  `${kind === 'campaign' ? 'campaign' : 'ad group'} ${id}: ${OUTCOME[outcome]}${detail === '' ? '' : ` (${detail})`}`;

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

const campaignsCommand: Command = {
  name: 'campaigns',
  summary: 'Lists every campaign with its state, where the state is from, what it needs next and what is wrong.',
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
    context.output.table(['Campaign', 'State', 'Next step', ''], lines, 'The account has no campaigns.');
    context.output.result({ campaigns });
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

export const campaignCommands: readonly Command[] = [listCommand, addCommand, campaignsCommand];
