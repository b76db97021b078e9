import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AnswerText, ResponseSummary } from '../../../shared/api/requests.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { timeText } from '../../app/locale/numbers.ts';
import { Problem } from '../../app/Problem.tsx';
import { copyText, saveText } from '../../app/save-text.ts';
import { JsonText } from '../../components/JsonText.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import { DetailPanel } from './DetailPanel.tsx';

const texts = {
  copy: 'Copy response',
  copied: 'Copied',
  save: 'Save response',
} as const;

interface ResponseDetailProps {
  readonly workspaceId: string;
  readonly answer: ResponseSummary;
}

/** A response of the service as received, with the correlation ID for the service's support. */
export function ResponseDetail({ workspaceId, answer }: ResponseDetailProps) {
  const { method, path, correlationId, id } = answer;
  const received = useQuery(
    useApi().responses.ofRequest.queryOptions({ input: { workspaceId, correlationId } }),
  ).data?.find((each) => each.id === id);
  return (
    <DetailPanel title={`${method} ${path}`}>
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
    </DetailPanel>
  );
}

const requestResponsesTexts = {
  loading: 'Loading…',
  dropped: 'This response is no longer stored, or the service sent none.',
  noBody: 'The text of this response was not stored: it was too long or incomplete.',
  received: (when: string, status: number) => `Received ${when}, status ${status}`,
  removed: 'Tokens, keys and signed URLs are removed before a response is stored. They are shown as [removed].',
} as const;

interface AnswersToProps {
  readonly workspaceId: string;
  readonly correlationId: string;
}

/** The responses to one correlation ID, as received: usually one, two if the first one corrected the clock. */
export function RequestResponses({ workspaceId, correlationId }: AnswersToProps) {
  const api = useApi();
  const { data: answers, error } = useQuery(
    api.responses.ofRequest.queryOptions({ input: { workspaceId, correlationId } }),
  );
  if (error !== null) return <Problem of={error} />;
  if (answers === undefined) return <p className={ui['quiet']}>{requestResponsesTexts.loading}</p>;
  if (answers.length === 0) return <p className={ui['quiet']}>{requestResponsesTexts.dropped}</p>;
  return (
    <>
      {answers.map((answer) => (
        <Received key={answer.id} answer={answer} />
      ))}
      <p className={ui['quiet']}>{requestResponsesTexts.removed}</p>
    </>
  );
}

function Received({ answer: { at, status, body, length } }: { readonly answer: AnswerText }) {
  const now = useNow();
  const isCut = body !== null && length !== null && length > body.length;
  return (
    <>
      <p className={ui['quiet']}>
        {requestResponsesTexts.received(timeText(at, now), status)}
        {isCut && ` · ${dialogTexts.requests.cut(body.length, length)}`}
      </p>
      {body === null ? <p className={ui['quiet']}>{requestResponsesTexts.noBody}</p> : <JsonText>{body}</JsonText>}
    </>
  );
}

interface SupportFootProps {
  readonly texts: { readonly copy: string; readonly copied: string; readonly save: string };
  /** The text to copy; null while it is not loaded. */
  readonly text: string | null;
  /** The content and name of the JSON file; null while it is not loaded. */
  readonly file: { readonly name: string; readonly content: object } | null;
}

/** Buttons below a request or response: copy and save. */
export function SupportFooter({ texts, text, file }: SupportFootProps) {
  const { toasts } = useAppContext();
  const copy = async (copied: string): Promise<void> => {
    if (await copyText(copied)) toasts.tell(texts.copied);
    else toasts.fail(dialogTexts.history.copyFailed);
  };
  const save = ({ name, content }: NonNullable<SupportFootProps['file']>): void =>
    saveText(name, JSON.stringify(content, null, 2), 'application/json');
  return (
    <Group justify="flex-end" mt="md" gap="xs">
      <Button disabled={text === null} onClick={() => text !== null && void copy(text)}>
        {texts.copy}
      </Button>
      <Button disabled={file === null} onClick={() => file !== null && save(file)}>
        {texts.save}
      </Button>
    </Group>
  );
}
