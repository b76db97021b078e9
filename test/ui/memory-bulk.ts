import { implement } from '@orpc/server';
import type { BulkScope } from '../../shared/contract/bulk.ts';
import { bulkContract } from '../../shared/contract/bulk.ts';
import { pasteContract } from '../../shared/contract/paste.ts';
import type { MemoryAccount } from './memory-account.ts';

/** Bulk tools over the rows in memory: `set` of one field, hold and delete; the others change nothing. */
export function memoryBulk(account: MemoryAccount) {
  const os = implement(bulkContract);
  const rowsOf = (scope: BulkScope) =>
    'rows' in scope ? scope.rows.flatMap(({ kind, ids }) => ids.map((id) => ({ kind, id }))) : [];
  const nothing = { cells: 0, created: 0, removed: 0, refused: [] };
  return os.router({
    preview: os.preview.handler(({ input }) => {
      const rows = rowsOf(input.scope);
      const cells = input.tool.tool === 'set' ? rows.length * Object.keys(input.tool.values).length : 0;
      return {
        ...nothing,
        revision: account.revision(),
        rows: rows.length,
        cells,
        pairs: [],
        refusals: [],
        dropped: [],
      };
    }),
    apply: os.apply.handler(({ input }) => {
      const rows = rowsOf(input.scope);
      const { tool } = input;
      if (tool.tool === 'set') {
        const changes = rows.flatMap((row) =>
          Object.entries(tool.values).map(([field, value]) => ({ ...row, field, value })),
        );
        const { revision } = account.edit(input.label, changes);
        return { ...nothing, revision, cells: changes.length, roots: [] };
      }
      if (tool.tool === 'delete') {
        return { ...nothing, revision: account.remove(rows).revision, removed: rows.length, roots: [] };
      }
      if (tool.tool === 'hold') {
        return { ...nothing, revision: account.hold(rows, tool.held).revision, cells: rows.length, roots: [] };
      }
      return { ...nothing, revision: account.revision(), roots: [] };
    }),
  });
}

/** A paste in memory is understood as nothing but unchanged rows. */
export function memoryPaste(account: MemoryAccount) {
  const os = implement(pasteContract);
  return os.router({
    preview: os.preview.handler(({ input }) => ({
      revision: account.revision(),
      hasHeader: false,
      columns: [],
      choices: [],
      add: 0,
      update: 0,
      unchanged: input.paste.table.length,
      error: 0,
      needsDecimals: false,
      rows: [],
    })),
    apply: os.apply.handler(() => ({
      revision: account.revision(),
      cells: 0,
      created: 0,
      removed: 0,
      refused: [],
      roots: [],
    })),
  });
}
