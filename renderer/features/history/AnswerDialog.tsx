import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ResponseSummary } from '../../../shared/api/requests.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { enRequests } from '../../texts/en-requests.ts';
import { enResponses as texts } from '../../texts/en-responses.ts';
import { RequestResponses } from './RequestResponses.tsx';
import { SupportFooter } from './SupportFooter.tsx';

interface AnswerDialogProps {
  readonly workspaceId: string;
  readonly answer: ResponseSummary;
}

/** One answer of the service as it was received, with the correlation id its support asks for. */
export function AnswerDialog({ workspaceId, answer }: AnswerDialogProps) {
  const api = useApi();
  const { store } = useAppContext();
  const { method, path, correlationId, id } = answer;
  const received = useQuery(api.answers.of.queryOptions({ input: { workspaceId, correlationId } })).data?.find(
    (each) => each.id === id,
  );
  return (
    <Modal opened onClose={store.getState().dismiss} title={`${method} ${path}`} size={760}>
      <p className="quiet">
        {enRequests.correlationId} <span className="numeric refusal-id">{correlationId}</span>
      </p>
      <h3 className="group-title">{texts.title}</h3>
      <RequestResponses workspaceId={workspaceId} correlationId={correlationId} />
      <SupportFooter
        texts={texts}
        text={received?.body ?? null}
        file={received === undefined ? null : { name: `answer-${id}.json`, content: received }}
      />
    </Modal>
  );
}
