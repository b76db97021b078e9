import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WINDOW_MAX } from '../../../../shared/api/limits.ts';
import type { PlanFile, PlanHeader } from '../../../../shared/api/plan-file.ts';
import type { BatchView, ChosenRows, PlanView, Rollback, SentRunView } from '../../../../shared/api/sync.ts';
import { PLAN_TEXT_MAX } from '../../../../shared/api/sync.ts';
import { statusName } from '../../../../shared/lifecycle/states.ts';
import { fileRefusalText } from '../../../../shared/media/file-refusal.ts';
import { formatCell } from '../../../../shared/model/cell-text.ts';
import { fieldLabel } from '../../../../shared/model/fields.ts';
import type { Kind } from '../../../../shared/model/kinds.ts';
import { type AnyRow, rowKey } from '../../../../shared/model/row.ts';
import { type RowId, remoteId, type WorkspaceId } from '../../../../shared/model/scalars.ts';
import { NOT_REVERSIBLE, rollbackPlan } from '../../../../shared/plan/rollback-plan.ts';
import { SYNC_SELECTION_MAX } from '../../../../shared/plan/sync-selection.ts';
import { ruleShortName } from '../../../../shared/rules/messages.ts';
import { rowLabel } from '../../../../shared/rules/rule.ts';
import { createPartnerApi, type PartnerApi } from '../../../api/partner-api.ts';
import { systemClock } from '../../../app/clock.ts';
import { createFileUploader } from '../../../files/upload/upload-file.ts';
import { addressRule, createUploadHosts } from '../../../files/upload/upload-url-check.ts';
import {
  createPracticeControl,
  type PracticeDetails,
  type PracticeService,
  startPracticeService,
} from '../../../practice/practice-service.ts';
import { ownerIn, type PlanOwner, planFileText, planIn } from '../../../service/sync.ts';
import type { Planned } from '../../../sync/plan-preview.ts';
import { type Replayed, replayPlan } from '../../../sync/replay.ts';
import { CliError, EXIT_CODE, usageError } from '../cli-error.ts';
import { type Client, type Command, type Context, readPages } from '../command.ts';
import { readNamedFile } from '../named-file.ts';
import { counted, formatCellValue, isoOrNull, parseRowType, wordOf } from '../output.ts';

/** Options that limit a plan, shared with `sync`. */
export const SCOPE = {
  '--campaign NAME': 'Only these campaigns, separated by commas.',
  '--only TYPE[:FILTER]': 'Only these rows and the parents they need, as in "ad item: bid>2".',
};

const planCommand: Command = {
  name: 'plan',
  takes: '[--text | --rollback]',
  purpose: 'Shows the requests that a sync would send, without sending them.',
  parameters: {
    '--text': 'Prints the plan as a file, as "sync --dry-run" does, to compare plans.',
    '--rollback': "Shows how to roll the plan back, and what can't be rolled back.",
    '--submit': 'Also submits campaigns for review.',
    ...SCOPE,
  },
  example: 'adslate plan --submit --json',
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const options = await readSyncOptions(context);
    if (context.flag('text') || context.flag('rollback')) {
      const sync = await (await context.account()).sync();
      const planned = await sync.planned(options);
      const lines = context.flag('text') ? await planFileLines(context, options, planned) : rollbackLines(planned);
      context.output.say(lines);
      return context.output.result({ lines });
    }
    const plan = await client.sync.plan(options);
    const requests = await requestsOf(client, workspaceId, plan, context.output.json);
    showPlan(context, plan, requests);
    context.output.resultText(planJson(plan, requests));
  },
};

/** Every request of a plan. */
export async function requestsOf(
  client: Client,
  workspaceId: WorkspaceId,
  { planId, requests: total }: PlanView,
  bodies: boolean,
): Promise<readonly BatchView[]> {
  const { batches } = await readPages('batches', async (from) => ({
    ...(await client.sync.planBatches({ workspaceId, planId, bodies, from, count: WINDOW_MAX })),
    total,
  }));
  if (batches.length < total) throw new Error(`the plan has ${batches.length} requests instead of ${total}`);
  return batches;
}

