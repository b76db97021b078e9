/** Columns of a grid that stand for a figure of a report are named after it, so that no field is mistaken for one. */
const PREFIX = 'report.';

export const figureField = (figure: string): string => `${PREFIX}${figure}`;

/** The figure a column of a grid stands for; null for one of the row's own. */
export const figureOfField = (field: string): string | null =>
  field.startsWith(PREFIX) ? field.slice(PREFIX.length) : null;

/** What a report says of rows in one of its figures, by the ids the service gave them: two lists in step. */
export interface FigureColumn {
  readonly remoteIds: readonly string[];
  /** In the smallest step of the figure's unit. */
  readonly values: readonly number[];
}

/** Figures of one row by their columns, in the smallest step of their unit. */
export type Figures = Readonly<Record<string, number>>;
