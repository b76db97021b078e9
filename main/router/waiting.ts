import { createUploadHosts } from '../sync/upload-hosts.ts';
import { whatWaits } from '../sync/waiting.ts';
import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

export const waitingRouter = ({ open, options }: CoreParts) => ({
  list: os.waiting.list.handler(async ({ input, errors }) => {
    const { workspace, profile, ...account } = await opened(open, input.workspaceId, errors);
    const nowMs = (): number => options.clock.nowMs();
    const hosts = createUploadHosts(workspace, nowMs);
    return whatWaits({ workspace, sync: await account.sync(), hosts, profile, nowMs });
  }),
});
