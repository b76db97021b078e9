import type { ImportPreview, ImportRow } from '../../../shared/api/files.ts';

/** What becomes of a row that can come in or stay out. */
export type Choosable = Exclude<ImportRow['outcome'], 'unchanged' | 'error'>;
export const CHOOSABLE: readonly Choosable[] = ['added', 'changed', 'removed', 'conflict'];

/** What was said of a row by itself. */
interface SingleRow {
  /** What becomes of it; null while all it would do stands in columns that are left out. */
  readonly outcome: Choosable | null;
  readonly isIn: boolean;
}

/**
 * Which rows of a preview come in: by what becomes of them, and single ones otherwise. So taking a million rows off is one
 * step, and main, which has the rows, needs no list of them.
 */
export interface ImportSelection {
  readonly comeIn: Readonly<Record<Choosable, boolean>>;
  /** By line. */
  readonly single: ReadonlyMap<number, SingleRow>;
}

/** Everything that is new or changed comes in; what was edited in both places stays as it is here. */
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

/** Takes every row of an outcome in or out, whatever was said of single ones. */
export function setAll({ comeIn, single }: ImportSelection, outcome: Choosable, isIn: boolean): ImportSelection {
  const others = [...single].filter(([, row]) => row.outcome !== outcome);
  return { comeIn: { ...comeIn, [outcome]: isIn }, single: new Map(others) };
}

/**
 * The same wishes after columns were chosen: what was said of a row stays said, whatever becomes of it by now.
 *
 * @param lines those of which it is known what becomes of them now, which `becoming` says in this order
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