export function showPlan({ output }: Context, plan: PlanView, requests: readonly BatchView[]): void {
  output.say(plan.uploads.map(({ file, bytes }) => `upload  ${file} (${counted(bytes, 'byte')})`));
  output.say(
    requests.map(
      ({ method, path, verb, elements, kind, campaign }) =>
        `${method.padEnd(4)}  ${path}  ${verb} ${counted(elements, kind)}  ${campaign}`,
    ),
  );
  const named = ({ rows, first }: PlanView['leftOut'][number]): string =>
    rows <= 5 && rows === first.length ? first.map((row) => row.label).join(', ') : counted(rows, 'row');
  output.say(plan.added.map((added) => `also included (${ADDED[added.reason] ?? added.reason}): ${named(added)}`));
  output.say(plan.leftOut.map((left) => `not included (${REASONS[left.reason] ?? left.reason}): ${named(left)}`));
  output.say(plan.warnings.map((warned) => `warning (${ruleText(warned.reason)}): ${named(warned)}`));
  const parts = [counted(plan.requests, 'request'), counted(plan.elements, 'change')];
  if (plan.uploads.length > 0) parts.push(counted(plan.uploads.length, 'upload'));
  if (plan.reviews > 0) parts.push(counted(plan.reviews, 'review'));
  output.say(plan.requests + plan.uploads.length === 0 ? 'Nothing to sync.' : `${parts.join(', ')}.`);
  if (plan.waitsHours > 0) {
    const by = plan.sentBy === null ? '' : `, until ${new Date(plan.sentBy).toISOString().slice(0, 16)}Z`;
    output.say(`The service limits changes per hour, so this takes about ${counted(plan.waitsHours, 'hour')}${by}.`);
    output.say(limitText(plan.changeLimit));
  }
  if (plan.errors > 0) {
    output.say(`${counted(plan.errors, 'error')}: rows with errors are not sent. Run "adslate check" to list them.`);
  }
}

/** Custom rules with warnings are counted together. */
const ruleText = (rule: string): string => ruleShortName(rule) ?? 'Custom rule';

/** The hourly limit, and how it was determined. */
export const limitText = ({ perHour, from, seen }: PlanView['changeLimit']): string =>
  ({
    settings: `Hourly limit: ${perHour} changes, from the deployment settings.`,
    service: `Hourly limit: ${perHour} changes, named by the service.`,
    learned: `Hourly limit: about ${perHour} changes, seen ${counted(seen, 'time')}.`,
  })[from];

const REASONS: Readonly<Record<string, string>> = {
  held: 'on hold',
  'has-errors': 'has errors',
  'parent-left-out': 'its campaign or ad group is not included',
  'in-doubt': 'an earlier request is unconfirmed: run "adslate questions"',
  conflict: 'has a conflict: run "adslate conflicts"',
  'not-offered': "not supported by this service: use the retailer's console, then refresh",
  'review-open': 'locked during review',
  'waits-for-media': 'its video is still processing',
  'nothing-to-send': 'nothing to send yet',
  'needs-sign-off': 'needs sign-off: run "adslate team request submit"',
  'changed-since-sign-off': 'signed off, then changed: run "adslate team request submit" again',
  'not-chosen': 'not selected',
};

const ADDED: Readonly<Record<string, string>> = {
  parent: 'new parent of a selected row',
  carries: 'uses a selected file',
  file: 'video of a selected profile',
};

