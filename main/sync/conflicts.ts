import type { Failure } from '../../shared/api/operation.ts';
import type { Conflict, ConflictChoice, Question } from '../../shared/api/sync.ts';
import { type ConflictPolicy, readPolicy } from '../../shared/merge/merge.ts';
import type { AnyRow } from '../../shared/model/row.ts';
import { type RemoteId, remoteId } from '../../shared/model/scalars.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { multiplierId, type PartnerApi } from '../api/partner-api.ts';
import type { OpenQuestion } from '../store/outbox/outbox-types.ts';
import type { Workspace } from '../store/workspace.ts';
import { notify, type SyncContext } from './context.ts';
import { serviceFieldsOf } from './expected-response.ts';
import type { NoTurn, Outbox } from './ports.ts';
import type { RunQueue } from './run-queue.ts';

type UserAnswer = { readonly exists: string } | 'absent' | 'later';

type AnswerProblem = Failure<'NO_QUESTION' | 'BAD_ANSWER'>;
type BadAnswerReason = Failure<'BAD_ANSWER'>['data']['reason'];

interface UserDecisionsDeps {
  readonly workspace: Workspace;
  readonly outbox: Outbox;
  readonly api: PartnerApi;
  readonly nowMs: () => number;
  /** Queues the answer, so that it is stored while no colleague sends. */
  readonly inTurn: RunQueue['inTurn'];
}

/** The decisions of the user: unresolved requests and conflicts with the service. */
export function createUserDecisions(deps: UserDecisionsDeps) {
  const { outbox } = deps;
  return {
    questions: async (): Promise<Question[]> =>
      (await outbox.listUnresolved()).map(({ opId: _, askedAt: __, of: ___, verb: ____, ...asked }) => ({
        ...asked,
        answers: ['exists', 'absent', 'later'],
      })),
    answer: async (
      questionId: number,
      answer: UserAnswer,
    ): Promise<Result<{ readonly open: number }, AnswerProblem | NoTurn>> => {
      const done = await deps.inTurn((own) => resolveRequest(deps, own, questionId, answer));
      return done.ok ? done.value : done;
    },
    conflicts: (): Promise<Conflict[]> => outbox.conflicts(),
    /** Resolves those conflicts that are still open. @returns how many were resolved */
    resolve: async (choices: readonly ConflictChoice[]): Promise<number> => {
      const open = new Map((await outbox.conflicts()).map((one) => [keyOf(one), one]));
      let settled = 0;
      for (const choice of choices) {
        const conflict = open.get(keyOf(choice));
        // A field that is given twice is resolved once.
        open.delete(keyOf(choice));
        if (conflict !== undefined && (await resolveConflict(outbox, conflict, choice.take, null))) settled += 1;
      }
      return settled;
    },
  };
}

const keyOf = ({ ref, field }: Pick<ConflictChoice, 'ref' | 'field'>): string => `${ref.kind} ${ref.id} ${field ?? ''}`;

/** Key of the workspace's meta table for the conflict policy. */
export const POLICY_KEY = 'conflict-policy';

/**
 * Resolves one conflict; both values stay in the history.
 *
 * @param by the rule that decided; null for the user
 * @returns false if the row has an unconfirmed request, so that the conflict can't be resolved yet
 */
async function resolveConflict(
  outbox: Outbox,
  { ref, field }: Pick<Conflict, 'ref' | 'field'>,
  take: 'mine' | 'theirs',
  by: string | null,
): Promise<boolean> {
  if (field === null) return outbox.resolveMissing({ ref, take, by });
  await outbox.resolveConflict({ ref, field, take, by });
  return true;
}

/**
 * Resolves conflicts by the account's saved policy and notifies the user; the others stay open.
 *
 * @returns the number of resolved conflicts
 */
