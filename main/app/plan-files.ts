import { type PlanFile, type PlanHeader, printPlanFile, readPlanFile } from '../../shared/api/plan-file.ts';
import { type FileRefusal, fileRefusal } from '../../shared/media/file-refusal.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { writtenPlan } from '../../shared/plan/plan-text.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Workspace } from '../store/store.ts';
import type { RunOptions } from '../sync/context.ts';
import type { ShownPlan } from '../sync/plan-preview.ts';

/** Whose plan a file is: an account as the list of accounts has it. */
export interface PlanOwner {
  readonly workspaceId: WorkspaceId;
  readonly name: string;
  readonly advertiserId: string;
}

export const ownerIn = (accounts: readonly PlanOwner[], workspaceId: WorkspaceId): PlanOwner =>
  accounts.find((each) => each.workspaceId === workspaceId) ?? { workspaceId, name: '', advertiserId: '' };

/** A plan with what was wished as the text of a file: the same from the desk and from the command line. */
export async function planFileText(
  owner: PlanOwner,
  workspace: Pick<Workspace, 'history'>,
  { plan, options }: ShownPlan,
): Promise<string> {
  const [newest] = (await workspace.history(0, 1)).steps;
  const header: PlanHeader = {
    account: owner.name,
    workspaceId: owner.workspaceId,
    advertiserId: owner.advertiserId,
    draftsOf: newest === undefined ? null : new Date(newest.at).toISOString(),
    submit: options.submit,
    cancelReviews: options.cancelReviews ?? false,
    campaignIds: options.campaignIds === null ? null : [...options.campaignIds],
    chosen: chosenOf(options),
  };
  return printPlanFile(header, writtenPlan(plan));
}

const chosenOf = ({ chosen }: RunOptions): PlanHeader['chosen'] =>
  chosen == null ? null : { rows: chosen.rows.map(({ kind, ids }) => ({ kind, ids: [...ids] })), below: chosen.below };

/** The plan of a file, or why it is none that this account can run. */
export function planIn(text: string, owner: PlanOwner): Result<PlanFile, FileRefusal> {
  const read = readPlanFile(text);
  if (!read.ok) {
    const { kind, ...params } = read.error;
    return err(fileRefusal(kind, params));
  }
  const { account, workspaceId, advertiserId } = read.value.header;
  if (workspaceId === owner.workspaceId) return ok(read.value);
  const facts = { account, advertiser: advertiserId, here: owner.name, advertiserHere: owner.advertiserId };
  return err(fileRefusal('other-accounts-plan', facts));
}

/** What the file's plan was made of. */
export const wishOf = ({ submit, cancelReviews, campaignIds, chosen }: PlanHeader): RunOptions => ({
  submit,
  cancelReviews,
  campaignIds,
  chosen,
});
