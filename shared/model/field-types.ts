import type { Kind } from './kinds.ts';
import type { Cents, Hundredths, PlainDate, RowId, UnknownWord } from './scalars.ts';

/**
 * How one field of a row is declared. The tables in `fields.ts` are the only place that says which fields exist and what
 * each is called: database columns, requests and answers, spreadsheets, searches, the merge, the grid and the form of a
 * new campaign read them there.
 */
export interface FieldSpec extends FieldDetails {
  /** Bit of the field in a row's `dirty` mask. Stored: never renumbered. Service-owned fields have none. */
  readonly bit: number | null;
  readonly type: FieldType;
  /** Who may change the value: the user until the row exists on the service, the user always, or the service alone. */
  readonly owner: 'user' | 'user-until-sent' | 'service';
}

/** What is known about a field beside its type. */
export interface FieldDetails {
  /** What it is called on screen; fields of one name have one label. */
  readonly label: string;
  /** Its column in a spreadsheet, which fields of several kinds may share; none for a field that no spreadsheet has. */
  readonly heading?: string;
  /** The column behind which its own stands, where that is not the order of declaration. */
  readonly after?: string;
  /** Other headings that an import takes for its column, in lower case without blanks and signs. */
  readonly headings?: readonly string[];
  /** Other words for it in a search, in lower case. */
  readonly aliases?: readonly string[];
  /** False for a text that nobody searches by reading: hashes, JSON, addresses of pictures, ids of reviews. */
  readonly search?: false;
  /** The text by which rows of the kind are sorted: its folded form stands in `sort_key`. One field of a kind at most. */
  readonly key?: true;
  readonly wire?: WireSpec;
  /** The form in which two sides are compared, where it is more than a text without needless blanks. */
  readonly canonical?: (text: string | null) => string | null;
  /** The deployment setting with the most characters that it may have, such as `sba.headlineMax`. */
  readonly limit?: `${string}.${string}`;
  readonly grid?: GridSpec;
  /** The part of the form of a new campaign that asks for it. */
  readonly form?: 'campaign' | 'banner';
}

/** How a field is called in requests and answers. What it takes more than a name stands in `plan/wire.ts` and `main/api/parse-record.ts`. */
export interface WireSpec {
  /** Its member in requests; none for what is only read. */
  readonly write?: string;
  /** The one request that carries it, where not both do. */
  readonly on?: 'create' | 'update';
  /** Its other members in answers; the first that is there counts, `write` before them. */
  readonly read?: readonly string[];
  /** No row of the service is without it: null in an answer is no value. */
  readonly isRequired?: true;
}

export interface GridSpec {
  /** In pixels. */
  readonly width?: number;
  /** Explains more than it helps every day; the column menu brings it back. */
  readonly hidden?: true;
  /** Not editable although it is the user's: read from the bytes of a file, or the service's where it has the only file. */
  readonly lock?: 'file' | 'uploaded-elsewhere';
  /** Of a count: shown in the unit a person would use. */
  readonly unit?: 'bytes';
  /** The details of a row have no line for it: another line says it. */
  readonly inDetails?: false;
}

export type FieldType =
  | { readonly is: 'text' }
  | { readonly is: 'money' }
  | { readonly is: 'factor' }
  | { readonly is: 'date' }
  | { readonly is: 'count' }
  /**
   * Stored as the position in `choices`; choices are appended, never reordered. An open one has words of the service,
   * which may learn more of them: a word that is not among the choices is kept as it came.
   */
  | { readonly is: 'choice'; readonly choices: readonly string[]; readonly isOpen: boolean }
  | { readonly is: 'ref'; readonly kind: Kind };

/** What a cell holds, everywhere: text, dates and choices as text; money, factors, counts and refs as integers. */
export type Cell = string | number | null;

/** A cell that has a text; null for one without, and for an empty text. */
export const textOrNull = (cell: unknown): string | null => (typeof cell === 'string' && cell !== '' ? cell : null);

export const text = { is: 'text' } as const;
export const money = { is: 'money' } as const;
export const factor = { is: 'factor' } as const;
export const date = { is: 'date' } as const;
export const count = { is: 'count' } as const;
/** Words of our own, which are all there are. */
export const choice = <const C extends readonly string[]>(...choices: C) =>
  ({ is: 'choice', choices, isOpen: false }) as const;
/** Words of the service, of which this version knows these. */
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

/** Whether a cell holds a word of the service that this version does not know. */
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
