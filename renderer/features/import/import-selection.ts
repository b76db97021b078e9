import type { ImportPreview, ImportRow } from '../../../shared/api/files.ts';

/** Outcome of a row that can be imported or skipped. */
export type Choosable = Exclude<ImportRow['outcome'], 'unchanged' | 'error'>;
export const CHOOSABLE: readonly Choosable[] = ['added', 'changed', 'removed', 'conflict'];

/** The user's choice for a single row. */
interface SingleRow {
  /** The row's outcome; null if all its changes are in skipped columns. */
  readonly outcome: Choosable | null;
  readonly isIn: boolean;
}

/**
 * The rows of a preview to import: a default per outcome, and exceptions for single rows. Deselecting a million rows is
 * one step, and main, which has the rows, needs no list of them.
 */
export interface ImportSelection {
  readonly comeIn: Readonly<Record<Choosable, boolean>>;
  /** Keyed by line. */
  readonly single: ReadonlyMap<number, SingleRow>;
}

/** Imports all new, changed and removed rows; conflicts keep the value here. */
export const DEFAULT_SELECTION: ImportSelection = {
  comeIn: { added: true, changed: true, removed: true, conflict: false },
  single: new Map(),
};

export const isChoosable = (outcome: ImportRow['outcome']): outcome is Choosable =>
  CHOOSABLE.some((each) => each === outcome);

export const isSelected = ({ comeIn, single }: ImportSelection, outcome: Choosable, line: number): boolean =>
  single.get(line)?.isIn ?? comeIn[outcome];

export function toggleLine(choice: ImportSelection, outcome: Choosable, line: number): ImportSelection {
  const single = new Map(choice.single);
  single.set(line, { outcome, isIn: !isSelected(choice, outcome, line) });
  return { ...choice, single };
}

/** Selects or deselects all rows of an outcome, including single choices. */
export function setAll({ comeIn, single }: ImportSelection, outcome: Choosable, isIn: boolean): ImportSelection {
  const others = [...single].filter(([, row]) => row.outcome !== outcome);
  return { comeIn: { ...comeIn, [outcome]: isIn }, single: new Map(others) };
}

/**
 * The selection after columns were skipped: choices for single rows are kept, whatever their new outcome.
 *
 * @param lines lines with a new outcome
 * @param becoming the outcomes, in the order of `lines`
 */
export function updateSelection(
  { comeIn, single }: ImportSelection,
  lines: readonly number[],
  becoming: readonly (Choosable | null)[],
): ImportSelection {
  const sorted = new Map(single);
  for (const [at, line] of lines.entries()) {
    const row = single.get(line);
    if (row !== undefined) sorted.set(line, { ...row, outcome: becoming[at] ?? null });
  }
  return { comeIn, single: sorted };
}

export const singleLines = ({ single }: ImportSelection): number[] => [...single.keys()];

const countOf = (preview: ImportPreview, outcome: Choosable): number =>
  outcome === 'conflict' ? preview.conflicts : preview[outcome];

export function countIn(preview: ImportPreview, { comeIn, single }: ImportSelection, outcome: Choosable): number {
  const usual = comeIn[outcome];
  const others = [...single.values()].filter((row) => row.outcome === outcome && row.isIn !== usual).length;
  return usual ? countOf(preview, outcome) - others : others;
}

export const totalIn = (preview: ImportPreview, choice: ImportSelection): number =>
  CHOOSABLE.reduce((sum, outcome) => sum + countIn(preview, choice, outcome), 0);

export function chosenRows({ comeIn, single }: ImportSelection) {
  const lines = (isIn: boolean): number[] => [...single].flatMap(([line, row]) => (row.isIn === isIn ? [line] : []));
  return { comeIn: CHOOSABLE.filter((outcome) => comeIn[outcome]), leaveOut: lines(false), take: lines(true) };
}
