import { unreachable } from '../../shared/result.ts';
import { refuseTool } from './edit-errors.ts';
import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';
import { showingWork } from './showing-work.ts';

export const bulkRouter = ({ open, events }: CoreParts) => ({
  preview: os.bulk.preview.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    const preview = await workspace.previewTool(input.scope, input.tool, input.count);
    if (preview.ok) return preview.value;
    const problem = preview.error;
    switch (problem.kind) {
      case 'no-view':
        throw errors.NO_VIEW({ data: { viewId: problem.viewId } });
      case 'bad-tool':
        throw errors.BAD_TOOL({ data: { at: problem.at, problem: problem.problem } });
      case 'no-row':
        throw errors.NO_ROW({ data: problem.ref });
      default:
        return unreachable(problem);
    }
  }),
  apply: os.bulk.apply.handler(async ({ input, errors, signal }) => {
    const { workspaceId, scope, tool, label, jobId } = input;
    const { workspace } = await opened(open, workspaceId, errors);
    const onProgress = (done: number, total: number): void =>
      events.publish({ type: 'bulk.progress', workspaceId, jobId, done, total });
    const applied = await showingWork(events, workspaceId, 'change', () =>
      workspace.applyTool(scope, tool, label, { jobId, signal, onProgress }),
    );
    if (applied.ok) return applied.value;
    const problem = applied.error;
    if (problem.kind === 'no-view') throw errors.NO_VIEW({ data: { viewId: problem.viewId } });
    return refuseTool(problem, errors);
  }),
  cancel: os.bulk.cancel.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    return { cancelled: workspace.cancelJob(input.jobId) };
  }),
});
