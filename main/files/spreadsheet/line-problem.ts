/** Why a line of a file cannot come in. */
export interface LineProblem {
  /** As a spreadsheet program counts; of an archive the line of its rows. */
  readonly line: number;
  /** Empty when it is the line as a whole. */
  readonly column: string;
  readonly message: string;
}
