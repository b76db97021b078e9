import type { Kind } from './kinds.ts';
import type { Cents, Hundredths, PlainDate, RowId, UnknownWord } from './scalars.ts';

/**
 * The declaration of one field of a row. The tables in `fields.ts` are the only place that lists the fields and their
 * names: database columns, requests and responses, spreadsheets, searches, the merge, the grid and the form of a new
 * campaign derive from them.
 */
export interface FieldSpec extends FieldDetails {
  /** Bit of the field in a row's `dirty` mask. Stored: never renumbered. Service-owned fields have none. */
  readonly bit: number | null;
  readonly type: FieldType;
  /** Who may change the value: the user until the row exists on the service, the user always, or only the service. */
  readonly owner: 'user' | 'user-until-sent' | 'service';
}

/** Details of a field besides its type. */
export interface FieldDetails {
  /** Its label on screen; fields of one name have one label. */
  readonly label: string;
  /** Its column in a spreadsheet, which fields of several kinds may share; absent for a field without a column. */
  readonly heading?: string;
  /** The column that precedes its own, if not in the order of declaration. */
  readonly after?: string;
  /** Other headings that an import accepts for its column, in lower case without spaces and symbols. */
  readonly headings?: readonly string[];
  /** Other words for it in a search, in lower case. */
  readonly aliases?: readonly string[];
  /** False for texts that are not searched: hashes, JSON, URLs of pictures, IDs of reviews. */
  readonly search?: false;
  /** The text by which rows of the kind are sorted: `sort_key` has its folded form. At most one field of a kind. */
  readonly key?: true;
  readonly wire?: WireSpec;
  /** The form in which two sides are compared, where it is more than a text without needless blanks. */
  readonly canonical?: (text: string | null) => string | null;
  /** The deployment setting with the most characters that it may have, such as `sba.headlineMax`. */
  readonly limit?: `${string}.${string}`;
  readonly grid?: GridSpec;
  /** The part of the form of a new campaign with this field. */
  readonly form?: 'campaign' | 'banner';
}

/** Names of a field in requests and responses. Anything more than a name is in `plan/wire.ts` and `main/api/parse-record.ts`. */
export interface WireSpec {
  /** Its member in requests; absent for a read-only field. */
  readonly write?: string;
  /** The one request that has it, if not both do. */
  readonly on?: 'create' | 'update';
  /** Other members in responses; the first one present is read, after `write`. */
  readonly read?: readonly string[];
  /** Every row of the service has a value: null in a response is invalid. */
  readonly isRequired?: true;
}

export interface GridSpec {
  /** In pixels. */
  readonly width?: number;
  /** Hidden by default; the column menu shows it. */
  readonly hidden?: true;
  /** Not editable although the user owns it: read from the bytes of a file, or set by the service where it has the only file. */
  readonly lock?: 'file' | 'uploaded-elsewhere';
  /** Unit in which a count is displayed. */
  readonly unit?: 'bytes';
  /** Has no line in the details of a row, because another line shows it. */
  readonly inDetails?: false;
}

export type FieldType =
  | { readonly is: 'text' }
  | { readonly is: 'money' }
  | { readonly is: 'factor' }
  | { readonly is: 'date' }
  | { readonly is: 'count' }
  /**
   * Stored as the index in `choices`; choices are appended, never reordered. An open one has words of the service,
   * which may add more: a word that is not among the choices is stored unchanged.
   */
  | { readonly is: 'choice'; readonly choices: readonly string[]; readonly isOpen: boolean }
  | { readonly is: 'ref'; readonly kind: Kind };

/** The value of a cell, everywhere: text, dates and choices as text; money, factors, counts and refs as integers. */
export type Cell = string | number | null;

/** A cell that has a text; null for one without, and for an empty text. */
export const textOrNull = (cell: unknown): string | null => (typeof cell === 'string' && cell !== '' ? cell : null);

export const text = { is: 'text' } as const;
export const money = { is: 'money' } as const;
export const factor = { is: 'factor' } as const;
export const date = { is: 'date' } as const;
export const count = { is: 'count' } as const;
/** A complete list of words of ours. */
export const choice = <const C extends readonly string[]>(...choices: C) =>
  ({ is: 'choice', choices, isOpen: false }) as const;
/** Words of the service known to this version; the service may have others. */
export const word = <const C extends readonly string[]>(...choices: C) =>
  ({ is: 'choice', choices, isOpen: true }) as const;
export const ref = (kind: Kind) => ({ is: 'ref', kind }) as const;

/** A field the user edits. */
export const user = <const T extends FieldType, const D extends FieldDetails>(bit: number, type: T, details: D) =>
  ({ bit, type, owner: 'user', ...details }) as const;
/** A field that is fixed once the row exists on the service. */
export const once = <const T extends FieldType, const D extends FieldDetails>(bit: number, type: T, details: D) =>
  ({ bit, type, owner: 'user-until-sent', ...details }) as const;
/** A field only the service changes. */
export const service = <const T extends FieldType, const D extends FieldDetails>(type: T, details: D) =>
  ({ bit: null, type, owner: 'service', ...details }) as const;

/** Whether a cell has a word of the service that this version does not know. */
export const isUnknownWord = (spec: FieldSpec | undefined, cell: Cell | undefined): cell is UnknownWord =>
  spec?.type.is === 'choice' && spec.type.isOpen && typeof cell === 'string' && !spec.type.choices.includes(cell);

/** The TypeScript type of a cell of this field type. */
export type CellOf<T extends FieldType> = T extends { readonly is: 'text' }
  ? string | null
  : T extends { readonly is: 'money' }
    ? Cents | null
    : T extends { readonly is: 'factor' }
      ? Hundredths | null
      : T extends { readonly is: 'date' }
        ? PlainDate | null
        : T extends { readonly is: 'count' }
          ? number | null
          : T extends {
                readonly is: 'choice';
                readonly choices: infer C extends readonly string[];
                readonly isOpen: infer Open extends boolean;
              }
            ? C[number] | (Open extends true ? UnknownWord : never) | null
            : RowId | null;
