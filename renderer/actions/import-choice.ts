import type { ImportPreview, ImportRow } from '../../shared/contract/exchange.ts';
import { WINDOW_MAX } from '../../shared/contract/scalars.ts';
import type { Client } from '../transport/connection.ts';

/** What becomes of a row that can come in or stay out. */
export type Choosable = Exclude<ImportRow['outcome'], 'unchanged' | 'error'>;
export const CHOOSABLE: readonly Choosable[] = ['added', 'changed', 'removed', 'conflict'];

/** Lines of one outcome: all of them but some, or none but some. */
interface LineChoice {
  readonly all: boolean;
  readonly but: ReadonlySet<number>;
}

/**
 * Which rows of a preview come in. Kept as exceptions, so that taking a million rows off is one step and costs nothing
 * until it is applied.
 */
export type ImportChoice = Readonly<Record<Choosable, LineChoice>>;

const NONE: ReadonlySet<number> = new Set();
const all: LineChoice = { all: true, but: NONE };
const none: LineChoice = { all: false, but: NONE };

/** Everything that is new or changed comes in; what was edited in both places stays as it is here. */
export const AT_FIRST: ImportChoice = { added: all, changed: all, removed: all, conflict: none };

export const isChoosable = (outcome: ImportRow['outcome']): outcome is Choosable =>
  CHOOSABLE.some((each) => each === outcome);

export const comesIn = (choice: ImportChoice, outcome: Choosable, line: number): boolean =>
  choice[outcome].all !== choice[outcome].but.has(line);

export function toggleLine(choice: ImportChoice, outcome: Choosable, line: number): ImportChoice {
  const but = new Set(choice[outcome].but);
  if (!but.delete(line)) but.add(line);
  return { ...choice, [outcome]: { all: choice[outcome].all, but } };
}

/** Takes every row of an outcome in or out, whatever was said of single ones. */
export const setAll = (choice: ImportChoice, outcome: Choosable, isIn: boolean): ImportChoice => ({
  ...choice,
  [outcome]: isIn ? all : none,
});

const countOf = (preview: ImportPreview, outcome: Choosable): number =>
  outcome === 'conflict' ? preview.conflicts : preview[outcome];

/** How many rows of an outcome come in. */
export function countIn(preview: ImportPreview, choice: ImportChoice, outcome: Choosable): number {
  const { all: isIn, but } = choice[outcome];
  return isIn ? countOf(preview, outcome) - but.size : but.size;
}

export const totalIn = (preview: ImportPreview, choice: ImportChoice): number =>
  CHOOSABLE.reduce((sum, outcome) => sum + countIn(preview, choice, outcome), 0);

interface ChosenLines {
  readonly leaveOut: number[];
  readonly take: number[];
}

/** The choice as main takes it: lines to leave out, and lines in conflict that the file decides. */
export async function chosenLines(
  client: Client,
  workspaceId: string,
  previewId: string,
  choice: ImportChoice,
): Promise<ChosenLines> {
  const lines = (outcome: Choosable) => linesOf(client, workspaceId, previewId, outcome);
  const leaveOut: number[] = [];
  for (const outcome of ['added', 'changed', 'removed'] as const) {
    const { all: isIn, but } = choice[outcome];
    leaveOut.push(...(isIn ? but : (await lines(outcome)).filter((line) => !but.has(line))));
  }
  const { all: isIn, but } = choice.conflict;
  return { leaveOut, take: isIn ? (await lines('conflict')).filter((line) => !but.has(line)) : [...but] };
}

async function linesOf(client: Client, workspaceId: string, previewId: string, filter: Choosable): Promise<number[]> {
  const lines: number[] = [];
  for (;;) {
    const wanted = { workspaceId, previewId, filter, from: lines.length, count: WINDOW_MAX };
    const { total, rows } = await client.exchange.rows(wanted);
    for (const { line } of rows) lines.push(line);
    if (rows.length === 0 || lines.length >= total) return lines;
  }
}
