/**
 * Sheets that are wrong in one way each, and what an import makes of them. The account they are imported into has the
 * campaign "Spring" (sponsored products, manual) with the ad group "Main" and the keyword "tea" (exact, 1.00).
 */
export interface BadSheet {
  /** The row of the table of faults, or a number of our own. */
  readonly id: string;
  readonly what: string;
  /** Made when it is asked for: some are large. */
  readonly content: string | Buffer | (() => Buffer);
  readonly expect:
    | { readonly refused: string }
    | { readonly error: readonly [line: number, message: RegExp]; readonly others?: number }
    | { readonly unknown: readonly string[] }
    | { readonly formulas: number; readonly added: number }
    | { readonly fine: { readonly added?: number; readonly changed?: number; readonly unchanged?: number } };
}

export const HEAD = 'Type,Campaign,Ad group,Keyword,Match type,Bid';
export const keyword = (text: string, bid = '1.00', match = 'exact'): string =>
  `keyword,Spring,Main,${text},${match},${bid}`;
export const sheet = (...rows: readonly string[]): string => [HEAD, ...rows].join('\n');
export const item = (id: string): string => `Type,Campaign,Ad group,Item id,Bid\nad item,Spring,Main,${id},0.60`;
export const campaign = (cells: string, columns: string): string => `Type,Campaign,${columns}\ncampaign,New,${cells}`;
