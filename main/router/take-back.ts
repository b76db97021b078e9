import { unreachable } from '../../shared/result.ts';
import type { OpenAccount } from '../open-accounts.ts';
import { applyRollback, previewRollback, runView } from '../sync/rollback.ts';
import { notWritable, opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

export const takeBackRouter = ({ open }: CoreParts) => ({
  runs: os.takeBack.runs.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    return (await workspace.outbox.sentRuns()).map(runView);
  }),
  preview: os.takeBack.preview.handler(async ({ input, errors }) => {
    const account = await opened(open, input.workspaceId, errors);
    const preview = await previewRollback(account.workspace, input.runId, await offered(account));
    if (preview === null) throw errors.NO_SYNC({ data: {} });
    return preview;
  }),
  stage: os.takeBack.stage.handler(async ({ input, errors }) => {
    const account = await opened(open, input.workspaceId, errors);
    const running = await account.runningSync();
    if (running !== null) throw errors.SYNC_RUNNING({ data: { runId: running } });
    const staged = await applyRollback(account.workspace, input.runId, await offered(account));
    if (staged.ok) return staged.value;
    switch (staged.error) {
      case 'no-run':
        throw errors.NO_SYNC({ data: {} });
      case 'nothing-to-do':
        throw errors.NOTHING_TO_DO({ data: {} });
      default:
        if (typeof staged.error === 'string') return unreachable(staged.error);
        throw notWritable(staged.error, errors.NOT_WRITABLE);
    }
  }),
});

/** Which calls the connection offers: a plan of nothing tells. */
async function offered(account: OpenAccount) {
  const { capabilities } = await (await account.sync()).planned({ submit: false, campaignIds: [] });
  return capabilities;
}
