import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Cell, FieldSpec } from '../../shared/model/field-types.ts';
import { fieldSpecs } from '../../shared/model/fields.ts';
import { KINDS, type Kind } from '../../shared/model/kinds.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import {
  type ChangeSet,
  decodeChangeSet,
  encodeChangeSet,
  NOTE_KINDS,
  type NoteKind,
} from '../../shared/team/change-set.ts';

const row = fc.integer({ min: 1, max: 2 ** 31 - 1 }).map(asRowId);
const kind = fc.constantFrom(...KINDS);
const number = fc.integer({ min: -(2 ** 51), max: 2 ** 51 });
// A half of a character outside the basic plane is a text too.
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constant('\ud800'));
const valueFor = ({ type }: FieldSpec): fc.Arbitrary<Cell> => {
  if (type.is === 'choice') return type.isOpen ? text : fc.constantFrom(...type.choices);
  return type.is === 'text' || type.is === 'date' ? text : number;
};
const cell = kind.chain((of) =>
  fc.constantFrom(...Object.entries(fieldSpecs(of))).chain(([field, spec]) => {
    const value = fc.option(valueFor(spec));
    return fc.record({ kind: fc.constant(of), row, field: fc.constant(field), value });
  }),
);
const json = (value: fc.Arbitrary<unknown>) => value.map((one) => JSON.stringify(one));
const kindNo = fc.nat(KINDS.length - 1);
const object = json(fc.dictionary(text, text));
const rule = fc.record({ id: text, name: text, kind, severity: text, query: text, enabled: fc.boolean() });
const NOTE_TEXTS: Readonly<Record<NoteKind, fc.Arbitrary<string>>> = {
  view: json(fc.tuple(kindNo, text, object, object)),
  label: json(fc.tuple(text, text)),
  rowLabels: json(fc.tuple(fc.option(kindNo), fc.array(fc.nat()))),
  comment: json(fc.tuple(kindNo, row, fc.option(text), text, text, number, fc.option(number), fc.option(fc.nat()))),
  userRules: json(fc.array(rule)),
  mutedRules: text,
  templates: json(fc.array(fc.record({ name: text, shape: text, form: fc.dictionary(text, text) }))),
  keptMine: json(fc.tuple(kind, row, text, fc.option(fc.oneof(text, number)))),
  changeLimit: text,
};
const note = fc.constantFrom(...NOTE_KINDS).chain((what) => {
  const written = NOTE_TEXTS[what];
  return fc.record({ what: fc.constant(what), id: fc.nat(), text: what === 'keptMine' ? written : fc.option(written) });
});
const changeSet: fc.Arbitrary<ChangeSet> = fc.record({
  made: fc.uniqueArray(fc.record({ kind, row, parent: fc.option(row) }), { selector: (made) => made.row }),
  removed: fc.uniqueArray(fc.record({ kind, row }), { selector: (removed) => removed.row }),
  cells: fc.uniqueArray(cell, { selector: (each) => `${each.kind} ${each.field} ${each.row}` }),
  facts: fc.uniqueArray(cell, { selector: (each) => `${each.kind} ${each.field} ${each.row}` }),
  notes: fc.array(note),
});

const inOrder = ({ made, removed, cells, facts = [], notes = [] }: ChangeSet) =>
  [made, removed, cells, facts, notes].map((list) => list.map((entry) => JSON.stringify(entry)).toSorted());

test('a change set reads back as what was written', () => {
  fc.assert(
    fc.property(changeSet, (set) => {
      const read = decodeChangeSet(encodeChangeSet(set));
      expect(read.ok && inOrder(read.value)).toEqual(inOrder(set));
    }),
  );
});

test('any bytes give a change set or an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      const read = decodeChangeSet(Uint8Array.of(1, ...bytes));
      expect(read.ok || ['damaged', 'newer'].includes(read.error)).toBe(true);
    }),
  );
});

