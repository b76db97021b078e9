import { lowSpace } from '../disk-space.ts';
import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

export const standingRouter = ({ open, options }: CoreParts) => ({
  get: os.standing.get.handler(async ({ input, errors }) => {
    const account = await opened(open, input.workspaceId, errors);
    const lowSpaceBytes = await lowSpace(account.folder, options.freeBytes);
    return { ...(await (await account.sync()).standing()), lowSpaceBytes };
  }),
});
