/**
 * The branded scalars of the domain. A brand has no cost at run time and prevents passing a row ID as the service's
 * own ID, or cents as hundredths of a percent.
 */
declare const brand: unique symbol;
type Branded<T, Name extends string> = T & { readonly [brand]: Name };

/** Money in minor units of the account's currency (US cents). Always an integer. */
export type Cents = Branded<number, 'Cents'>;
/** A bid multiplier in hundredths of a percent: 12.34 % is 1234. Always an integer. */
export type Hundredths = Branded<number, 'Hundredths'>;
/** Local row number: positive, below 2^31, never reused, never sent to the service. */
export type RowId = Branded<number, 'RowId'>;
/** An ID of the service. Text, because the service's IDs may exceed 2^53. */
export type RemoteId = Branded<string, 'RemoteId'>;
/** A calendar date `yyyy-MM-dd` in the business zone of the deployment; never an instant. */
export type PlainDate = Branded<string, 'PlainDate'>;
/** Name of one workspace (one advertiser account on one deployment) inside a data folder. */
export type WorkspaceId = Branded<string, 'WorkspaceId'>;

/** A word of the service that this version does not know, unchanged. */
export type UnknownWord = Branded<string, 'UnknownWord'>;

export const asRowId = (value: number): RowId => value as RowId;
export const asWorkspaceId = (value: string): WorkspaceId => value as WorkspaceId;

const DIGITS = /^\d{1,19}$/;

/**
 * Parses an ID of the service, which may be a number or text in a response.
 *
 * @returns null for the values the service uses for "none": missing, `0`, `"0"`
 * @see wire shapes, section 2: ids are 64-bit, never a float
 */
export function remoteId(text: string | null | undefined): RemoteId | null {
  if (text === null || text === undefined) return null;
  const digits = text.trim();
  if (!DIGITS.test(digits)) return null;
  const plain = digits.replace(/^0+/, '');
  return plain === '' ? null : (plain as RemoteId);
}
