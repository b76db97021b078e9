import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';
import { runIdOf } from './pending-sync.ts';

export const knownRouter = ({ open }: CoreParts) => ({
  list: os.known.list.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    const { total, ids } = await workspace.known(input.from, input.count, input.words);
    return { total, ids: [...ids] };
  }),
  look: os.known.look.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    return { here: [...(await workspace.campaignsHere(input.ids))] };
  }),
  add: os.known.add.handler(async ({ input, errors }) => {
    const account = await opened(open, input.workspaceId, errors);
    const taken = await (await account.sync()).takeIn(input.campaigns, input.source);
    if (!taken.ok) throw errors.SYNC_RUNNING({ data: { runId: await runIdOf(account) } });
    return taken.value;
  }),
});
