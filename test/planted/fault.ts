/** A fault to plant in the sources, and the tests of which one has to fail with it. */
export interface PlantedFault {
  /** The promise that the fault takes away. */
  readonly name: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly from: string;
  readonly to: string;
  /** Test files, as Vitest takes them. */
  readonly tests: readonly string[];
  /** What the fault takes away, where the name does not say it. */
  readonly takesAway?: string;
  /** The time zone of the computer, where the fault is about it. */
  readonly zone?: string;
}
