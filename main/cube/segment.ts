/**
 * One source of metrics on one day: which entities have rows, and their metrics column by column, all as whole numbers.
 *
 *   header   magic, version, columns, rows, first id, width and offset of the gaps
 *   columns  metric, kind, width, count, offset; 20 bytes each
 *   gaps     from each id to the next
 *   values   nothing: all are zero | dense: one a row | sparse: places, then values
 *
 * Numbers are read in place, as typed arrays of the narrowest sufficient width. All machines that Electron runs on are
 * little-endian.
 */
const MAGIC = 0x47534441; // "ADSG"
const VERSION = 1;
const HEADER_BYTES = 32;
const COLUMN_BYTES = 20;
const KINDS = { nothing: 0, dense: 1, sparse: 2 } as const;

type Numbers = Int8Array | Int16Array | Int32Array | Float64Array;

export interface Column {
  readonly metric: number;
  /** Row positions of the values; null for one value per row. */
  readonly at: Uint32Array | null;
  /** Empty if all are zero. */
  readonly values: Numbers;
}

export interface Segment {
  readonly rows: number;
  /** Ascending and unique. */
  readonly ids: Uint32Array;
  readonly columns: readonly Column[];
}

/** Rows of one day before packing, in any order; several rows of one entity are merged. */
export interface SegmentRows {
  readonly ids: Uint32Array;
  readonly columns: readonly { readonly metric: number; readonly values: WholeNumbers; readonly adds: boolean }[];
}
type WholeNumbers = Int32Array | Float64Array;

const WIDTHS = [
  { width: 1, max: 0x7f, make: Int8Array },
  { width: 2, max: 0x7fff, make: Int16Array },
  { width: 4, max: 0x7fffffff, make: Int32Array },
] as const;
const EXACT = { width: 8, make: Float64Array } as const;
const widthOf = (most: number) => WIDTHS.find(({ max }) => most <= max) ?? EXACT;
const aligned = (bytes: number): number => Math.ceil(bytes / 8) * 8;

export function encodeSegment(given: SegmentRows): Uint8Array {
  const { ids, columns } = inOrder(given);
  const rows = ids.length;
  let widest = 0;
  for (let at = 1; at < rows; at++) widest = Math.max(widest, (ids[at] ?? 0) - (ids[at - 1] ?? 0));
  const gaps = widthOf(widest);
  const plans = columns.map(({ metric, values }) => ({ metric, values, ...planOf(values) }));
  let offset = aligned(HEADER_BYTES + COLUMN_BYTES * plans.length);
  const gapsAt = offset;
  offset += aligned(rows * gaps.width);
  const placed = plans.map((plan) => {
    const at = offset;
    offset += plan.bytes;
    return { ...plan, offset: at };
  });
  const bytes = new Uint8Array(offset);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint16(4, VERSION, true);
  view.setUint16(6, placed.length, true);
  view.setUint32(8, rows, true);
  view.setUint32(12, ids[0] ?? 0, true);
  view.setUint32(16, gaps.width, true);
  view.setUint32(20, gapsAt, true);
  const gapValues = new gaps.make(bytes.buffer, gapsAt, rows);
  for (let at = 1; at < rows; at++) gapValues[at] = (ids[at] ?? 0) - (ids[at - 1] ?? 0);
  for (const [index, { metric, kind, width, count, offset: from, values }] of placed.entries()) {
    const at = HEADER_BYTES + COLUMN_BYTES * index;
    view.setUint32(at, metric, true);
    view.setUint16(at + 4, kind, true);
    view.setUint16(at + 6, width.width, true);
    view.setUint32(at + 8, count, true);
    view.setUint32(at + 12, from, true);
    if (kind === KINDS.nothing) continue;
    const places = kind === KINDS.sparse ? new Uint32Array(bytes.buffer, from, count) : null;
    const packed = new width.make(bytes.buffer, from + (places === null ? 0 : aligned(4 * count)), count);
    if (places === null) packed.set(values);
    else {
      let to = 0;
      for (let row = 0; row < rows; row++) {
        const value = values[row] ?? 0;
        if (value === 0) continue;
        places[to] = row;
        packed[to++] = value;
      }
    }
  }
  return bytes;
}

function planOf(values: WholeNumbers) {
  let most = 0;
  let count = 0;
  for (const value of values) {
    if (value !== 0) count++;
    // A negative number gets the width of its absolute value, which is one step too wide only for the lowest number.
    if (value > most || -value > most) most = Math.abs(value);
  }
  const width = widthOf(most);
  if (count === 0) return { kind: KINDS.nothing, width, count: 0, bytes: 0 };
  const dense = aligned(values.length * width.width);
  const sparse = aligned(4 * count) + aligned(count * width.width);
  return sparse < dense
    ? { kind: KINDS.sparse, width, count, bytes: sparse }
    : { kind: KINDS.dense, width, count: values.length, bytes: dense };
}

