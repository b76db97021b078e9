import type { RequestDetail } from '../../shared/api/requests.ts';
import { countText } from './numbers.ts';

/** Texts of the requests that were sent. */
export const enRequests = {
  steps: 'What was done',
  requests: 'What was sent',
  views: 'History of',
  find: 'Find by correlation id, path or campaign',
  none: 'Nothing sent yet',
  noneText: 'Every request that changes something at the service is kept here, with what became of it.',
  noSuch: 'No request has these words.',
  attempt: (n: number) => `attempt ${countText(n)}`,
  states: {
    SENT: 'on its way',
    IN_DOUBT: 'answer lost',
    NEEDS_USER: 'only you can say',
    DONE: 'done',
    REJECTED: 'refused',
    RETURNED: 'not carried out',
  } as Readonly<Record<RequestDetail['elements'][number]['state'], string>>,
  sentAt: 'Sent',
  correlationId: 'Correlation id',
  carried: 'What it carried, and what was answered',
  remoteId: (id: string) => `id ${id}`,
  outcome: 'How it went',
  body: 'Exactly what was sent',
  cut: (shown: number, all: number) => `The first ${countText(shown)} of ${countText(all)} characters.`,
  secrets: 'Keys and tokens travel beside the body and are kept nowhere.',
  copy: 'Copy for support',
  copied: 'Copied',
  save: 'Save this request',
  saveAll: 'Save as a table',
  fileName: 'requests.tsv',
  columns: ['Sent', 'Method', 'Path', 'Campaign', 'Attempt', 'Correlation id', 'Outcome'],
} as const;