export async function resolveByPolicy(ctx: SyncContext): Promise<number> {
  const text = ctx.options.conflictPolicy ?? '';
  const policy = text === '' ? null : readPolicy(text);
  if (policy === null || !policy.ok) return 0;
  const decided = (await ctx.ports.outbox.conflicts()).flatMap((conflict) => decide(policy.value, conflict));
  const counts = new Map<string, number>();
  for (const { conflict, take, rule } of decided) {
    if (!(await resolveConflict(ctx.ports.outbox, conflict, take, rule))) continue;
    counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  if (counts.size === 0) return 0;
  const rules = [...counts].map(([rule, count]) => `${rule} (${count})`).join(', ');
  notify(ctx, 'advice', `Conflicts resolved by the rules of this account: ${rules}. The history keeps both values.`);
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function decide(policy: ConflictPolicy, conflict: Conflict) {
  const found = policy(conflict.field);
  return found === null ? [] : [{ conflict, ...found }];
}

/** Stores the user's answer to an unresolved request. An ID is checked on the service before it is adopted. */
async function resolveRequest(
  { api, workspace, nowMs }: UserDecisionsDeps,
  outbox: Outbox,
  questionId: number,
  answer: UserAnswer,
): Promise<Result<{ readonly open: number }, AnswerProblem>> {
  const asked = await outbox.question({ id: questionId });
  if (asked === null) return fail('NO_QUESTION', { questionId });
  if (answer === 'later') return ok({ open: (await outbox.listUnresolved()).length });
  const found = answer === 'absent' ? null : await foundThing({ api, workspace }, asked, answer.exists);
  if (typeof found === 'string') return bad(found);
  const settled = await outbox.resolve({ questionId, ...(found ?? { answer: 'absent' }) });
  switch (settled.problem) {
    case null:
      return ok({ open: settled.open });
    case 'no-question':
      return fail('NO_QUESTION', { questionId });
    case 'too-early':
      return bad('too-early', Math.max(0, asked.absentFrom - nowMs()));
    case 'parent-open':
      return bad('parent-open');
    case 'id-taken':
      return bad('taken');
    case 'stale-epoch':
      // Another process has opened the workspace, so the answer can't be stored here.
      return bad('unreachable');
  }
}

/** The answer to store for the ID that the user entered, or the problem with the ID. */
async function foundThing(deps: Pick<UserDecisionsDeps, 'api' | 'workspace'>, asked: OpenQuestion, text: string) {
  const typed = remoteId(text);
  const { of, verb } = asked;
  const row = await deps.workspace.readRow({ kind: asked.kind, id: asked.rowId });
  const problem = typed === null ? 'not-an-id' : await idProblem(deps.api, asked, typed, row?.remoteId ?? null);
  if (problem !== null) return problem;
  const exists = (await pairOf(deps, row)) ?? typed;
  return { answer: { exists }, serviceFields: serviceFieldsOf(of, verb, exists) };
}

/** The ID of a multiplier is derived from campaign and type, whatever number the retailer's console shows. */
async function pairOf(
  { workspace }: Pick<UserDecisionsDeps, 'workspace'>,
  row: AnyRow | null,
): Promise<RemoteId | null> {
  if (row?.kind !== 'placementMultiplier' && row?.kind !== 'platformMultiplier') return null;
  const campaign = row.campaignId === null ? null : await workspace.readRow({ kind: 'campaign', id: row.campaignId });
  const type = row.kind === 'placementMultiplier' ? row.values.placement : row.values.platform;
  return campaign?.remoteId == null || type === null ? null : multiplierId(campaign.remoteId, type);
}

/**
 * The problem with an ID, as far as reads can show it; many kinds have no read for this.
 *
 * @param own the ID that the row already has; for a review, the ID of its ad group
 */
async function idProblem(
  api: PartnerApi,
  { of }: OpenQuestion,
  id: RemoteId,
  own: RemoteId | null,
): Promise<BadAnswerReason | null> {
  if (of === 'campaign') {
    const exists = await api.campaignExists(id);
    if (!exists.ok) return 'unreachable';
    return exists.value ? null : 'not-found';
  }
  if (of === 'adGroup') {
    const profiles = await api.sbaProfiles(id);
    if (profiles.ok) return null;
    // A video campaign's ad group refuses this read with 422, which proves that it exists.
    if (profiles.error.kind === 'refused' && profiles.error.status === 422) return null;
    return profiles.error.kind === 'refused' && profiles.error.status === 404 ? 'not-found' : 'unreachable';
  }
  if (of === 'review' && own !== null) {
    const reviews = await api.reviews(own);
    // A refused list is not a problem of the ID: it may be the reason why the user was asked.
    if (!reviews.ok) return reviews.error.kind === 'refused' ? null : 'unreachable';
    const isThere = reviews.value.broken !== undefined || reviews.value.some(({ reviewId }) => reviewId === id);
    return isThere ? null : 'not-found';
  }
  return null;
}

/** @param waitMs how long the answer "absent" is still refused */
const bad = (reason: BadAnswerReason, waitMs = 0): Result<never, AnswerProblem> =>
  fail('BAD_ANSWER', { reason, waitMs });
