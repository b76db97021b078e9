import type { RequestDetail } from '../../shared/api/requests.ts';
import { countText } from './numbers.ts';

/** Texts of the requests that were sent. */
export const enRequests = {
  steps: 'Edits',
  requests: 'Requests',
  views: 'Show history of',
  find: 'Find by correlation ID, path or campaign',
  none: 'No requests yet',
  noneText: 'Every request that changes something on the service is listed here with its result.',
  noSuch: 'No matching requests.',
  attempt: (n: number) => `attempt ${countText(n)}`,
  states: {
    SENT: 'sending',
    IN_DOUBT: 'unconfirmed',
    NEEDS_USER: 'needs your answer',
    DONE: 'sent',
    REJECTED: 'failed',
    RETURNED: 'not processed',
  } as Readonly<Record<RequestDetail['elements'][number]['state'], string>>,
  sentAt: 'Sent',
  correlationId: 'Correlation ID',
  carried: 'Rows and results',
  remoteId: (id: string) => `ID ${id}`,
  outcome: 'Result',
  body: 'Request body',
  cut: (shown: number, all: number) => `Showing ${countText(shown)} of ${countText(all)} characters.`,
  secrets: 'Credentials are sent in headers and never stored here.',
  copy: 'Copy for support',
  copied: 'Copied',
  save: 'Save request',
  saveAll: 'Export as table (TSV)',
  fileName: 'requests.tsv',
  columns: ['Sent', 'Method', 'Path', 'Campaign', 'Attempt', 'Correlation ID', 'Result'],
} as const;
