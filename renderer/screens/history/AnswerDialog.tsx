import { Modal } from '@mantine/core';
import type { AnswerLine } from '../../../shared/contract/answers.ts';
import { useDesk } from '../../app/desk.ts';
import { answersOf } from '../../data/answer-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { enAnswers as texts } from '../../messages/en-answers.ts';
import { enRequests } from '../../messages/en-requests.ts';
import { AnswersTo } from './AnswersTo.tsx';
import { SupportFoot } from './SupportFoot.tsx';

interface AnswerDialogProps {
  readonly workspaceId: string;
  readonly answer: AnswerLine;
}

/** One answer of the service as it was received, with the correlation id its support asks for. */
export function AnswerDialog({ workspaceId, answer }: AnswerDialogProps) {
  const { store } = useDesk();
  const { method, path, correlationId, id } = answer;
  const received = useQuery(answersOf(workspaceId, correlationId)).data?.find((each) => each.id === id);
  return (
    <Modal opened onClose={store.getState().dismiss} title={`${method} ${path}`} size={760}>
      <p className="quiet">
        {enRequests.correlationId} <span className="numeric refusal-id">{correlationId}</span>
      </p>
      <h3 className="group-title">{texts.title}</h3>
      <AnswersTo workspaceId={workspaceId} correlationId={correlationId} />
      <SupportFoot
        texts={texts}
        text={received?.body ?? null}
        file={received === undefined ? null : { name: `answer-${id}.json`, content: received }}
      />
    </Modal>
  );
}
