/** Bytes, and a number of files. */
export interface Budget {
  readonly unpacked: number;
  readonly packed: number;
  readonly files: number;
}
export const BUDGET: Budget;
export function packageWeb(
  target: string,
  budget?: Budget,
): Budget & { readonly file: string; readonly folder: string; readonly problems: readonly string[] };
export function packageWebNow(): Promise<number>;
