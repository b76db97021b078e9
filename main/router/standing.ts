import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

export const standingRouter = ({ open }: CoreParts) => ({
  get: os.standing.get.handler(async ({ input, errors }) =>
    (await (await opened(open, input.workspaceId, errors)).sync()).standing(),
  ),
});
