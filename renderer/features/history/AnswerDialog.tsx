import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ResponseSummary } from '../../../shared/api/requests.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import ui from '../../components/ui.module.css';
import { RequestResponses } from './RequestResponses.tsx';
import { SupportFooter } from './SupportFooter.tsx';

const texts = {
  copy: 'Copy response',
  copied: 'Copied',
  save: 'Save response',
} as const;

interface AnswerDialogProps {
  readonly workspaceId: string;
  readonly answer: ResponseSummary;
}

/** One answer of the service as it was received, with the correlation id its support asks for. */
export function AnswerDialog({ workspaceId, answer }: AnswerDialogProps) {
  const { store } = useAppContext();
  const { method, path, correlationId, id } = answer;
  const received = useQuery(
    useApi().responses.ofRequest.queryOptions({ input: { workspaceId, correlationId } }),
  ).data?.find((each) => each.id === id);
  return (
    <Modal opened onClose={store.getState().dismiss} title={`${method} ${path}`} size={760}>
      <p className={ui['quiet']}>
        {dialogTexts.requests.correlationId}{' '}
        <span className={`${ui['numeric']} ${ui['refusal-id']}`}>{correlationId}</span>
      </p>
      <h3 className={ui['group-title']}>{dialogTexts.responses.title}</h3>
      <RequestResponses workspaceId={workspaceId} correlationId={correlationId} />
      <SupportFooter
        texts={texts}
        text={received?.body ?? null}
        file={received === undefined ? null : { name: `answer-${id}.json`, content: received }}
      />
    </Modal>
  );
}