/** The plan as JSON text. Bodies are inserted as text: a JSON writer would turn 1500.00 into 1500. */
function planJson(plan: PlanView, requests: readonly BatchView[]): string {
  const batches = requests.map((batch) => {
    const { method, path, kind, campaign } = batch;
    const body = (batch.json ?? '[]').trim();
    const head = JSON.stringify({ method, path, kind, campaign }).slice(0, -1);
    return `${head},"elements":${body.startsWith('[') ? body : `[${body}]`}}`;
  });
  const uploads = JSON.stringify(plan.uploads.map(({ file, bytes }) => ({ file, bytes })));
  const listed = (groups: PlanView['leftOut']): string =>
    JSON.stringify(
      groups.map(({ reason, rows, first }) => ({
        reason,
        rows,
        first: first.map(({ kind, label }) => ({ kind, label })),
      })),
    );
  const rest = `"uploads":${uploads},"held":${plan.held},"reviews":${plan.reviews},"added":${listed(plan.added)},"leftOut":${listed(plan.leftOut)},"warnings":${listed(plan.warnings)}`;
  const { budgetLeft, changeLimit } = plan;
  const limit = JSON.stringify({ budgetLeft, changeLimit, sentBy: isoOrNull(plan.sentBy) }).slice(1, -1);
  return `{"elements":${plan.elements},"batches":[${batches.join(',')}],${rest},${limit}}`;
}

/** How to roll back the plan after it was sent, and what can't be rolled back. */
function rollbackLines({ plan, trees, capabilities }: Planned): readonly string[] {
  const labels = new Map<string, string>();
  for (const tree of trees) {
    const { campaign, ...lists } = tree;
    const rows: readonly AnyRow[] = [campaign, ...Object.values(lists).flat()];
    for (const row of rows) labels.set(rowKey(row.kind, row.id), rowLabel(row));
  }
  const named = (kind: Kind, id: RowId): string => `${wordOf(kind)} "${labels.get(rowKey(kind, id)) ?? id}"`;
  const { changes, irreversible } = rollbackPlan(plan, trees, capabilities);
  return [
    ...changes.map(({ kind, id, field, value }) => {
      const text = formatCell(kind, field, value);
      return `restore: ${named(kind, id)}, ${fieldLabel(field, kind)}: ${text === '' ? 'empty' : text}`;
    }),
    ...irreversible.map(({ kind, id, why }) => `not reversible: ${named(kind, id)}: ${NOT_REVERSIBLE[why] ?? why}`),
  ];
}

