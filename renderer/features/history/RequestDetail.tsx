import { useQuery } from '@tanstack/react-query';
import type { RequestDetail, SentRequest } from '../../../shared/api/requests.ts';
import { guardCell } from '../../../shared/spreadsheet/cell-guard.ts';
import { formatTsv } from '../../../shared/spreadsheet/tsv.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { KIND_NAMES } from '../../app/field-names.ts';
import { atStart, countText, timeText } from '../../app/locale/numbers.ts';
import { Problem } from '../../app/Problem.tsx';
import { appTexts } from '../../app/texts.ts';
import { JsonText } from '../../components/JsonText.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import { DetailPanel } from './DetailPanel.tsx';
import { RequestResponses, SupportFooter } from './ResponseDetail.tsx';

const texts = {
  states: {
    SENT: 'sending',
    IN_DOUBT: 'unconfirmed',
    NEEDS_USER: 'needs your answer',
    DONE: 'sent',
    REJECTED: 'failed',
    RETURNED: 'not processed',
  } as Readonly<Record<RequestDetail['elements'][number]['state'], string>>,
  sentAt: 'Sent',
  carried: 'Rows and results',
  remoteId: (id: string) => `ID ${id}`,
  outcome: 'Result',
  body: 'Request body',
  secrets: 'Credentials are sent in headers and never stored here.',
  copy: 'Copy for support',
  copied: 'Copied',
  save: 'Save request',
  columns: ['Sent', 'Method', 'Path', 'Campaign', 'Attempt', 'Correlation ID', 'Result'],
} as const;

interface RequestDetailProps {
  readonly workspaceId: string;
  readonly request: SentRequest;
}

/** Details of a request: its time and ID, the result of each element, the exact body, and the response. */
export function RequestPanel({ workspaceId, request }: RequestDetailProps) {
  const api = useApi();
  const now = useNow();
  const { data: detail, error } = useQuery(api.requests.get.queryOptions({ input: { workspaceId, id: request.id } }));
  const answers =
    useQuery(api.responses.ofRequest.queryOptions({ input: { workspaceId, correlationId: request.correlationId } }))
      .data ?? [];
  return (
    <DetailPanel title={`${request.method} ${request.path}`}>
      <p className={ui['quiet']}>
        {texts.sentAt} {timeText(request.sentAt, now)} · {dialogTexts.requests.correlationId}{' '}
        <span className={`${ui['numeric']} ${ui['refusal-id']}`}>{request.correlationId}</span>
      </p>
      <Problem of={error} />
      {detail === undefined && error === null && <p className={ui['quiet']}>{appTexts.grid.loading}</p>}
      {detail != null && <Unfolded detail={detail} />}
      <h3 className={ui['group-title']}>{dialogTexts.responses.title}</h3>
      <RequestResponses workspaceId={workspaceId} correlationId={request.correlationId} />
      <SupportFooter
        texts={texts}
        text={detail == null ? null : requestSupportText(request, detail)}
        file={
          detail == null ? null : { name: `request-${request.id}.json`, content: { ...request, ...detail, answers } }
        }
      />
    </DetailPanel>
  );
}

function Unfolded({ detail }: { readonly detail: RequestDetail }) {
  const { store } = useAppContext();
  const now = useNow();
  return (
    <>
      <h3 className={ui['group-title']}>
        {texts.carried} <span className={ui['badge']}>{detail.elements.length}</span>
      </h3>
      <ul className={ui['lines']}>
        {detail.elements.map(({ kind, id, label, state, remoteId, reason }) => (
          <li key={`${kind} ${id}`} className={ui['line']}>
            <button type="button" className={ui['link']} onClick={() => store.getState().reveal(kind, null, id, null)}>
              {atStart(KIND_NAMES[kind].one)} {label}
            </button>
            <span className={state === 'REJECTED' ? ui['note-error'] : ui['quiet']}>{texts.states[state]}</span>
            <span className={`${ui['line-text']} ${ui['quiet']}`}>
              {[remoteId === null ? '' : texts.remoteId(remoteId), reason ?? '']
                .filter((part) => part !== '')
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      <h3 className={ui['group-title']}>{texts.outcome}</h3>
      <ul className={ui['lines']}>
        {detail.receipts.map(({ at, class: word, detail: said }) => (
          <li key={`${at} ${word} ${said}`} className={ui['line']}>
            <span className={`${ui['line-time']} ${ui['numeric']} ${ui['quiet']}`}>{timeText(at, now)}</span>
            <span className={ui['line-text']}>
              {word} <span className={ui['quiet']}>{said}</span>
            </span>
          </li>
        ))}
      </ul>
      <h3 className={ui['group-title']}>{texts.body}</h3>
      <p className={ui['quiet']}>
        {texts.secrets}{' '}
        {detail.bodyLength > detail.body.length && dialogTexts.requests.cut(detail.body.length, detail.bodyLength)}
      </p>
      <JsonText>{detail.body}</JsonText>
    </>
  );
}

/** Counts of the elements of a request by result: `48 done, 2 refused`. */
export function outcomeText({ states }: Pick<SentRequest, 'states'>): string {
  const entries = Object.entries(states) as readonly (readonly [keyof typeof texts.states, number])[];
  return entries.map(([state, count]) => `${countText(count)} ${texts.states[state]}`).join(', ');
}

/** Facts for the service's support to find a request in its logs: call, time, ID, and what was refused. */
function requestSupportText(request: SentRequest, detail: RequestDetail): string {
  const refused = detail.elements.flatMap(({ remoteId, reason }) =>
    reason === null ? [] : [`- ${remoteId === null ? '' : `${texts.remoteId(remoteId)}: `}${reason}`],
  );
  return [
    `${request.method} ${request.path}`,
    `${texts.sentAt}: ${new Date(request.sentAt).toISOString()}`,
    `${dialogTexts.requests.correlationId}: ${request.correlationId}`,
    outcomeText(request),
    ...refused,
  ].join('\n');
}

/** Requests as a table with times in UTC. No cell can run as a spreadsheet formula. */
export const requestTable = (requests: readonly SentRequest[]): string =>
  formatTsv([
    [...texts.columns],
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
