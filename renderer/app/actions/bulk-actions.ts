import type {
  BulkDone,
  BulkPreview,
  BulkScope,
  BulkTool,
  CopyAcrossDone,
  CopyAcrossPreview,
  PastedTable,
  PastePreview,
} from '../../../shared/api/bulk.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { errorText } from '../../texts/errors.ts';
import { type ActionContext, runAction } from './action-context.ts';

/** Rows of one account that are to become drafts in another. */
export interface CopyAcrossWish {
  readonly workspaceId: string;
  readonly scope: BulkScope;
  readonly target: string;
  readonly to: { readonly kind: RowRef['kind']; readonly id: number } | null;
}

/** Tools that work in main over any number of rows, named by their view instead of being read one by one. */
export interface BulkActions {
  /** What a tool would do; the failure in words, for showing beside what was typed. */
  previewTool(scope: BulkScope, tool: BulkTool, count: number): Promise<Result<BulkPreview, string>>;
  /** Does it as one step; null when nothing was done and the user has been told why. */
  applyTool(scope: BulkScope, tool: BulkTool, label: string, jobId?: string): Promise<BulkDone | null>;
  previewAcross(wish: CopyAcrossWish): Promise<Result<CopyAcrossPreview, string>>;
  applyAcross(wish: CopyAcrossWish, label: string): Promise<CopyAcrossDone | null>;
  previewPaste(paste: PastedTable, count: number): Promise<Result<PastePreview, string>>;
  applyPaste(paste: PastedTable, label: string): Promise<BulkDone | null>;
}

export function bulkActions(doing: ActionContext): BulkActions {
  const { client } = doing.connection;
  return {
    previewTool: async (scope, tool, count) => {
      const { workspaceId } = doing.store.getState();
      if (workspaceId === null) return err('');
      try {
        return ok(await client.bulk.preview({ workspaceId, scope, tool, count }));
      } catch (error) {
        return err(errorText(error));
      }
    },
    previewAcross: async (wish) => {
      try {
        return ok(await client.copyAcross.preview(wish));
      } catch (error) {
        return err(errorText(error));
      }
    },
    applyAcross: (wish, label) =>
      doing.inOrder(() => runAction(doing, () => client.copyAcross.apply({ ...wish, label }))),
    previewPaste: async (paste, count) => {
      const { workspaceId } = doing.store.getState();
      if (workspaceId === null) return err('');
      try {
        return ok(await client.paste.preview({ workspaceId, paste, count }));
      } catch (error) {
        return err(errorText(error));
      }
    },
    applyPaste: (paste, label) =>
      doing.inOrder(() =>
        runAction(doing, (workspaceId) =>
          client.paste.apply({ workspaceId, paste, label, jobId: crypto.randomUUID() }),
        ),
      ),
    applyTool: (scope, tool, label, jobId = crypto.randomUUID()) =>
      doing.inOrder(() =>
        runAction(doing, (workspaceId) => client.bulk.apply({ workspaceId, scope, tool, label, jobId })),
      ),
  };
}
