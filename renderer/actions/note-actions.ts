import type { Comment, Label } from '../../shared/contract/notes.ts';
import type { RowRef } from '../../shared/contract/scalars.ts';
import type { SavedView } from '../../shared/contract/views.ts';
import { runAction, type ActionContext } from './doing.ts';

/** Labels, comments and saved views: what people say about rows, and how they like to look at them. None is ever sent. */
export interface NoteActions {
  saveLabel(name: string, color: string): Promise<Label | null>;
  label(
    kind: RowRef['kind'],
    ids: readonly RowRef['id'][],
    add: readonly number[],
    remove: readonly number[],
  ): Promise<boolean>;
  /** @param field what it is about; null for the row as a whole */
  comment(ref: RowRef, field: string | null, text: string): Promise<Comment | null>;
  resolveComment(id: number, resolved: boolean): Promise<boolean>;
  removeComment(id: number): Promise<boolean>;
  saveView(view: Omit<SavedView, 'id'>, id: number | null): Promise<SavedView | null>;
  removeView(id: number): Promise<boolean>;
}

export function noteActions(doing: ActionContext): NoteActions {
  const { client } = doing.connection;
  /** Saved views and labels are told by no event when no row has changed. */
  const again = <T>(what: string, answer: T): T => {
    const { workspaceId } = doing.store.getState();
    doing.queries.refetch(`${what} ${workspaceId}`);
    return answer;
  };
  return {
    saveLabel: async (name, color) =>
      again(
        'labels',
        await runAction(doing, (workspaceId) => client.notes.saveLabel({ workspaceId, id: null, name, color })),
      ),
    label: async (kind, ids, add, remove) => {
      const done = await runAction(doing, (workspaceId) =>
        client.notes.label({ workspaceId, rows: [{ kind, ids: [...ids] }], add: [...add], remove: [...remove] }),
      );
      return again('labels', done !== null);
    },
    comment: (ref, field, text) =>
      runAction(doing, (workspaceId) => client.notes.comment({ workspaceId, ref, field, author: '', text })),
    resolveComment: async (id, resolved) =>
      (await runAction(doing, (workspaceId) => client.notes.editComment({ workspaceId, id, resolved }))) !== null,
    removeComment: async (id) =>
      (await runAction(doing, (workspaceId) => client.notes.removeComment({ workspaceId, id }))) !== null,
    saveView: async (view, id) =>
      again('views', await runAction(doing, (workspaceId) => client.views.save({ workspaceId, id, ...view }))),
    removeView: async (id) =>
      again('views', (await runAction(doing, (workspaceId) => client.views.remove({ workspaceId, id }))) !== null),
  };
}
