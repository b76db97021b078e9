import type { Contract } from '../../../shared/api/contract.ts';
import type { Comment } from '../../../shared/api/notes.ts';
import type { Failure, Implementations } from '../../../shared/api/operation.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import { fieldSpec } from '../../../shared/model/fields.ts';
import { err, fail, ok, type Result } from '../../../shared/result.ts';
import { parseSearch } from '../../../shared/search/parse-search.ts';
import type { NoteCommand } from '../notes/note-commands.ts';
import { readComments, readLabels } from '../notes/read-notes.ts';
import type { EditOutcome } from '../types.ts';
import type { OwnStore, WriterContext } from './create-store.ts';
import { heldRowsOf } from './revert.ts';

/** Operations of the contract that run in the writer thread, each in one transaction that a failure rolls back. */
export const writerOperations: Implementations<Contract, 'writer', WriterContext> = {
  workspace: {
    edit: ({ store }, { label, changes }) => edited(store.apply({ label, source: 'user', updates: changes })),
    create: ({ store }, { label, rows, changes }) =>
      edited(store.apply({ label, source: 'user', creates: rows, updates: changes })),
    remove: ({ store }, { rows }) => edited(store.apply({ label: removalLabel(rows), source: 'user', deletes: rows })),
    revert: ({ store }, { rows, field }) => edited(store.revert(rows, field)),
    hold: ({ store }, { rows, held }) => edited(store.hold('rows' in rows ? heldRowsOf(store.db, rows) : rows, held)),
    undo: ({ store }) => edited(store.step('undo')),
    redo: ({ store }) => edited(store.step('redo')),
  },
  paste: {
    apply: ({ store, task }, { paste, skip, label }) => store.applyPaste(paste, skip, label, task),
  },
  history: {
    restore: ({ store }, { to, scope, label }) => store.restore(to, scope, label),
  },
  views: {
    save: ({ store }, { workspaceId: _, id, ...saved }) => {
      const filter = parseSearch(saved.view.filter, saved.view.kind);
      if (!filter.ok) return fail('BAD_FILTER', filter.error);
      const written = store.note({ do: 'save-view', id, saved });
      return written.ok ? ok({ id: written.value.id, ...saved }) : written;
    },
    remove: ({ store }, { id }) => {
      const written = store.note({ do: 'remove-view', id });
      return written.ok ? ok({}) : written;
    },
  },
  notes: {
    saveLabel: ({ store }, { id, name, color }) => {
      const written = store.note({ do: 'save-label', id, name, color });
      if (!written.ok) return written;
      const saved = readLabels(store.db).find((label) => label.id === written.value.id);
      return saved === undefined ? fail('NO_NOTE', { id: written.value.id }) : ok(saved);
    },
    removeLabel: ({ store }, { id }) => noted(store, { do: 'remove-label', id }),
    label: ({ store }, { rows, add, remove }) => noted(store, { do: 'label', rows, add, remove }),
    comment: ({ store }, { ref, field, author, text }) => {
      // Archives of later versions may contain comments on other things; comments written here are on a field of the
      // row.
      if (field !== null && fieldSpec(ref.kind, field) === undefined) {
        return fail('BAD_VALUE', { kind: ref.kind, field, reason: 'unknown-field' });
      }
      const written = store.note({ do: 'comment', ref, field, author, text });
      return written.ok ? commentWith(store, written.value.id) : written;
    },
    editComment: ({ store }, { id, text = null, resolved = null }) => {
      const written = store.note({ do: 'edit-comment', id, text, resolved });
      return written.ok ? commentWith(store, id) : written;
    },
    removeComment: ({ store }, { id }) => noted(store, { do: 'remove-comment', id }),
  },
};

/**
 * The maximum of IDs in an answer, as many as can be created at once: a window shows the place of the edit and does not
 * need 100,000 IDs.
 */
const TOUCHED_NAMED = 10_000;

const edited = <T extends EditOutcome, E>(done: Result<T, E>): Result<T, E> =>
  done.ok ? ok({ ...done.value, touched: done.value.touched.slice(0, TOUCHED_NAMED) }) : done;

const removalLabel = (rows: readonly RowRef[]): string =>
  rows.length === 1 ? 'Delete a row' : `Delete ${rows.length} rows`;

function noted<C extends NoteCommand>(store: OwnStore, command: C) {
  const written = store.note(command);
  return written.ok ? ok({ revision: written.value.revision }) : written;
}

function commentWith(store: OwnStore, id: number): Result<Comment, Failure<'NO_NOTE'>> {
  const comment = readComments(store.db, null, null).find((one) => one.id === id);
  return comment === undefined ? err({ code: 'NO_NOTE', data: { id } }) : ok(comment);
}
