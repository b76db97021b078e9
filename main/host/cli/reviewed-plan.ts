import { PLAN_TEXT_MAX } from '../../../shared/contract/plan-changes.ts';
import type { PlanFile, PlanHeader } from '../../../shared/contract/plan-file.ts';
import { fileRefusalText } from '../../../shared/media/file-refusal.ts';
import { ownerIn, type PlanOwner, planFileText, planIn } from '../../plan-files.ts';
import type { Planned } from '../../sync/plan-preview.ts';
import { campaignIdsOf } from './campaigns.ts';
import { chosenRowsOf } from './chosen-rows.ts';
import type { Context } from './command.ts';
import { readNamedFile } from './named-file.ts';
import { usageStop } from './stop.ts';
import type { SyncWish } from './sync-wish.ts';

/** The lines of a plan file: what `sync --dry-run` and `plan --text` print, and what the desk saves. */
export async function planFileLines(
  context: Context,
  { workspaceId: _, ...options }: SyncWish,
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
export async function readReviewedPlan(context: Context, file: string): Promise<PlanFile> {
  const read = await readNamedFile(file, PLAN_TEXT_MAX);
  if (!read.ok) {
    throw read.error.isMissing
      ? usageStop(`There is no file ${file}. ${HOW_TO_WRITE_ONE}`)
      : usageStop(`The plan ${file} cannot be read (${read.error.why}). ${HOW_TO_WRITE_ONE}`);
  }
  const plan = planIn(read.value.toString('utf8'), await ownerOf(context));
  if (!plan.ok) throw usageStop(fileRefusalText(file, plan.error.reason, plan.error.params));
  await refuseOtherWish(context, file, plan.value.header);
  return plan.value;
}

const HOW_TO_WRITE_ONE = '"adslate sync --dry-run > FILE" writes one.';

/** The file says what was wished. Whoever says it again says the same, or means another plan. */
async function refuseOtherWish(context: Context, file: string, header: PlanHeader): Promise<void> {
  const differs = (option: string): Error =>
    usageStop(`${file} was made with another --${option}. Leave the option out, or save a plan with it.`);
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