const planReplayCommand: Command = {
  name: 'plan replay',
  takes: 'FILE',
  purpose: 'Tries a plan file on a new, simulated service, and shows the result.',
  parameters: {
    FILE: 'Plan file from "sync --dry-run". Changes of rows that the plan does not create fail.',
  },
  example: 'adslate plan replay plan.txt',
  positionals: [1, 1],
  run: async (context) => {
    const file = await readPlanFile(context, context.positionals[0] ?? '');
    const folder = await mkdtemp(join(tmpdir(), 'adslate-replay-'));
    try {
      const started = await startPracticeService(join(folder, 'service'));
      if (!started.ok)
        throw practiceError(`The simulated service couldn't start: ${started.error.data.detail}. Try again.`);
      try {
        const { replayed, after } = await replay(context, file, started.value);
        await showReplay(context, replayed, after);
        return replayed.every(({ refused, notSent }) => refused.length === 0 && notSent === null)
          ? EXIT_CODE.done
          : EXIT_CODE.refused;
      } finally {
        await started.value.close();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const practiceError = (message: string): CliError => new CliError(EXIT_CODE.workspace, 'PRACTICE', message);
const practiceEnded = (detail: string): CliError => practiceError(`The simulated service ended: ${detail}. Try again.`);

async function replay(context: Context, { plan }: PlanFile, service: PracticeService) {
  const account = await context.account();
  const api = clientOf(service);
  const control = createPracticeControl(service.controlUrl, async () => {});
  const nothingKept = { getMeta: async () => null, setMeta: async () => {} };
  const uploader = createFileUploader(
    addressRule(service.baseUrl, []),
    createUploadHosts(nothingKept, () => context.nowMs()),
    (row) => account.library.pathOf(row.values.sha256 ?? ''),
    { cut: new AbortController().signal, isLate: () => false },
  );
  const media = new Map((await account.workspace.readMedia()).map((row) => [row.id, row]));
  const advance = async (duration: string): Promise<void> => {
    const moved = await control.advance(duration);
    if (!moved.ok) throw practiceEnded(moved.error.data.detail);
  };
  try {
    const replayed = await replayPlan(plan, { api, uploader, media, advance });
    const after = await control.details();
    if (!after.ok) throw practiceEnded(after.error.data.detail);
    return { replayed, after: after.value };
  } finally {
    api.close();
  }
}

function clientOf(service: PracticeService): PartnerApi {
  const { account, baseUrl, headerPrefix } = service;
  const advertiserId = remoteId(account.advertiserId);
  if (advertiserId === null) throw new Error('a practice account without an advertiser id');
  const { consumerId, keyVersion } = account;
  return createPartnerApi(
    { baseUrl, advertiserId, consumerId, keyVersion, headerPrefix, timestampUnit: 'ms', signatureAlgorithm: 'RS256' },
    { secrets: async () => account, clock: systemClock },
  );
}

async function showReplay(context: Context, replayed: readonly Replayed[], after: PracticeDetails): Promise<void> {
  const { output } = context;
  const { workspace } = await context.account();
  const labelOf = async (ref: Replayed['refused'][number]): Promise<string> => {
    const row = await workspace.readRow(ref);
    return row === null ? `${ref.kind}/${ref.id}` : rowLabel(row);
  };
  const requests = [];
  for (const { request, accepted, refused, notSent } of replayed) {
    const what = request === null ? 'upload' : `${request.method} ${request.path}  ${request.verb} ${request.kind}`;
    output.say(`${what}: ${notSent === null ? `${accepted} accepted` : `not sent, ${notSent}`}`);
    const named = [];
    for (const ref of refused) {
      const one = { type: wordOf(ref.kind), label: await labelOf(ref), message: ref.message };
      output.say(`  failed: ${one.type} "${one.label}": ${one.message}`);
      named.push(one);
    }
    requests.push({ method: request?.method ?? null, path: request?.path ?? null, accepted, refused: named, notSent });
  }
  const sum = (of: (one: Replayed) => number): number => replayed.reduce((all, one) => all + of(one), 0);
  const accepted = sum((one) => one.accepted);
  const refused = sum((one) => one.refused.length);
  const left = sum(({ notSent }) => (notSent === null ? 0 : 1));
  output.say(
    `${accepted} accepted, ${refused} failed, ${counted(left, 'request')} not sent, on a new simulated service.`,
  );
  for (const { name, status } of after.campaigns) output.say(`"${name}": ${statusName(status)}`);
  const campaigns = after.campaigns.map(({ name, status }) => ({ campaign: name, status }));
  output.result({ requests, accepted, refused, notSent: left, campaigns, counts: after.counts });
}

const rollbackCommand: Command = {
  name: 'rollback',
  takes: '[RUN]',
  purpose: 'Shows how to roll back the last sync, or the sync RUN.',
  parameters: {
    RUN: 'Sync to roll back, from --list. The beginning of its ID is enough.',
    '--apply': 'Restores the previous values as unsynced changes. "adslate sync" sends them.',
    '--list': 'Lists past syncs.',
  },
  example: 'adslate rollback --apply',
  positionals: [0, 1],
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const runs = await client.rollback.runs({ workspaceId });
    if (context.flag('list')) return listRuns(context, runs);
    const runId = runOf(runs, context.positionals[0] ?? null);
    const preview = await client.rollback.preview({ workspaceId, runId });
    showRollback(context, preview);
    if (!context.flag('apply')) {
      if (preview.changes > 0)
        context.output.say('Nothing was changed. Add --apply to restore these values as unsynced changes.');
      return context.output.result(rollbackJson(preview));
    }
    const { cells } = preview.changes === 0 ? { cells: 0 } : await client.rollback.stage({ workspaceId, runId });
    context.output.say(
      `${counted(cells, 'value')} restored as unsynced changes. Run "adslate plan" to see the requests.`,
    );
    context.output.result({ runId, cells, notReversible: preview.forGood, changedSince: preview.changedSince });
  },
};

const rollbackJson = ({ forGood, firstForGood, ...others }: Rollback) => ({
  ...others,
  notReversible: forGood,
  firstNotReversible: firstForGood,
});

function listRuns({ output }: Context, runs: readonly SentRunView[]): void {
  for (const { runId, at, elements } of runs) {
    output.say(`${new Date(at).toISOString()}  ${counted(elements, 'change')}  ${runId}`);
  }
  if (runs.length === 0) output.say(NO_SYNCS);
  output.result({ runs: runs.map(({ runId, at, elements }) => ({ runId, at: isoOrNull(at), elements })) });
}

const NO_SYNCS = 'No past syncs.';

/** Finds a run by its ID or the beginning of it. */
function runOf(runs: readonly SentRunView[], named: string | null): string {
  const found = named === null ? runs.slice(0, 1) : runs.filter(({ runId }) => runId.startsWith(named));
  const [only] = found;
  if (only === undefined || found.length > 1) {
    throw usageError(
      runs.length === 0
        ? NO_SYNCS
        : `${found.length === 0 ? `Sync "${named}" not found` : `"${named}" matches several syncs`}. Run "adslate rollback --list" to list past syncs.`,
    );
  }
  return only.runId;
}

function showRollback({ output }: Context, preview: Rollback): void {
  const { firstChanges, firstForGood, firstChangedSince } = preview;
  for (const { kind, label, field, now, back } of firstChanges) {
    output.say(
      `restore: ${wordOf(kind)} "${label}", ${fieldLabel(field, kind)}: ${formatCellValue(kind, field, now)} > ${formatCellValue(kind, field, back)}`,
    );
  }
  for (const { kind, label, field, now } of firstChangedSince) {
    output.say(
      `changed since: ${wordOf(kind)} "${label}", ${fieldLabel(field, kind)} is ${formatCellValue(kind, field, now)} now`,
    );
  }
  for (const { kind, label, why } of firstForGood)
    output.say(`not reversible: ${wordOf(kind)} "${label}": ${NOT_REVERSIBLE[why] ?? why}`);
  output.say(
    `${counted(preview.changes, 'value')} to restore, ${preview.changedSince} changed since, ${preview.forGood} not reversible.`,
  );
}

export const planCommands: readonly Command[] = [planCommand, planReplayCommand, rollbackCommand];

/** The scope of `plan` and `sync`; null for all changes. */
export type SyncOptions = Pick<PlanHeader, 'workspaceId' | 'submit' | 'cancelReviews' | 'campaignIds' | 'chosen'>;

export async function readSyncOptions(context: Context): Promise<SyncOptions> {
  const { workspaceId } = await context.atAccount();
  const campaignIds = await campaignIdsOf(context);
  const chosen = await chosenRowsOf(context);
  // Only plans saved by the window can cancel open reviews first.
  return { workspaceId, submit: context.flag('submit'), cancelReviews: false, campaignIds, chosen };
}

/**
 * The changed rows that `--only TYPE[:FILTER]` names, such as `keyword` or `"ad item: bid>2"`; null without the option.
 * A campaign or an ad group is selected alone: `--campaign` selects everything in one.
 */
async function chosenRowsOf(context: Context): Promise<ChosenRows | null> {
  const wanted = context.text('only');
  if (wanted === null) return null;
  const [word = '', ...rest] = wanted.split(':');
  const kind = parseRowType(word, '--only');
  const { client, workspaceId } = await context.atAccount();
  const view = { kind, filter: rest.join(':').trim(), only: 'changed' as const };
  const { viewId, length } = await client.workspace.openView({ workspaceId, view });
  if (length === 0)
    throw usageError(
      `No changed rows match --only "${wanted}". Run "adslate export --type TYPE --show changed" to list changed rows.`,
    );
  if (length > SYNC_SELECTION_MAX)
    throw usageError(`--only selects ${length} rows. The maximum is ${SYNC_SELECTION_MAX}. Narrow the filter.`);
  const { rows } = await readPages('rows', async (from) => {
    const page = await client.workspace.readWindow({ workspaceId, viewId, from, count: WINDOW_MAX });
    return { rows: page.rows, total: length };
  });
  await client.workspace.closeView({ workspaceId, viewId });
  return { rows: [{ kind, ids: rows.map(({ id }) => id) }], below: false };
}

/** Ids of the campaigns that `--campaign` names (several with commas), or null for all. */
export async function campaignIdsOf(context: Context): Promise<RowId[] | null> {
  const wanted = context.text('campaign');
  if (wanted === null) return null;
  const { workspace } = await context.account();
  const campaigns = (await workspace.readTrees('all')).map((tree) => tree.campaign);
  const byName = new Map(campaigns.map((campaign) => [fold(campaign.values.name ?? ''), campaign.id]));
  // A name may contain a comma, so the whole text is tried first.
  const whole = byName.get(fold(wanted));
  if (whole !== undefined) return [whole];
  return wanted.split(',').map((name) => {
    const id = byName.get(fold(name));
    if (id === undefined)
      throw usageError(`Campaign "${name.trim()}" not found. Run "adslate campaigns" to list campaigns.`);
    return id;
  });
}

const fold = (name: string): string => name.trim().replace(/\s+/g, ' ').toLowerCase();

/** The lines of a plan file: printed by `sync --dry-run` and `plan --text`, and saved by the window. */
export async function planFileLines(
  context: Context,
  { workspaceId: _, ...options }: SyncOptions,
  { plan }: Planned,
): Promise<readonly string[]> {
  const { workspace } = await context.account();
  return (await planFileText(await ownerOf(context), workspace, { plan, options })).trimEnd().split('\n');
}

/**
 * The plan of a file, with the options of its sync.
 *
 * @throws a `CliError` for a file that is missing, not readable, not a plan, of another account, or saved with other
 *   options than those given here
 */
export async function readPlanFile(context: Context, file: string): Promise<PlanFile> {
  const read = await readNamedFile(file, PLAN_TEXT_MAX);
  if (!read.ok) {
    throw read.error.isMissing
      ? usageError(`File ${file} not found. ${HOW_TO_WRITE_ONE}`)
      : usageError(`Can't read the plan ${file} (${read.error.why}). ${HOW_TO_WRITE_ONE}`);
  }
  const plan = planIn(read.value.toString('utf8'), await ownerOf(context));
  if (!plan.ok) throw usageError(fileRefusalText(file, plan.error.reason, plan.error.params));
  await refuseOtherOptions(context, file, plan.value.header);
  return plan.value;
}

const HOW_TO_WRITE_ONE = 'Run "adslate sync --dry-run > FILE" to save a plan.';

/** Refuses options that differ from those in the plan file. */
async function refuseOtherOptions(context: Context, file: string, header: PlanHeader): Promise<void> {
  const differs = (option: string): Error =>
    usageError(`${file} was saved with another --${option}. Remove the option, or save a plan with it.`);
  if (context.flag('submit') && !header.submit) throw differs('submit');
  const isOther = (given: object | null, saved: object | null): boolean =>
    given !== null && JSON.stringify(given) !== JSON.stringify(saved);
  if (isOther(await campaignIdsOf(context), header.campaignIds)) throw differs('campaign');
  if (isOther(await chosenRowsOf(context), header.chosen)) throw differs('only');
}

const ownerOf = async (context: Context): Promise<PlanOwner> => {
  const { client, workspaceId } = await context.atAccount();
  return ownerIn(await client.accounts.list(), workspaceId);
};
