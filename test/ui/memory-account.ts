import type { ViewSpec } from '../../shared/contract/workspace.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { fieldNames } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import type { Finding } from '../../shared/rules/finding.ts';
import { cellOf, dirtyOf, hasError, type MemoryRow, seedRows, windowRow } from './memory-rows.ts';

interface Step {
  readonly label: string;
  readonly before: readonly MemoryRow[];
  readonly after: readonly MemoryRow[];
}

/** The rows, views and history of one account, kept in memory. */
export function createMemoryAccount(keywords: number, changed: (revision: number) => void) {
  let rows: MemoryRow[] = seedRows(keywords);
  let revision = 1;
  let nextId = 100_000;
  let nextView = 1;
  const views = new Map<number, readonly number[]>();
  const undo: Step[] = [];
  const redo: Step[] = [];

  const nameOf = (row: MemoryRow): string => {
    const campaign = rows.find(({ kind, id }) => kind === 'campaign' && id === row.campaignId);
    return campaign === undefined ? '' : String(cellOf(campaign, 'name') ?? '');
  };
  const shown = (row: MemoryRow) => windowRow(row, nameOf(row));
  const find = (kind: Kind, id: number): MemoryRow | undefined =>
    rows.find((row) => row.kind === kind && row.id === id);

  function commit(label: string, after: MemoryRow[], touched: readonly { kind: Kind; id: number }[]) {
    undo.push({ label, before: rows, after });
    redo.length = 0;
    rows = after;
    return bump(touched);
  }
  function bump(touched: readonly { kind: Kind; id: number }[]) {
    revision += 1;
    changed(revision);
    return { revision, touched: touched.map(({ kind, id }) => ({ kind, id: asRowId(id) })) };
  }
  function order(view: ViewSpec): readonly number[] {
    const words = view.filter.toLowerCase();
    const wanted = rows.filter((row) => {
      if (row.kind !== view.kind) return false;
      if (view.campaignId !== null && row.campaignId !== view.campaignId) return false;
      if (view.only === 'changed' && dirtyOf(row) === 0) return false;
      if (view.only === 'errors' && !hasError(row)) return false;
      if (view.only === 'held' && !row.held) return false;
      return words === '' || row.cells.some((cell) => String(cell).toLowerCase().includes(words));
    });
    const sort = view.sort[0];
    if (sort !== undefined) {
      const sign = sort.descending ? -1 : 1;
      wanted.sort((a, b) => {
        const [x, y] = [cellOf(a, sort.column), cellOf(b, sort.column)];
        if (typeof x === 'number' && typeof y === 'number') return sign * (x - y);
        return sign * String(x).localeCompare(String(y));
      });
    }
    return wanted.map(({ id }) => id);
  }
  function findings(campaignId: number | null): (Finding & { label: string; campaignName: string })[] {
    return rows
      .filter((row) => hasError(row) && (campaignId === null || row.campaignId === campaignId))
      .map((row) => ({
        rule: 'keyword.bid-floor',
        severity: 'error',
        kind: row.kind,
        id: asRowId(row.id),
        campaignId: row.campaignId === null ? null : asRowId(row.campaignId),
        field: 'bid',
        params: { keyword: String(cellOf(row, 'text')), bid: Number(cellOf(row, 'bid')), floor: 150, min: 150 },
        fix: { field: 'bid', value: 150 },
        label: String(cellOf(row, 'text')),
        campaignName: nameOf(row),
      }));
  }

  return {
    rows: () => rows,
    revision: () => revision,
    shown,
    find,
    findings,
    undoLabel: () => undo.at(-1)?.label ?? null,
    redoLabel: () => redo.at(-1)?.label ?? null,
    history: () => [...undo.map((step) => ({ step, undone: false })), ...redo.map((step) => ({ step, undone: true }))],
    openView: (view: ViewSpec) => {
      const viewId = nextView++;
      const ids = order(view);
      views.set(viewId, ids);
      return { viewId, length: ids.length, revision };
    },
    window: (viewId: number, from: number, count: number) => {
      const ids = views.get(viewId);
      if (ids === undefined) return null;
      const byId = new Map(rows.map((row) => [row.id, row]));
      const found = ids.slice(from, from + count).flatMap((id) => byId.get(id) ?? []);
      return { rows: found.map(shown), length: ids.length, revision, stale: false };
    },
    edit: (label: string, changes: readonly { kind: Kind; id: number; field: string; value: Cell }[]) => {
      const after = rows.map((row) => {
        const mine = changes.filter((change) => change.kind === row.kind && change.id === row.id);
        if (mine.length === 0) return row;
        const cells = [...row.cells];
        for (const { field, value } of mine) cells[fieldNames(row.kind).indexOf(field)] = value;
        return { ...row, cells };
      });
      return commit(label, after, changes);
    },
    create: (
      label: string,
      wanted: readonly { kind: Kind; parent: { id: number } | { at: number } | null; values: Record<string, Cell> }[],
    ) => {
      const made: MemoryRow[] = [];
      for (const { kind, parent, values } of wanted) {
        const id = nextId++;
        const above =
          parent === null ? null : 'at' in parent ? made[parent.at] : rows.find((row) => row.id === parent.id);
        made.push({
          kind,
          id,
          campaignId: kind === 'campaign' ? id : (above?.campaignId ?? null),
          adGroupId: above?.kind === 'adGroup' ? above.id : null,
          base: null,
          cells: fieldNames(kind).map((field) => values[field] ?? null),
          held: false,
        });
      }
      return commit(label, [...rows, ...made], made);
    },
    remove: (gone: readonly { kind: Kind; id: number }[]) => {
      const keys = new Set(gone.map(({ kind, id }) => `${kind} ${id}`));
      return commit(
        'Delete rows',
        rows.filter((row) => !keys.has(`${row.kind} ${row.id}`)),
        gone,
      );
    },
    revert: (some: readonly { kind: Kind; id: number }[]) => {
      const keys = new Set(some.map(({ kind, id }) => `${kind} ${id}`));
      const after = rows.map((row) =>
        keys.has(`${row.kind} ${row.id}`) && row.base !== null ? { ...row, cells: row.base } : row,
      );
      return commit('Revert', after, some);
    },
    hold: (some: readonly { kind: Kind; id: number }[], held: boolean) => {
      const keys = new Set(some.map(({ kind, id }) => `${kind} ${id}`));
      const after = rows.map((row) => (keys.has(`${row.kind} ${row.id}`) ? { ...row, held } : row));
      return commit('Hold', after, some);
    },
    step: (back: boolean) => {
      const step = (back ? undo : redo).pop();
      if (step === undefined) return null;
      (back ? redo : undo).push(step);
      rows = [...(back ? step.before : step.after)];
      return bump([]);
    },
  };
}

export type MemoryAccount = ReturnType<typeof createMemoryAccount>;
