import { WINDOW_MAX } from '../../../shared/api/limits.ts';
import type { PlanFile, PlanHeader } from '../../../shared/api/plan-file.ts';
import { type ChosenRows, PLAN_TEXT_MAX } from '../../../shared/api/sync.ts';
import { fileRefusalText } from '../../../shared/media/file-refusal.ts';
import type { RowId, WorkspaceId } from '../../../shared/model/scalars.ts';
import { SYNC_SELECTION_MAX } from '../../../shared/plan/sync-selection.ts';
import { ownerIn, type PlanOwner, planFileText, planIn } from '../../app/plan-files.ts';
import type { Planned } from '../../sync/plan-preview.ts';
import { usageError } from './cli-error.ts';
import type { Context } from './command.ts';
import { readNamedFile } from './named-file.ts';
import { parseRowType } from './output.ts';

/** What `plan` shows and `sync` sends; null stands for everything that has changed. */
export interface SyncOptions {
  readonly workspaceId: WorkspaceId;
  readonly submit: boolean;
  /** Whether open reviews are cancelled first: only plans that the desk saved wish that. */
  readonly cancelReviews: boolean;
  readonly campaignIds: RowId[] | null;
  readonly chosen: ChosenRows | null;
}

export const CAMPAIGN_OPTION = { campaign: { type: 'string' } } as const;
const ONLY_OPTION = { only: { type: 'string' } } as const;
export const SYNC_OPTIONS = { submit: { type: 'boolean' }, ...CAMPAIGN_OPTION, ...ONLY_OPTION } as const;

export async function readSyncOptions(context: Context): Promise<SyncOptions> {
  const { workspaceId } = await context.atAccount();
  const campaignIds = await campaignIdsOf(context);
  const chosen = await chosenRowsOf(context);
  return { workspaceId, submit: context.flag('submit'), cancelReviews: false, campaignIds, chosen };
}

/**
 * The changed rows that `--only TYPE[:FILTER]` names, such as `keyword` or `"ad item: bid>2"`; null without the option.
 * A campaign or an ad group stands for itself alone: `--campaign` takes everything in one.
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
    throw usageError(`Nothing that was changed is "${wanted}". "adslate check" and "export" show rows.`);
  if (length > SYNC_SELECTION_MAX)
    throw usageError(`--only names ${length} rows, and takes ${SYNC_SELECTION_MAX} at most.`);
  const ids: RowId[] = [];
  while (ids.length < length) {
    const window = { from: ids.length, count: WINDOW_MAX };
    const { rows } = await client.workspace.readWindow({ workspaceId, viewId, ...window });
    if (rows.length === 0) break;
    ids.push(...rows.map(({ id }) => id));
  }
  await client.workspace.closeView({ workspaceId, viewId });
  return { rows: [{ kind, ids }], below: false };
}

/** Ids of the campaigns that `--campaign` names (several with commas), or null for all. */
export async function campaignIdsOf(context: Context): Promise<RowId[] | null> {
  const wanted = context.text('campaign');
  if (wanted === null) return null;
  const { workspace } = await context.account();
  const campaigns = (await workspace.readTrees('all')).map((tree) => tree.campaign);
  const byName = new Map(campaigns.map((campaign) => [fold(campaign.values.name ?? ''), campaign.id]));
  // A name may hold a comma itself, so the whole text is tried first.
  const whole = byName.get(fold(wanted));
  if (whole !== undefined) return [whole];
  return wanted.split(',').map((name) => {
    const id = byName.get(fold(name));
    if (id === undefined) throw usageError(`There is no campaign "${name.trim()}". Check the name.`);
    return id;
  });
}

const fold = (name: string): string => name.trim().replace(/\s+/g, ' ').toLowerCase();

/** The lines of a plan file: what `sync --dry-run` and `plan --text` print, and what the desk saves. */
export async function planFileLines(
  context: Context,
  { workspaceId: _, ...options }: SyncOptions,
  { plan }: Planned,
): Promise<readonly string[]> {
  const { workspace } = await context.account();
  return (await planFileText(await ownerOf(context), workspace, { plan, options })).trimEnd().split('\n');
}

/**
 * The plan of a file, with what was wished when it was saved.
 *
 * @throws a Stop that says whether the file is missing, cannot be read, holds something else, is of another account, or was
 *   made of another wish than the one that stands beside it
 */
export async function readPlanFile(context: Context, file: string): Promise<PlanFile> {
  const read = await readNamedFile(file, PLAN_TEXT_MAX);
  if (!read.ok) {
    throw read.error.isMissing
      ? usageError(`There is no file ${file}. ${HOW_TO_WRITE_ONE}`)
      : usageError(`The plan ${file} cannot be read (${read.error.why}). ${HOW_TO_WRITE_ONE}`);
  }
  const plan = planIn(read.value.toString('utf8'), await ownerOf(context));
  if (!plan.ok) throw usageError(fileRefusalText(file, plan.error.reason, plan.error.params));
  await refuseOtherWish(context, file, plan.value.header);
  return plan.value;
}

const HOW_TO_WRITE_ONE = '"adslate sync --dry-run > FILE" writes one.';

/** The file says what was wished. Whoever says it again says the same, or means another plan. */
async function refuseOtherWish(context: Context, file: string, header: PlanHeader): Promise<void> {
  const differs = (option: string): Error =>
    usageError(`${file} was made with another --${option}. Leave the option out, or save a plan with it.`);
  if (context.flag('submit') && !header.submit) throw differs('submit');
  const isOther = (given: object | null, wished: object | null): boolean =>
    given !== null && JSON.stringify(given) !== JSON.stringify(wished);
  if (isOther(await campaignIdsOf(context), header.campaignIds)) throw differs('campaign');
  if (isOther(await chosenRowsOf(context), header.chosen)) throw differs('only');
}

const ownerOf = async (context: Context): Promise<PlanOwner> => {
  const { client, workspaceId } = await context.atAccount();
  return ownerIn(await client.accounts.list(), workspaceId);
};
