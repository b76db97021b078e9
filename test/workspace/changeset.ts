/**
 * Reads a changeset of SQLite's session extension: which columns of which rows an update changed. The format is the
 * one of `sqlite3session.h`: per table `T`, number of columns, a flag per key column and the name; then per change an
 * operation, a flag, and the records before and after, a type byte and a value per column.
 */
export interface ChangedCell {
  readonly table: string;
  readonly id: number;
  /** Position of the column in its table. */
  readonly column: number;
}

const UPDATE = 23;

export function changedCells(changeset: Uint8Array): readonly ChangedCell[] {
  const view = new DataView(changeset.buffer, changeset.byteOffset, changeset.byteLength);
  const cells: ChangedCell[] = [];
  let at = 0;
  let table = '';
  let columns = 0;
  const varint = (): number => {
    let value = 0;
    for (let i = 0; i < 9; i++) {
      const byte = view.getUint8(at++);
      value = value * 128 + (byte & 127);
      if (byte < 128) break;
    }
    return value;
  };
  /** The values of a record: `undefined` where it has none; texts are skipped, since only ids are asked for. */
  const record = (): (number | null | 'text' | undefined)[] =>
    Array.from({ length: columns }, () => {
      const type = view.getUint8(at++);
      if (type === 0) return undefined;
      if (type === 5) return null;
      if (type === 1 || type === 2) {
        const value = type === 1 ? Number(view.getBigInt64(at)) : view.getFloat64(at);
        at += 8;
        return value;
      }
      const length = varint();
      at += length;
      return 'text';
    });
  while (at < changeset.length) {
    if (view.getUint8(at) === 'T'.charCodeAt(0)) {
      at++;
      columns = varint();
      at += columns;
      const end = changeset.indexOf(0, at);
      table = new TextDecoder().decode(changeset.subarray(at, end));
      at = end + 1;
      continue;
    }
    const operation = view.getUint8(at);
    at += 2;
    if (operation !== UPDATE) {
      // Rows that came or left have one record.
      record();
      continue;
    }
    const before = record();
    const after = record();
    after.forEach((value, column) => {
      if (value !== undefined) cells.push({ table, id: Number(before[0]), column });
    });
  }
  return cells;
}
