import { implement } from '@orpc/server';
import { type Comment, type Label, notesContract } from '../../shared/contract/notes.ts';
import { ONLY } from '../../shared/contract/only.ts';
import { type SavedView, type ViewTotal, viewsContract } from '../../shared/contract/views.ts';
import type { WindowRow } from '../../shared/contract/workspace.ts';
import { formatCell } from '../../shared/model/cell-text.ts';
import { sumsOf, totalOf } from '../../shared/model/decimal.ts';
import { fieldNames } from '../../shared/model/fields.ts';
import { tsvLines } from '../../shared/sheet/tsv.ts';
import type { MemoryAccount } from './memory-account.ts';

/** Saved views, labels and comments in memory. Rows do not show their labels here. */
export function memoryNotes(account: MemoryAccount) {
  const os = { views: implement(viewsContract), notes: implement(notesContract) };
  const views: SavedView[] = [];
  const labels: Label[] = [];
  const comments: Comment[] = [];
  let nextId = 1;
  function without<T extends { readonly id: number }>(list: T[], id: number): void {
    const at = list.findIndex((one) => one.id === id);
    if (at >= 0) list.splice(at, 1);
  }
  const revision = () => ({ revision: account.revision() });
  return {
    views: os.views.router({
      saved: os.views.saved.handler(() => views),
      save: os.views.save.handler(({ input: { id, name, view, layout } }) => {
        const saved = { id: id ?? nextId++, name, view, layout };
        without(views, saved.id);
        views.push(saved);
        return saved;
      }),
      remove: os.views.remove.handler(({ input }) => {
        without(views, input.id);
        return {};
      }),
      duplicates: os.views.duplicates.handler(() => ({
        total: 0,
        rows: 0,
        groups: [],
        fullness: [],
        distinctMax: 200,
      })),
      text: os.views.text.handler(({ input, errors }) => {
        const { viewId, from, count, columns, decimal } = input;
        const window = account.window(viewId, from, count);
        if (window === null) throw errors.NO_VIEW({ data: { viewId } });
        const kind = account.rows().find(({ id }) => id === window.rows[0]?.id)?.kind ?? 'campaign';
        const textOf = (row: WindowRow, field: string): string =>
          field === 'path'
            ? row.campaignName
            : formatCell(kind, field, row.cells[fieldNames(kind).indexOf(field)] ?? null, decimal);
        const lines = tsvLines(window.rows.map((row) => columns.map((field) => textOf(row, field))));
        return { lines, rows: window.rows.length, length: window.length };
      }),
      place: os.views.place.handler(({ input, errors }) => {
        const window = account.window(input.viewId, 0, Number.MAX_SAFE_INTEGER);
        if (window === null) throw errors.NO_VIEW({ data: { viewId: input.viewId } });
        const place = window.rows.findIndex(({ id }) => id === input.id);
        return { place: place < 0 ? null : place };
      }),
      totals: os.views.totals.handler(({ input }) => ({ totals: totalsOf(account, input.viewId) })),
      groups: os.views.groups.handler(() => ({ total: 0, groups: [] })),
      counts: os.views.counts.handler(({ input }) => {
        const total = account.rows().filter((row) => row.kind === input.kind).length;
        return Object.fromEntries(ONLY.map((only) => [only, only === 'all' ? total : 0])) as Record<
          (typeof ONLY)[number],
          number
        >;
      }),
    }),
    notes: os.notes.router({
      labels: os.notes.labels.handler(() => labels),
      saveLabel: os.notes.saveLabel.handler(({ input: { id, name, color } }) => {
        const saved = { id: id ?? nextId++, name, color, rows: 0 };
        without(labels, saved.id);
        labels.push(saved);
        return saved;
      }),
      removeLabel: os.notes.removeLabel.handler(({ input }) => {
        without(labels, input.id);
        return revision();
      }),
      label: os.notes.label.handler(revision),
      comments: os.notes.comments.handler(({ input }) =>
        comments.filter(({ ref }) => input.ref === null || (ref.kind === input.ref.kind && ref.id === input.ref.id)),
      ),
      comment: os.notes.comment.handler(({ input: { ref, field, author, text } }) => {
        const made = { id: nextId++, ref, field, author, text, at: 1_780_000_000_000, resolved: false };
        comments.push(made);
        return made;
      }),
      editComment: os.notes.editComment.handler(({ input, errors }) => {
        const known = comments.find(({ id }) => id === input.id);
        if (known === undefined) throw errors.NO_NOTE({ data: { id: input.id } });
        const changed = { ...known, text: input.text ?? known.text, resolved: input.resolved ?? known.resolved };
        comments.splice(comments.indexOf(known), 1, changed);
        return changed;
      }),
      removeComment: os.notes.removeComment.handler(({ input }) => {
        without(comments, input.id);
        return revision();
      }),
    }),
  };
}

function totalsOf(account: MemoryAccount, viewId: number): ViewTotal[] {
  const rows = account.window(viewId, 0, Number.MAX_SAFE_INTEGER)?.rows ?? [];
  const kind = account.rows().find(({ id }) => id === rows[0]?.id)?.kind;
  if (kind === undefined) return [];
  return fieldNames(kind).flatMap((field, cell) => {
    const of = totalOf(kind, field);
    const { count, sum, average } = sumsOf(rows.map(({ cells }) => cells[cell] ?? null));
    return of === null ? [] : [{ field, of, count, value: of === 'sum' ? sum : average }];
  });
}
