import type { DeepReadonly, Failure } from '../../shared/api/operation.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import type { RowsPatch } from '../../shared/api/workspace.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import type { AnyValues } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { RemoteId, RowId } from '../../shared/model/scalars.ts';

/** Why a workspace can't be written. */
export type NotWritable = Failure<'NOT_WRITABLE'>;

export interface IntegrityViolation {
  readonly table: string;
  /** The violated invariant, in words. */
  readonly promise: string;
  readonly rows: number;
}

/**
 * A list of edits that is applied completely or not at all, as one undo step. Creates come first, parents before
 * children.
 */
export interface EditBatch {
  readonly label: string;
  readonly source: 'user' | 'import' | 'media' | 'sync' | 'suggestion' | 'team';
  readonly creates?: readonly CreateRow[];
  /** New campaigns and ad groups whose name is taken get a unique one, like copies. */
  readonly keepNamesApart?: true;
  readonly updates?: readonly CellUpdate[];
  readonly deletes?: readonly RowRef[];
  /** Why a row is changed, with the numbers behind it; stored in the history. */
  readonly reasons?: readonly (RowRef & { readonly reason: string; readonly numbers: object })[];
}

export interface CreateRow {
  readonly kind: Kind;
  /** The campaign or ad group of the row; null for campaigns and media. */
  readonly parent: { readonly id: RowId } | { readonly at: number } | null;
  /** Missing fields are null, or the default of their kind (`enabled` for a state). */
  readonly values: AnyValues;
}

export interface CellUpdate extends RowRef {
  readonly field: string;
  readonly value: Cell;
}

/** A row with a warning, and the IDs of its rules. */
export interface WarnedRow extends RowRef {
  readonly rules: readonly string[];
}

export interface EditOutcome extends DeepReadonly<RowsPatch> {
  /** Created rows in the order of `creates`, then updated and deleted ones. */
  readonly touched: readonly RowRef[];
}

/** The outcome of an undo or redo. */
export interface ReplayOutcome extends EditOutcome {
  /** The label of the step. */
  readonly label: string;
  /** Cells that were not changed back, because colleagues have changed them since. */
  readonly stay?: StayingCells;
}

export interface StayingCells {
  readonly cells: number;
  /** The number of changes of the step. */
  readonly of: number;
  /** Names of the colleagues who changed them. */
  readonly by: readonly string[];
}

export type RowNotFound = Failure<'NO_ROW'>;

export type EditProblem = Failure<'NO_ROW' | 'BAD_VALUE'>;

/** One row as read from the service, with its local parents. */
export interface RemoteRow {
  readonly kind: Kind;
  /** Null for multipliers, which the service identifies only by campaign and type. */
  readonly remoteId: RemoteId | null;
  /** Local parents: the campaign, and the ad group for rows below one. */
  readonly campaignId: RowId | null;
  readonly adGroupId: RowId | null;
  /** Only the fields in the response. */
  readonly values: Partial<AnyValues>;
}

/** Tells the user of the entries of a list that only a newer Adslate can read, by their names. */
export type TellUnread = (names: readonly string[]) => void;
