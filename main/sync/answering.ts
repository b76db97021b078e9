import { remoteId } from '../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { ReadFailure } from '../api/outcome.ts';
import type { PartnerApi } from '../api/partner-api.ts';
import type { OutboxClient } from '../workspace/outbox/ops.ts';
import type { OpenQuestion } from '../workspace/outbox/outbox-types.ts';
import type { AnswerProblem } from './port.ts';

type UserAnswer = { readonly exists: string } | 'absent' | 'later';

/** Takes a person's answer to a question. An id is asked after on the service before it is adopted. */
export async function answerQuestion(
  deps: { readonly api: PartnerApi; readonly outbox: OutboxClient; readonly epoch: number },
  questionId: number,
  answer: UserAnswer,
): Promise<Result<{ readonly open: number }, AnswerProblem>> {
  const { api, outbox, epoch } = deps;
  const asked = await outbox.question({ id: questionId });
  if (asked === null) return err({ kind: 'no-question' });
  if (answer === 'later') return ok({ open: (await outbox.questions()).length });
  if (answer !== 'absent') {
    const problem = await idProblem(api, asked, answer.exists);
    if (problem !== null) return err({ kind: 'bad-answer', reason: problem });
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
      return err({
        kind: 'bad-answer',
        reason: `The request may still be carried out. Look again and answer after ${timeText(asked.absentFrom)}.`,
      });
    case 'id-taken':
      return err({ kind: 'bad-answer', reason: 'Another row has this id already. Check the id.' });
    case 'stale-epoch':
      return err({ kind: 'bad-answer', reason: 'The workspace is open in another program. Answer there.' });
  }
}

/** What speaks against an id, as far as the service can tell: for many kinds no read knows. */
async function idProblem(api: PartnerApi, asked: OpenQuestion, text: string): Promise<string | null> {
  const id = remoteId(text);
  if (id === null) return 'An id of the service is a number above zero.';
  if (asked.kind === 'campaign') {
    const exists = await api.campaignExists(id);
    if (!exists.ok) return notChecked(exists.error);
    return exists.value ? null : `The service knows no campaign ${id}. Check the id.`;
  }
  if (asked.kind === 'adGroup') {
    const profiles = await api.sbaProfiles(id);
    if (profiles.ok) return null;
    // A video campaign's group refuses this read by name, which proves that it exists.
    if (profiles.error.kind === 'refused' && profiles.error.status === 422) return null;
    return profiles.error.kind === 'refused' && profiles.error.status === 404
      ? `The service knows no ad group ${id}. Check the id.`
      : notChecked(profiles.error);
  }
  return null;
}

const notChecked = (failure: ReadFailure): string =>
  `The id could not be checked: ${failure.kind === 'unreachable' ? failure.cause : failure.message}. Try again.`;

const timeText = (ms: number): string => new Date(ms).toISOString().slice(11, 16).concat(' UTC');