test('a cut or changed change set never reads as more than its bytes can hold', () => {
  fc.assert(
    fc.property(changeSet, fc.nat(), fc.nat(255), (set, at, byte) => {
      const whole = encodeChangeSet(set);
      const cut = decodeChangeSet(whole.subarray(0, at % whole.length));
      expect(cut).toEqual({ ok: false, error: 'damaged' });
      const changed = whole.with(at % whole.length, byte);
      const read = decodeChangeSet(changed);
      if (read.ok) expect(read.value.cells.length + read.value.made.length).toBeLessThanOrEqual(changed.length);
    }),
  );
});

test('the last value of a cell counts', () => {
  const bid = (amount: number) => ({ kind: 'keyword', row: asRowId(7), field: 'bid', value: amount }) as const;
  const read = decodeChangeSet(encodeChangeSet({ made: [], removed: [], cells: [bid(80), bid(92)] }));
  expect(read).toEqual({ ok: true, value: { made: [], removed: [], cells: [bid(92)] } });
});

test('a value that its column can not hold is damage, and a choice that is not known is of a later version', () => {
  const read = (kind: Kind, field: string, value: Cell) => {
    const facts = [{ kind, row: asRowId(7), field, value }];
    const decoded = decodeChangeSet(encodeChangeSet({ made: [], removed: [], cells: [], facts }));
    return decoded.ok || decoded.error;
  };
  const bids = [80, null, '80'].map((value) => read('keyword', 'bid', value));
  expect([...bids, read('keyword', 'text', 80)]).toEqual([true, true, 'damaged', 'damaged']);
  const sources = ['search', 'dream', 1].map((value) => read('adItem', 'itemIdSource', value));
  expect(sources).toEqual([true, 'newer', 'damaged']);
  const marks = [read('keyword', '#remoteId', 'a'), read('keyword', '#remoteId', 1), read('keyword', '#held', 'a')];
  expect(marks).toEqual([true, 'damaged', 'damaged']);
});

test('a note of another form is damage, and one about a kind that is not known is of a later version', () => {
  const read = (what: NoteKind, text: unknown) => {
    const notes = [{ what, id: 7, text: text === null ? null : JSON.stringify(text) }];
    const decoded = decodeChangeSet(encodeChangeSet({ made: [], removed: [], cells: [], notes }));
    return decoded.ok || decoded.error;
  };
  const comment = [4, 7, null, 'Ana', 'Why?', 1, null, 1];
  const rule = { id: 'a', name: 'A', kind: 'keyword', severity: 'error', query: '', enabled: true };
  const asMeant: readonly (readonly [NoteKind, unknown])[] = [
    ['view', [4, 'Mine', '{}', '{}']],
    ['label', ['Hot', 'red']],
    ['rowLabels', [4, [1]]],
    ['comment', comment],
    ['userRules', [rule]],
    ['templates', [{ name: 'Spring' }]],
    ['keptMine', ['keyword', 7, 'bid', 80]],
  ];
  for (const [what, text] of asMeant) {
    expect([what, read(what, text)]).toEqual([what, true]);
    for (const other of [{}, 'text', [null], [{}]]) expect([what, read(what, other)]).toEqual([what, 'damaged']);
  }
  expect([read('keptMine', null), read('label', null), read('comment', comment.with(5, 1.5))]).toEqual([
    'damaged',
    true,
    'damaged',
  ]);
  const later = [read('comment', comment.with(0, 200)), read('userRules', [{ ...rule, kind: 'dream' }])];
  expect(later).toEqual(['newer', 'newer']);
});

test('a format and a field of a later version are told from damage', () => {
  expect(decodeChangeSet(Uint8Array.of(3))).toEqual({ ok: false, error: 'newer' });
  expect(decodeChangeSet(Uint8Array.of(1, 0, 0, 1, 0, 250, 1, 1, 0, 2))).toEqual({ ok: false, error: 'newer' });
});

test('10,000 bids take no more than four bytes each once they are packed', () => {
  const cells = Array.from({ length: 10_000 }, (_, at) => ({
    kind: 'keyword' as const,
    row: asRowId(1000 + 3 * at),
    field: 'bid',
    value: 30 + ((at * 7919) % 220),
  }));
  const packed = deflateRawSync(encodeChangeSet({ made: [], removed: [], cells }));
  expect(packed.length / cells.length).toBeLessThan(4);
});
