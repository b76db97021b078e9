import { expect, test } from 'vitest';
import { z } from 'zod';
import { appOperation, type Implementations, operation } from '../../shared/api/operation.ts';
import { reviewContract } from '../../shared/api/reviews.ts';
import { SYNC_SELECTION_MAX } from '../../shared/plan/sync-selection.ts';
import { fail, ok } from '../../shared/result.ts';

const declared = {
  rows: {
    edit: operation({ runs: 'writer', access: 'write', input: { id: z.int() }, output: z.int(), errors: ['NO_ROW'] }),
    count: operation({ runs: 'reader', output: z.int() }),
  },
  app: { info: appOperation({ output: z.string() }) },
};
type Writers = Implementations<typeof declared, 'writer', { readonly known: ReadonlySet<number> }>;

const writers: Writers = {
  rows: { edit: ({ known }, { id }) => (known.has(id) ? ok(id) : fail('NO_ROW', { kind: 'keyword', id })) },
};

test('an implementation that is missing, of another place, or with an undeclared failure does not compile', () => {
  // @ts-expect-error: nothing answers rows.edit
  const missing: Writers = { rows: {} };
  // @ts-expect-error: rows.count runs in the reader
  const misplaced: Writers = { rows: { ...writers.rows, count: () => ok(1) } };
  // @ts-expect-error: rows.edit does not declare NO_VIEW
  const undeclared: Writers = { rows: { edit: () => fail('NO_VIEW', { viewId: 1 }) } };
  expect([missing, misplaced, undeclared]).toHaveLength(3);
});

test('an operation on an account takes its id, and may fail because there is none or it cannot be written', () => {
  const { inputSchema, errorMap, meta } = declared.rows.edit['~orpc'];
  expect(inputSchema?.safeParse({ id: 1 }).success).toBe(false);
  expect(inputSchema?.parse({ workspaceId: 'acme', id: 1 })).toEqual({ workspaceId: 'acme', id: 1 });
  expect(Object.keys(errorMap).sort()).toEqual(['NOT_WRITABLE', 'NO_ROW', 'NO_WORKSPACE']);
  expect(meta).toEqual({ runs: 'writer', priority: null, access: 'write', task: null, announced: false });
  expect(Object.keys(declared.app.info['~orpc'].errorMap)).toEqual([]);
});

test.each(['submit', 'cancel'] as const)('%s takes the campaigns of a whole selection', (what) => {
  const campaignIds = Array.from({ length: SYNC_SELECTION_MAX }, (_, i) => i + 1);
  const { inputSchema } = reviewContract[what]['~orpc'];
  expect(inputSchema?.safeParse({ workspaceId: 'acme', campaignIds }).success).toBe(true);
});
