import type { Kind } from './kinds.ts';
import type { Cents, Hundredths, PlainDate, RowId, UnknownWord } from './scalars.ts';

/**
 * How one field of a row is declared. The tables in `fields.ts` are the only place that says which fields
 * exist: the database columns, the contract, the grid, the sheet and the three-way merge read them there.
 */
export interface FieldSpec {
  /** Bit of the field in a row's `dirty` mask. Stored: never renumbered. Service-owned fields have none. */
  readonly bit: number | null;
  readonly type: FieldType;
  /** Who may change the value: the user until the row exists on the service, the user always, or the service alone. */
  readonly owner: 'user' | 'user-until-sent' | 'service';
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
export const user = <const T extends FieldType>(bit: number, type: T) => ({ bit, type, owner: 'user' }) as const;
/** A field that is fixed once the row exists on the service. */
export const once = <const T extends FieldType>(bit: number, type: T) =>
  ({ bit, type, owner: 'user-until-sent' }) as const;
/** A field only the service changes. */
export const service = <const T extends FieldType>(type: T) => ({ bit: null, type, owner: 'service' }) as const;

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
