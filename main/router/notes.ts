import { fieldSpec } from '../../shared/model/fields.ts';
import type { Workspace } from '../workspace/port.ts';
import { refuseNote } from './note-errors.ts';
import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

export const notesRouter = ({ open }: CoreParts) => ({
  labels: os.notes.labels.handler(async ({ input, errors }) =>
    (await opened(open, input.workspaceId, errors)).workspace.labels(),
  ),
  saveLabel: os.notes.saveLabel.handler(async ({ input, errors }) => {
    const { workspaceId, id, name, color } = input;
    const { workspace } = await opened(open, workspaceId, errors);
    const written = await workspace.note({ do: 'save-label', id, name, color });
    if (!written.ok) return refuseNote(written.error, errors);
    const saved = (await workspace.labels()).find((label) => label.id === written.value.id);
    if (saved === undefined) throw errors.NO_NOTE({ data: { id: written.value.id } });
    return saved;
  }),
  removeLabel: os.notes.removeLabel.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    const written = await workspace.note({ do: 'remove-label', id: input.id });
    return written.ok ? { revision: written.value.revision } : refuseNote(written.error, errors);
  }),
  label: os.notes.label.handler(async ({ input, errors }) => {
    const { workspaceId, rows, add, remove } = input;
    const { workspace } = await opened(open, workspaceId, errors);
    const written = await workspace.note({ do: 'label', rows, add, remove });
    return written.ok ? { revision: written.value.revision } : refuseNote(written.error, errors);
  }),
  comments: os.notes.comments.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    return workspace.comments(input.ref, input.resolved);
  }),
  comment: os.notes.comment.handler(async ({ input, errors }) => {
    const { workspaceId, ref, field, author, text } = input;
    // What came with an archive of a later Adslate may be about more; what is written here is about a field of the row.
    if (field !== null && fieldSpec(ref.kind, field) === undefined) {
      throw errors.BAD_VALUE({ data: { kind: ref.kind, field, reason: 'unknown-field' } });
    }
    const { workspace } = await opened(open, workspaceId, errors);
    const written = await workspace.note({ do: 'comment', ref, field, author, text });
    if (!written.ok) return refuseNote(written.error, errors);
    return (
      (await commentWith(workspace, written.value.id)) ?? refuseNote({ kind: 'no-note', ...written.value }, errors)
    );
  }),
  editComment: os.notes.editComment.handler(async ({ input, errors }) => {
    const { workspaceId, id, text = null, resolved = null } = input;
    const { workspace } = await opened(open, workspaceId, errors);
    const written = await workspace.note({ do: 'edit-comment', id, text, resolved });
    if (!written.ok) return refuseNote(written.error, errors);
    return (await commentWith(workspace, id)) ?? refuseNote({ kind: 'no-note', id }, errors);
  }),
  removeComment: os.notes.removeComment.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    const written = await workspace.note({ do: 'remove-comment', id: input.id });
    return written.ok ? { revision: written.value.revision } : refuseNote(written.error, errors);
  }),
});

const commentWith = async (workspace: Workspace, id: number) =>
  (await workspace.comments(null, null)).find((comment) => comment.id === id);
