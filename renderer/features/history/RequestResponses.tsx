import { useQuery } from '@tanstack/react-query';
import type { AnswerText } from '../../../shared/api/requests.ts';
import { useApi } from '../../app/app-context.ts';
import { JsonText } from '../../components/JsonText.tsx';
import { useNow } from '../../components/use-now.ts';
import { enRequests } from '../../texts/en-requests.ts';
import { enResponses as texts } from '../../texts/en-responses.ts';
import { errorText } from '../../texts/errors.ts';
import { timeText } from '../../texts/numbers.ts';

interface AnswersToProps {
  readonly workspaceId: string;
  readonly correlationId: string;
}

/** What came back under one correlation id, as it was received: mostly one answer, two where the first asked for the right time. */
export function RequestResponses({ workspaceId, correlationId }: AnswersToProps) {
  const api = useApi();
  const { data: answers, error } = useQuery(api.answers.of.queryOptions({ input: { workspaceId, correlationId } }));
  if (error !== null) return <p className="note-error">{errorText(error)}</p>;
  if (answers === undefined) return <p className="quiet">{texts.loading}</p>;
  if (answers.length === 0) return <p className="quiet">{texts.dropped}</p>;
  return (
    <>
      {answers.map((answer) => (
        <Received key={answer.id} answer={answer} />
      ))}
      <p className="quiet">{texts.removed}</p>
    </>
  );
}

function Received({ answer: { at, status, body, length } }: { readonly answer: AnswerText }) {
  const now = useNow();
  const isCut = body !== null && length !== null && length > body.length;
  return (
    <>
      <p className="quiet">
        {texts.received(timeText(at, now), status)}
        {isCut && ` · ${enRequests.cut(body.length, length)}`}
      </p>
      {body === null ? <p className="quiet">{texts.noBody}</p> : <JsonText>{body}</JsonText>}
    </>
  );
}
