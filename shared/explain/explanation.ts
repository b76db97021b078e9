/**
 * Where the next step is taken. The window makes a button of each:
 *
 * - `field`: the cell the message is about; `row` the row as a whole
 * - `mend-ids`, `find-items`: the tool for item ids, the item search
 * - `reviews`: the reviews, where one can be cancelled
 * - `refresh`: reading from the service again; `sync`: looking at the plan and sending again
 * - `keys`, `settings`: keys and tokens, settings of the account
 */
export type NextStepTarget =
  | 'field'
  | 'row'
  | 'mend-ids'
  | 'find-items'
  | 'reviews'
  | 'refresh'
  | 'sync'
  | 'keys'
  | 'settings';

/** One message of the service, or several that mean the same, in words a marketer can act on. */
export interface ErrorHelp {
  readonly id: string;
  /** The service's words; `<name>` stands for a value it fills in. */
  readonly says: readonly string[];
  /** Why this is said; `{name}` is replaced by the value of the message. */
  readonly cause: string;
  /** What to do, as a sentence. */
  readonly next: string;
  /** The field it is about, by its name in the model; null for the row as a whole. */
  readonly field: string | null;
  readonly place: NextStepTarget;
}
