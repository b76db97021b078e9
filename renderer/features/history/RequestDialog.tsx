import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { RequestDetail, SentRequest } from '../../../shared/api/requests.ts';
import { guardCell } from '../../../shared/spreadsheet/cell-guard.ts';
import { formatTsv } from '../../../shared/spreadsheet/tsv.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { JsonText } from '../../components/JsonText.tsx';
import { useNow } from '../../components/use-now.ts';
import { en } from '../../texts/en.ts';
import { enRequests, enRequests as texts } from '../../texts/en-requests.ts';
import { enResponses } from '../../texts/en-responses.ts';
import { errorText } from '../../texts/errors.ts';
import { KIND_NAMES } from '../../texts/fields.ts';
import { countText, timeText } from '../../texts/numbers.ts';
import { RequestResponses } from './RequestResponses.tsx';
import { SupportFooter } from './SupportFooter.tsx';

interface RequestDialogProps {
  readonly workspaceId: string;
  readonly request: SentRequest;
}

/** One request unfolded: when it went and under which id, what each element came to, its exact body, and the answer. */
export function RequestDialog({ workspaceId, request }: RequestDialogProps) {
  const api = useApi();
  const { store } = useAppContext();
  const now = useNow();
  const { data: detail, error } = useQuery(api.requests.get.queryOptions({ input: { workspaceId, id: request.id } }));
  const answers =
    useQuery(api.answers.of.queryOptions({ input: { workspaceId, correlationId: request.correlationId } })).data ?? [];
  return (
    <Modal opened onClose={store.getState().dismiss} title={`${request.method} ${request.path}`} size={760}>
      <p className="quiet">
        {texts.sentAt} {timeText(request.sentAt, now)} · {texts.correlationId}{' '}
        <span className="numeric refusal-id">{request.correlationId}</span>
      </p>
      {error !== null && <p className="note-error">{errorText(error)}</p>}
      {detail === undefined && error === null && <p className="quiet">{en.grid.loading}</p>}
      {detail != null && <Unfolded detail={detail} />}
      <h3 className="group-title">{enResponses.title}</h3>
      <RequestResponses workspaceId={workspaceId} correlationId={request.correlationId} />
      <SupportFooter
        texts={texts}
        text={detail == null ? null : requestSupportText(request, detail)}
        file={
          detail == null ? null : { name: `request-${request.id}.json`, content: { ...request, ...detail, answers } }
        }
      />
    </Modal>
  );
}

function Unfolded({ detail }: { readonly detail: RequestDetail }) {
  const { store } = useAppContext();
  const now = useNow();
  return (
    <>
      <h3 className="group-title">
        {texts.carried} <span className="badge">{detail.elements.length}</span>
      </h3>
      <ul className="lines request-elements">
        {detail.elements.map(({ kind, id, label, state, remoteId, reason }) => (
          <li key={`${kind} ${id}`} className="line">
            <button type="button" className="link" onClick={() => store.getState().reveal(kind, null, id, null)}>
              {KIND_NAMES[kind].one} {label}
            </button>
            <span className={state === 'REJECTED' ? 'note-error' : 'quiet'}>{texts.states[state]}</span>
            <span className="line-text quiet">
              {[remoteId === null ? '' : texts.remoteId(remoteId), reason ?? '']
                .filter((part) => part !== '')
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      <h3 className="group-title">{texts.outcome}</h3>
      <ul className="lines">
        {detail.receipts.map(({ at, class: word, detail: said }) => (
          <li key={`${at} ${word} ${said}`} className="line">
            <span className="line-time numeric quiet">{timeText(at, now)}</span>
            <span className="line-text">
              {word} <span className="quiet">{said}</span>
            </span>
          </li>
        ))}
      </ul>
      <h3 className="group-title">{texts.body}</h3>
      <p className="quiet">
        {texts.secrets} {detail.bodyLength > detail.body.length && texts.cut(detail.body.length, detail.bodyLength)}
      </p>
      <JsonText>{detail.body}</JsonText>
    </>
  );
}

/** What became of the elements of a request: `48 done, 2 refused`. */
export function outcomeText({ states }: Pick<SentRequest, 'states'>): string {
  const entries = Object.entries(states) as readonly (readonly [keyof typeof enRequests.states, number])[];
  return entries.map(([state, count]) => `${countText(count)} ${enRequests.states[state]}`).join(', ');
}

/** What the service's support needs to find a request in its logs: the call, its time and id, and what was refused. */
function requestSupportText(request: SentRequest, detail: RequestDetail): string {
  const refused = detail.elements.flatMap(({ remoteId, reason }) =>
    reason === null ? [] : [`- ${remoteId === null ? '' : `${enRequests.remoteId(remoteId)}: `}${reason}`],
  );
  return [
    `${request.method} ${request.path}`,
    `${enRequests.sentAt}: ${new Date(request.sentAt).toISOString()}`,
    `${enRequests.correlationId}: ${request.correlationId}`,
    outcomeText(request),
    ...refused,
  ].join('\n');
}

/** Requests as a table: times in UTC; nothing in it is run by a spreadsheet program. */
export const requestTable = (requests: readonly SentRequest[]): string =>
  formatTsv([
    [...enRequests.columns],
    ...requests.map((request) =>
      [
        new Date(request.sentAt).toISOString(),
        request.method,
        request.path,
        request.campaign,
        String(request.attempt),
        request.correlationId,
        outcomeText(request),
      ].map(guardCell),
    ),
  ]);
