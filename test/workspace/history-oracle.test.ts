import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tableOf } from '../../main/store/schema/tables.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import { runs } from '../share.ts';
import { acceptAll, aStore, createAll } from './a-store.ts';
import { aSmallCampaign, create, done } from './a-workspace.ts';

/**
 * SQLite's own record of changes, a session, as the judge of ours: it cannot forget a row. Its binary format is not
 * read here; that it is empty after undo says that the history had everything.
 */
const FIELDS = [
  ['keyword', 'bid', [100, 130, null]],
  ['keyword', 'state', ['enabled', 'paused']],
  ['adItem', 'bid', [40, 41]],
  ['campaign', 'name', ['Towels', 'Ünïque', null]],
  ['campaign', 'endDate', ['2026-06-01', null]],
] as const;
const cell = fc.record({ field: fc.constantFrom(...FIELDS), row: fc.nat(5), pick: fc.nat(2) });

test('after undo, a session over every table of rows has recorded nothing', () => {
  const touched = { edits: 0 };
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 8 }), fc.boolean(), (cells, isNew) => {
      const store = aStore();
      const refs = createAll(store, aSmallCampaign());
      if (!isNew) acceptAll(store, refs);
      const tables = (['campaign', 'adGroup', 'adItem', 'keyword'] as const).map(tableOf);
      const sessions = tables.flatMap(({ name, base }) =>
        [name, base].map((table) => store.db.raw.createSession({ table })),
      );
      const updates = cells.flatMap(({ field: [kind, field, values], row, pick }) => {
        const ofKind = refs.filter((ref) => ref.kind === kind);
        const ref = ofKind[row % ofKind.length];
        return ref === undefined ? [] : [{ ...ref, field, value: values[pick % values.length] ?? null }];
      });
      const group = refs[1];
      if (group === undefined) throw new Error('no ad group');
      const creates = [create('keyword', { id: group.id }, { text: 'one more', matchType: 'exact' })];
      const removed = refs[4];
      const deletes = removed === undefined ? [] : [{ kind: removed.kind, id: asRowId(removed.id) }];
      done(store.apply({ label: 'All', source: 'user', creates, updates, deletes }));
      expect(sessions.some((session) => session.changeset().length > 0)).toBe(true);
      touched.edits++;
      store.step('undo');
      expect(sessions.map((session) => session.changeset().length)).toEqual(sessions.map(() => 0));
      for (const session of sessions) session.close();
      store.db.close();
    }),
    { numRuns: runs(40, 15) },
  );
  expect(touched.edits).toBeGreaterThan(0);
});
