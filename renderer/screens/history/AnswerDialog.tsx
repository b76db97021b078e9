import { Button, Group, Modal } from '@mantine/core';
import type { AnswerLine } from '../../../shared/contract/answers.ts';
import { copyText } from '../../app/copy-text.ts';
import { useDesk } from '../../app/desk.ts';
import { saveText } from '../../app/save-text.ts';
import { answersOf } from '../../data/answer-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { enAnswers as texts } from '../../messages/en-answers.ts';
import { enHistory } from '../../messages/en-history.ts';
import { enRequests } from '../../messages/en-requests.ts';
import { AnswersTo } from './AnswersTo.tsx';

interface AnswerDialogProps {
  readonly workspaceId: string;
  readonly answer: AnswerLine;
}

/** One answer of the service as it was received, with the correlation id its support asks for. */
export function AnswerDialog({ workspaceId, answer }: AnswerDialogProps) {
  const { store, notes } = useDesk();
  const { method, path, correlationId, id } = answer;
  const received = useQuery(answersOf(workspaceId, correlationId)).data?.find((each) => each.id === id);
  const body = received?.body ?? null;
  const { dismiss } = store.getState();
  const copy = async (text: string): Promise<void> => {
    if (await copyText(text)) notes.tell(texts.copied);
    else notes.fail(enHistory.copyFailed);
  };
  return (
    <Modal opened onClose={dismiss} title={`${method} ${path}`} size={760}>
      <p className="quiet">
        {enRequests.correlationId} <span className="numeric refusal-id">{correlationId}</span>
      </p>
      <h3 className="group-title">{texts.title}</h3>
      <AnswersTo workspaceId={workspaceId} correlationId={correlationId} />
      <Group justify="flex-end" mt="md" gap="xs">
        <Button disabled={body === null} onClick={() => body !== null && void copy(body)}>
          {texts.copy}
        </Button>
        <Button
          disabled={received === undefined}
          onClick={() => saveText(`answer-${id}.json`, JSON.stringify(received, null, 2), 'application/json')}
        >
          {texts.save}
        </Button>
        <Button data-autofocus variant="filled" onClick={dismiss}>
          {en.close}
        </Button>
      </Group>
    </Modal>
  );
}
