/** One thing that can go wrong with files, texts, imports, the machine or answers of the service, what happens then, and the case that shows it. */
export interface FaultRow {
  readonly id: string;
  readonly area: 'file' | 'text' | 'import' | 'machine' | 'answer';
  readonly fault: string;
  readonly outcome: string;
  /** The test that shows it: its file, and words of its title. */
  readonly shown: readonly [file: string, title: string];
}

/** The row of a table. */
export const row = (
  id: string,
  area: FaultRow['area'],
  fault: string,
  outcome: string,
  file: string,
  title: string,
): FaultRow => ({ id, area, fault, outcome, shown: [file, title] });
