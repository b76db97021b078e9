import { expect } from 'vitest';
import { type Machine, machines } from '../../sandbox/states.ts';
import { openStore, type Store } from '../../sandbox/store.ts';
import { conform } from './case.ts';
import { documentMoves } from './document-moves.ts';

/**
 * "Nothing outside the tables is possible": the store itself is asked to make every change between any two words of a
 * machine. This is the one place of the suite that looks behind HTTP, since no caller can ask for most of them.
 */
const entries: readonly (readonly [name: string, machine: Machine])[] = Object.entries(machines);

/** Every number once: some columns hold each value for one row only. */
const nextNumber = (() => {
  let last = 0;
  return () => ++last;
})();

/** A row with one cell that matters; the others hold whatever their column takes. */
function insertRow(store: Store, table: string, column: string, word: string): number {
  const columns = store.all<{ name: string; type: string; pk: number }>(`PRAGMA table_info(${table})`);
  // A single integer key numbers itself.
  const filled = columns.filter(
    ({ pk, type }) => pk === 0 || type !== 'INTEGER' || columns.filter((one) => one.pk).length > 1,
  );
  const values = filled.map(({ name, type }) =>
    name === column ? word : type === 'TEXT' ? crypto.randomUUID() : type === 'BLOB' ? null : nextNumber(),
  );
  const names = filled.map(({ name }) => name).join(', ');
  return store.run(`INSERT INTO ${table} (${names}) VALUES (${values.map(() => '?').join(', ')})`, ...values);
}

for (const [name, { table, column }] of entries) {
  const moves = documentMoves.filter((move) => move.machine === name && move.from !== '(new)');
  const allowed = moves.map(({ from, to }) => `${from}>${to}`);
  const words = [...new Set(allowed.flatMap((move) => move.split('>')))];

  conform(
    'States and transitions',
    `the store lets a ${name} make the moves of the document and no other`,
    async () => {
      const store = openStore(':memory:');
      try {
        store.run('PRAGMA foreign_keys = OFF');
        for (const from of words) {
          for (const to of [...words, 'a word nobody knows'].filter((word) => word !== from)) {
            const rowid = insertRow(store, table, column, from);
            const move = () => store.run(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`, to, rowid);
            if (allowed.includes(`${from}>${to}`)) expect(move, `${from} to ${to}`).not.toThrow();
            else expect(move, `${from} to ${to}`).toThrow(/^no move|cannot store TEXT/);
          }
        }
      } finally {
        store.close();
      }
    },
  );
}
