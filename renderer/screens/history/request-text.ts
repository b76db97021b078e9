import type { RequestDetail, SentRequest } from '../../../shared/contract/requests.ts';
import { guardCell } from '../../../shared/sheet/cell-guard.ts';
import { formatTsv } from '../../../shared/sheet/tsv.ts';
import { enRequests } from '../../messages/en-requests.ts';
import { countText } from '../../messages/numbers.ts';

/** What became of the elements of a request: `48 done, 2 refused`. */
export function outcomeText({ states }: Pick<SentRequest, 'states'>): string {
  const entries = Object.entries(states) as readonly (readonly [keyof typeof enRequests.states, number])[];
  return entries.map(([state, count]) => `${countText(count)} ${enRequests.states[state]}`).join(', ');
}

/** What the service's support needs to find a request in its logs: the call, its time and id, and what was refused. */
export function requestSupportText(request: SentRequest, detail: RequestDetail): string {
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
