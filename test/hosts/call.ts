/** What the calls refer to: rows and grants that the set-up has made. */
export interface Facts {
  readonly workspaceId: string;
  readonly campaign: number;
  readonly logo: number;
  readonly viewId: number;
  readonly mediaGrant: string;
  readonly sheetGrant: string;
  /** Different for every line, where an answer can be given only once. */
  readonly line: string;
}

/**
 * A call of one operation. One that only looks is answered the same, byte for byte, over every line; the others give an
 * answer of the same form.
 */
export interface Call {
  readonly path: string;
  readonly looks: boolean;
  input(facts: Facts): unknown;
}
export const look = (path: string, input: Call['input'] = () => undefined): Call => ({ path, looks: true, input });
export const act = (path: string, input: Call['input']): Call => ({ path, looks: false, input });
export const inside =
  (more: object = {}): Call['input'] =>
  (facts) => ({ workspaceId: facts.workspaceId, ...more });

/** A grant that nobody was given. */
export const NOWHERE = 'f'.repeat(32);
