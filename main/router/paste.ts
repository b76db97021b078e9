import { refuseTool } from './edit-errors.ts';
import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';
import { showingWork } from './showing-work.ts';

export const pasteRouter = ({ open, events }: CoreParts) => ({
  preview: os.paste.preview.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    const preview = await workspace.previewPaste(input.paste, input.from, input.count);
    if (!preview.ok) throw errors.NO_ROW({ data: preview.error.ref });
    return preview.value;
  }),
  apply: os.paste.apply.handler(async ({ input, errors, signal }) => {
    const { workspaceId, paste, skip, label, jobId } = input;
    const { workspace } = await opened(open, workspaceId, errors);
    const onProgress = (done: number, total: number): void =>
      events.publish({ type: 'bulk.progress', workspaceId, jobId, done, total });
    const applied = await showingWork(events, workspaceId, 'change', () =>
      workspace.applyPaste(paste, skip, label, { jobId, signal, onProgress }),
    );
    return applied.ok ? applied.value : refuseTool(applied.error, errors);
  }),
});
