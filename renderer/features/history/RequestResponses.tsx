import { useQuery } from '@tanstack/react-query';
import type { AnswerText } from '../../../shared/api/requests.ts';
import { useApi } from '../../app/app-context.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { errorText } from '../../app/error-text.ts';
import { timeText } from '../../app/locale/numbers.ts';
import { JsonText } from '../../components/JsonText.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';

const texts = {
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

/** What came back under one correlation id, as it was received: mostly one answer, two where the first asked for the right time. */
export function RequestResponses({ workspaceId, correlationId }: AnswersToProps) {
  const api = useApi();
  const { data: answers, error } = useQuery(
    api.responses.ofRequest.queryOptions({ input: { workspaceId, correlationId } }),
  );
  if (error !== null) return <p className={ui['note-error']}>{errorText(error)}</p>;
  if (answers === undefined) return <p className={ui['quiet']}>{texts.loading}</p>;
  if (answers.length === 0) return <p className={ui['quiet']}>{texts.dropped}</p>;
  return (
    <>
      {answers.map((answer) => (
        <Received key={answer.id} answer={answer} />
      ))}
      <p className={ui['quiet']}>{texts.removed}</p>
    </>
  );
}

function Received({ answer: { at, status, body, length } }: { readonly answer: AnswerText }) {
  const now = useNow();
  const isCut = body !== null && length !== null && length > body.length;
  return (
    <>
      <p className={ui['quiet']}>
        {texts.received(timeText(at, now), status)}
        {isCut && ` · ${dialogTexts.requests.cut(body.length, length)}`}
      </p>
      {body === null ? <p className={ui['quiet']}>{texts.noBody}</p> : <JsonText>{body}</JsonText>}
    </>
  );
}
