import { RequestDialog } from '../../../renderer/screens/history/RequestDialog.tsx';
import { RequestsList } from '../../../renderer/screens/history/RequestsList.tsx';
import type { SentRequest } from '../../../shared/contract/requests.ts';
import { ELEMENT_STATES } from '../../../shared/contract/sent-elements.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { never, os } from './answers.ts';
import { NOON, WORKSPACE } from './examples.ts';
import type { Part } from './part.ts';
import { staged } from './Stage.tsx';

const REQUEST: SentRequest = {
  id: 7,
  sentAt: NOON,
  method: 'POST',
  path: '/api/v1/keywords',
  kind: 'keyword',
  verb: 'create',
  attempt: 2,
  campaign: 'Paper towels',
  correlationId: 'a3f1c0de-0000-4000-8000-000000000007',
  states: { DONE: 48, REJECTED: 2 },
};
const elements = ELEMENT_STATES.map((state, at) => ({
  kind: 'keyword' as const,
  id: asRowId(at + 1),
  label: `kettle ${at}, exact`,
  state,
  remoteId: state === 'DONE' ? '9001' : null,
  reason: state === 'REJECTED' ? 'The bid is below the minimum.' : null,
}));
const body = '[{"keywordText":"kettle 0","matchType":"exact","bid":1.50}]';
const receipts = [{ at: NOON, class: 'elements', detail: 'done done rejected' }];
const list = (requests: readonly SentRequest[]) => ({
  requests: { list: os.requests.list.handler(() => ({ total: requests.length, requests: [...requests] })) },
});
const one = (bodyLength: number) => ({
  requests: { get: os.requests.get.handler(() => ({ body, bodyLength, elements, receipts })) },
});
const requests = <RequestsList workspaceId={WORKSPACE} />;
const dialog = <RequestDialog workspaceId={WORKSPACE} request={REQUEST} />;

/** What was sent, and what became of it. */
export const REQUEST_PARTS: readonly Part[] = [
  {
    name: 'RequestsList',
    isWide: true,
    states: {
      some: staged({ answers: list([REQUEST, { ...REQUEST, id: 6, attempt: 1, states: { SENT: 1 } }]) }, requests),
      none: staged({ answers: list([]) }, requests),
      reading: staged({ answers: { requests: { list: os.requests.list.handler(never) } } }, requests),
    },
  },
  {
    name: 'RequestDialog',
    isWide: true,
    states: {
      whole: staged({ answers: one(body.length) }, dialog),
      cut: staged({ answers: one(250_000) }, dialog),
      reading: staged({ answers: { requests: { get: os.requests.get.handler(never) } } }, dialog),
    },
  },
];
