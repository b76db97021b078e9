import type { Cell } from '../../../shared/model/field-types.ts';
import type { Kind } from '../../../shared/model/kinds.ts';

import { readWhole } from '../pages.ts';
import { appTexts } from '../texts.ts';
import type { Client } from '../transport/connection.ts';
import { type ActionContext, runAction } from './action-context.ts';

/** Rows one call of main takes. */
const ROWS_MAX = 200_000;

export interface CellChange {
  readonly kind: Kind;
  readonly id: number;
  readonly field: string;
  readonly value: Cell;
}

export interface NewRow {
  readonly kind: Kind;
  readonly parent: { readonly id: number } | { readonly at: number } | null;
  readonly values: Readonly<Record<string, Cell>>;
}

/** A row as the screens name it; main brands the id when it checks the call. */
export interface RowName {
  readonly kind: Kind;
  readonly id: number;
}

export type FoundItem = Awaited<ReturnType<Client['items']['search']>>[number];

/** What was written: the rows it touched, created ones first, and what it has made of them. */
export type Edited = Awaited<ReturnType<Client['workspace']['edit']>>;

/** Edits of rows. Each call is one undo step; null means that nothing was written and the user has been told. */
export interface RowActions {
  edit(label: string, changes: readonly CellChange[]): Promise<Edited | null>;
  create(label: string, rows: readonly NewRow[]): Promise<Edited | null>;
  remove(rows: readonly RowName[]): Promise<Edited | null>;
  revert(rows: readonly RowName[], field: string | null): Promise<Edited | null>;
  /** Takes back every row that the service has otherwise; new rows stay. */
  revertAll(): Promise<Edited | null>;
  /** Writes the fix of every finding of one rule, as one step; with a campaign, of those in it. */
  fixAll(rule: string, campaignId: number | null): Promise<Edited | null>;
  hold(rows: readonly RowName[], held: boolean): Promise<Edited | null>;
  /** Items of the service that match; null when it could not be asked. */
  searchItems(text: string): Promise<readonly FoundItem[] | null>;
  undo(): Promise<Edited | null>;
  redo(): Promise<Edited | null>;
}

export function rowActions(doing: ActionContext): RowActions {
  const { client } = doing.connection;
  const written = (call: (workspaceId: string) => Promise<Edited | null>) =>
    doing.inOrder(() => runAction(doing, call));
  return {
    edit: (label, changes) =>
      written((workspaceId) => client.workspace.edit({ workspaceId, label, changes: [...changes] })),
    create: (label, rows) =>
      written((workspaceId) =>
        client.workspace.create({
          workspaceId,
          label,
          rows: rows.map((row) => ({ ...row, values: { ...row.values } })),
        }),
      ),
    remove: (rows) => written((workspaceId) => client.workspace.remove({ workspaceId, rows: [...rows] })),
    revert: (rows, field) => written((workspaceId) => client.workspace.revert({ workspaceId, rows: [...rows], field })),
    revertAll: () =>
      written(async (workspaceId) => {
        const all = await readWhole(
          (from, count) => client.workspace.changes({ workspaceId, from, count }),
          ({ changes }) => changes.filter(({ what }) => what !== 'new'),
          ROWS_MAX,
        );
        const rows = [...new Map(all.map(({ kind, id }) => [`${kind} ${id}`, { kind, id }])).values()];
        if (rows.length > 0) return client.workspace.revert({ workspaceId, rows, field: null });
        doing.notes.tell(appTexts.revertAll.nothing);
        return null;
      }),
    fixAll: async (rule, campaignId) => {
      const fixed = await written(async (workspaceId) => {
        const same = await readWhole(
          (from, count) => client.workspace.findings({ workspaceId, from, count, campaignId, rule }),
          ({ findings }) => findings.filter(({ fix }) => fix !== null),
          ROWS_MAX,
        );
        const edits = same.flatMap(({ kind, id, fix }) =>
          fix === null ? [] : [{ kind, id, field: fix.field, value: fix.value }],
        );
        return client.workspace.edit({ workspaceId, label: appTexts.fixed.label(edits.length), changes: edits });
      });
      if (fixed !== null) doing.notes.tell(appTexts.fixed.told(fixed.touched.length));
      return fixed;
    },
    hold: (rows, held) => written((workspaceId) => client.workspace.hold({ workspaceId, rows: [...rows], held })),
    searchItems: (text) => runAction(doing, (workspaceId) => client.items.search({ workspaceId, text, ids: null })),
    undo: () => written((workspaceId) => client.workspace.undo({ workspaceId })),
    redo: () => written((workspaceId) => client.workspace.redo({ workspaceId })),
  };
}
