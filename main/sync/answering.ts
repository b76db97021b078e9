import { remoteId } from '../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { PartnerApi } from '../api/partner-api.ts';
import type { OutboxClient } from '../workspace/outbox/ops.ts';
import type { OpenQuestion } from '../workspace/outbox/outbox-types.ts';
import type { AnswerProblem, BadAnswerReason } from './port.ts';

type UserAnswer = { readonly exists: string } | 'absent' | 'later';

/** Takes a person's answer to a question. An id is asked after on the service before it is adopted. */
export async function answerQuestion(
  deps: {
    readonly api: PartnerApi;
    readonly outbox: OutboxClient;
    readonly epoch: number;
    readonly nowMs: () => number;
  },
  questionId: number,
  answer: UserAnswer,
): Promise<Result<{ readonly open: number }, AnswerProblem>> {
  const { api, outbox, epoch, nowMs } = deps;
  const asked = await outbox.question({ id: questionId });
  if (asked === null) return err({ kind: 'no-question' });
  if (answer === 'later') return ok({ open: (await outbox.questions()).length });
  if (answer !== 'absent') {
    const problem = await idProblem(api, asked, answer.exists);
    if (problem !== null) return bad(problem);
  }
  const settled = await outbox.answer({
    epoch,
    questionId,
    answer: answer === 'absent' ? 'absent' : { exists: remoteId(answer.exists) },
  });
  switch (settled.problem) {
    case null:
      return ok({ open: settled.open });
    case 'no-question':
      return err({ kind: 'no-question' });
    case 'too-early':
      return bad('too-early', Math.max(0, asked.absentFrom - nowMs()));
    case 'id-taken':
      return bad('taken');
    case 'stale-epoch':
      // Another program has taken the workspace over; the answer belongs there.
      return bad('unreachable');
  }
}

/** What speaks against an id, as far as the service can tell: for many kinds no read knows. */
async function idProblem(api: PartnerApi, asked: OpenQuestion, text: string): Promise<BadAnswerReason | null> {
  const id = remoteId(text);
  if (id === null) return 'not-an-id';
  if (asked.kind === 'campaign') {
    const exists = await api.campaignExists(id);
    if (!exists.ok) return 'unreachable';
    return exists.value ? null : 'not-found';
  }
  if (asked.kind === 'adGroup') {
    const profiles = await api.sbaProfiles(id);
    if (profiles.ok) return null;
    // A video campaign's group refuses this read by name, which proves that it exists.
    if (profiles.error.kind === 'refused' && profiles.error.status === 422) return null;
    return profiles.error.kind === 'refused' && profiles.error.status === 404 ? 'not-found' : 'unreachable';
  }
  return null;
}

const bad = (reason: BadAnswerReason, waitMs = 0): Result<never, AnswerProblem> =>
  err({ kind: 'bad-answer', reason, waitMs });