/** Sorts by unique ID: values of one entity are added up; of values that don't add up the largest is used. */
function inOrder({ ids, columns }: SegmentRows): SegmentRows {
  let isOrdered = true;
  for (let at = 1; at < ids.length && isOrdered; at++) isOrdered = (ids[at - 1] ?? 0) < (ids[at] ?? 0);
  if (isOrdered) return { ids, columns };
  const order = Uint32Array.from(ids.keys()).sort((a, b) => (ids[a] ?? 0) - (ids[b] ?? 0) || a - b);
  const unique = new Uint32Array(new Set(ids).size);
  const places = new Uint32Array(ids.length);
  let last = -1;
  for (const row of order) {
    if (last < 0 || unique[last] !== ids[row]) unique[++last] = ids[row] ?? 0;
    places[row] = last;
  }
  const summed = columns.map(({ metric, values, adds }) => {
    const into = new Float64Array(unique.length);
    for (let row = 0; row < ids.length; row++) {
      const [place, value] = [places[row] ?? 0, values[row] ?? 0];
      into[place] = adds ? (into[place] ?? 0) + value : Math.max(into[place] ?? 0, value);
    }
    return { metric, values: into, adds };
  });
  return { ids: unique, columns: summed };
}

/** @returns null for bytes that are no segment of this version */
export function decodeSegment(content: Uint8Array | null): Segment | null {
  if (content === null) return null;
  // Numbers can be read in place only if the content starts at a multiple of eight.
  const bytes = content.byteOffset % 8 === 0 ? content : content.slice();
  if (bytes.length < HEADER_BYTES) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getUint32(0, true) !== MAGIC || view.getUint16(4, true) !== VERSION) return null;
  const count = view.getUint16(6, true);
  const rows = view.getUint32(8, true);
  const numbers = (width: number, offset: number, length: number): Numbers => {
    const { make } = [...WIDTHS, EXACT].find((each) => each.width === width) ?? EXACT;
    return new make(bytes.buffer as ArrayBuffer, bytes.byteOffset + offset, length);
  };
  const gaps = numbers(view.getUint32(16, true), view.getUint32(20, true), rows);
  const ids = new Uint32Array(rows);
  let id = view.getUint32(12, true);
  for (let at = 0; at < rows; at++) {
    id += gaps[at] ?? 0;
    ids[at] = id;
  }
  const columns = Array.from({ length: count }, (_, index): Column => {
    const at = HEADER_BYTES + COLUMN_BYTES * index;
    const [metric, kind] = [view.getUint32(at, true), view.getUint16(at + 4, true)];
    const [width, length, offset] = [
      view.getUint16(at + 6, true),
      view.getUint32(at + 8, true),
      view.getUint32(at + 12, true),
    ];
    if (kind === KINDS.nothing) return { metric, at: null, values: new Int8Array(0) };
    if (kind === KINDS.dense) return { metric, at: null, values: numbers(width, offset, length) };
    const places = new Uint32Array(bytes.buffer, bytes.byteOffset + offset, length);
    return { metric, at: places, values: numbers(width, offset + aligned(4 * length), length) };
  });
  return { rows, ids, columns };
}

/** Frees memory at once. Memory outside of the heap is otherwise collected late. */
export const release = ({ buffer }: { readonly buffer: ArrayBufferLike }): void => {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
};

/** Adds a column to sums by entity, each value times `weight`. */
export function addColumn({ ids }: Segment, { at, values }: Column, into: Float64Array, weight = 1): void {
  if (at === null) {
    for (let row = 0; row < values.length; row++) {
      const id = ids[row] ?? 0;
      into[id] = (into[id] ?? 0) + weight * (values[row] ?? 0);
    }
    return;
  }
  for (let place = 0; place < values.length; place++) {
    const id = ids[at[place] ?? 0] ?? 0;
    into[id] = (into[id] ?? 0) + weight * (values[place] ?? 0);
  }
}

export function sumOf({ values }: Pick<Column, 'values'>): number {
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += values[at] ?? 0;
  return sum;
}

/** The value of the row at a position. */
export function valueAt({ at, values }: Column, place: number): number {
  if (at === null) return values[place] ?? 0;
  const found = placeIn(at, place);
  return found < 0 ? 0 : (values[found] ?? 0);
}

/** A column with a value for every row. */
export function denseValues({ rows }: Segment, { at, values }: Column): Float64Array {
  const dense = new Float64Array(rows);
  if (at === null) dense.set(values);
  else for (const [place, row] of at.entries()) dense[row] = values[place] ?? 0;
  return dense;
}

/** The position of an entity among the rows of a day; negative if it has none. */
export const placeOf = ({ ids }: Segment, id: number): number => placeIn(ids, id);

function placeIn(ascending: Uint32Array, wanted: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = ascending[middle] ?? 0;
    if (found === wanted) return middle;
    if (found < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
