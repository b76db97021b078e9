import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

export const requestsRouter = ({ open }: CoreParts) => ({
  list: os.requests.list.handler(async ({ input, errors }) => {
    const { workspaceId, from, count, words } = input;
    return (await opened(open, workspaceId, errors)).workspace.outbox.sentRequests({ from, count, words });
  }),
  get: os.requests.get.handler(async ({ input, errors }) =>
    (await opened(open, input.workspaceId, errors)).workspace.outbox.sentRequest({ id: input.id }),
  ),
});
