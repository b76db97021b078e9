import { ASK_ALWAYS } from '../../shared/merge/conflict-policy.ts';
import { POLICY_KEY } from '../sync/conflicts.ts';
import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

export const conflictPolicyRouter = ({ open }: CoreParts) => ({
  get: os.conflictPolicy.get.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    return { text: (await workspace.getMeta(POLICY_KEY)) ?? ASK_ALWAYS };
  }),
  set: os.conflictPolicy.set.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    await workspace.setMeta(POLICY_KEY, input.text);
    return { text: input.text };
  }),
});
