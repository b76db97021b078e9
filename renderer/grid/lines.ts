/** The groups of a view: the index of each one's first row, and the key its rows share, in two parallel lists. */
export interface Outline {
  readonly from: readonly number[];
  readonly keys: readonly number[];
  /** True while later groups have not loaded: the last known one is treated as reaching the end of the view. */
  readonly isOpen?: boolean;
}

/** One line of the grid: a group header, or a row by its index in the view. */
export type Line = { readonly is: 'group'; readonly group: number } | { readonly is: 'row'; readonly row: number };

/**
 * The lines of a grid. Without groups each row is a line. With groups each group has a header line, and rows of folded
 * groups have no lines.
 */
export interface Lines {
  readonly length: number;
  readonly groups: number;
  readonly at: (line: number) => Line;
  /** The line of a row; if its group is folded, the line of the group's header. */
  readonly ofRow: (row: number) => number;
  readonly ofGroup: (group: number) => number;
  /** The rows of a group, folded or not. */
  readonly rowsOf: (group: number) => { readonly from: number; readonly count: number };
  /** Number of rows in a group; null until it has loaded. */
  readonly countOf: (group: number) => number | null;
  readonly isFolded: (group: number) => boolean;
}

export const plainLines = (rows: number): Lines => ({
  length: rows,
  groups: 0,
  at: (row) => ({ is: 'row', row }),
  ofRow: (row) => row,
  ofGroup: () => 0,
  rowsOf: () => ({ from: 0, count: 0 }),
  countOf: () => 0,
  isFolded: () => false,
});

/** @param rows number of rows in the view */
export function groupedLines(
  { from, keys, isOpen = false }: Outline,
  rows: number,
  folded: ReadonlySet<number>,
): Lines {
  // The line of each group's header.
  const heads = new Int32Array(from.length + 1);
  const end = (group: number): number => from[group + 1] ?? rows;
  const count = (group: number): number => Math.max(0, end(group) - (from[group] ?? 0));
  const isFolded = (group: number): boolean => folded.has(keys[group] ?? -1);
  for (let group = 0; group < from.length; group += 1) {
    heads[group + 1] = (heads[group] ?? 0) + 1 + (isFolded(group) ? 0 : count(group));
  }
  return {
    length: heads[from.length] ?? 0,
    groups: from.length,
    at: (line) => {
      const group = lastAtMost(heads.subarray(0, from.length), line);
      const below = line - (heads[group] ?? 0);
      return below === 0 ? { is: 'group', group } : { is: 'row', row: (from[group] ?? 0) + below - 1 };
    },
    ofRow: (row) => {
      const group = lastAtMost(from, row);
      const head = heads[group] ?? 0;
      return isFolded(group) ? head : head + 1 + row - (from[group] ?? 0);
    },
    ofGroup: (group) => heads[group] ?? 0,
    rowsOf: (group) => ({ from: from[group] ?? 0, count: count(group) }),
    countOf: (group) => (isOpen && group === from.length - 1 ? null : count(group)),
    isFolded,
  };
}

/** Index of the last of ascending numbers that is at most `wanted`; 0 if all are greater. */
function lastAtMost(numbers: ArrayLike<number>, wanted: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((numbers[middle] ?? 0) <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}
