import { listPending } from '../sync/pending.ts';
import { createUploadHosts } from '../sync/uploader.ts';
import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

export const waitingRouter = ({ open, options }: CoreParts) => ({
  list: os.waiting.list.handler(async ({ input, errors }) => {
    const { workspace, profile, ...account } = await opened(open, input.workspaceId, errors);
    const nowMs = (): number => options.clock.nowMs();
    const hosts = createUploadHosts(workspace, nowMs);
    return listPending({ workspace, sync: await account.sync(), hosts, profile, nowMs });
  }),
});
