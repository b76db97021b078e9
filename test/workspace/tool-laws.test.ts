import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkIntegrity } from '../../main/store/backup.ts';
import type { BulkTool } from '../../shared/api/bulk.ts';
import { acceptAll, aStore, contents, createAll } from './a-store.ts';
import { amount, run } from './a-tool.ts';
import { aSmallCampaign } from './a-workspace.ts';

const TOOLS: readonly BulkTool[] = [
  { tool: 'set', values: { bid: 333, status: 'disabled', state: 'paused' } },
  { tool: 'set', values: { name: null } },
  { tool: 'replace', field: 'text', find: 'roll', replace: '[keyword]!', matchCase: true, wholeCell: false },
  { tool: 'append', field: 'name', before: 'New ', after: ' [campaign]' },
  { tool: 'case', field: 'text', to: 'title' },
  amount('*1.37+0.01'),
  { tool: 'fill-down', fields: ['bid', 'status'] },
  { tool: 'duplicate' },
  { tool: 'delete' },
  { tool: 'hold', held: true },
  { tool: 'hold', held: false },
  { tool: 'revert', field: null },
  { tool: 'revert', field: 'bid' },
];

test('undo then redo is identity for every tool, over rows old and new in any order', () => {
  const changed = new Set<string>();
  fc.assert(
    fc.property(
      fc.array(fc.record({ tool: fc.nat(TOOLS.length + 1), rows: fc.array(fc.nat(15), { minLength: 1 }) }), {
        minLength: 1,
        maxLength: 8,
      }),
      fc.boolean(),
      (acts, isSent) => {
        const store = aStore();
        const first = createAll(store, aSmallCampaign('One'));
        if (isSent) acceptAll(store, first);
        const refs = [...first, ...createAll(store, aSmallCampaign('Two')), ...createAll(store, aSmallCampaign('One'))];
        // Something to revert from the start.
        run(store, { tool: 'set', values: { bid: 77, name: 'Renamed' } }, first);
        for (const act of acts) {
          const picked = [...new Set(act.rows)].flatMap((at) => refs[at] ?? []);
          const target = refs[6];
          if (target === undefined || picked.length === 0) continue;
          const tool: BulkTool = TOOLS[act.tool] ?? {
            tool: act.tool === TOOLS.length ? 'copy' : 'move',
            to: { ...target },
          };
          const before = contents(store);
          const outcome = run(store, tool, picked);
          // The target itself may be among what an earlier tool has deleted.
          if (!outcome.ok) {
            expect(outcome.error.code).toBe('NO_ROW');
            continue;
          }
          const after = contents(store);
          const { cells, created, removed } = outcome.value;
          if (cells + created + removed === 0) {
            expect(after).toEqual(before);
            continue;
          }
          changed.add(tool.tool);
          expect(store.step('undo').ok).toBe(true);
          expect(contents(store)).toEqual(before);
          expect(store.step('redo').ok).toBe(true);
          expect(contents(store)).toEqual(after);
          expect(checkIntegrity(store.db)).toEqual([]);
        }
        store.db.close();
      },
    ),
    { numRuns: 50 },
  );
  expect([...changed].sort()).toEqual([
    'amount',
    'append',
    'case',
    'copy',
    'delete',
    'duplicate',
    'fill-down',
    'hold',
    'move',
    'replace',
    'revert',
    'set',
  ]);
});
