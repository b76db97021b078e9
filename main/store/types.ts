import type { DeepReadonly, Failure } from '../../shared/api/operation.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import type { RowsPatch } from '../../shared/api/workspace.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import type { AnyValues } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { RemoteId, RowId } from '../../shared/model/scalars.ts';

export type { NotWritable } from '../../shared/api/errors.ts';

export interface IntegrityViolation {
  readonly table: string;
  /** Which promise is broken, in words. */
  readonly promise: string;
  readonly rows: number;
}

/** A list of edits that is written whole or not at all, as one undo step. Creates come first, parents before children. */
export interface EditBatch {
  readonly label: string;
  readonly source: 'user' | 'import' | 'media' | 'sync' | 'suggestion' | 'team';
  readonly creates?: readonly CreateRow[];
  /** New campaigns and ad groups whose name is taken where they go get one of their own, as copies do. */
  readonly keepNamesApart?: true;
  readonly updates?: readonly CellUpdate[];
  readonly deletes?: readonly RowRef[];
  /** Why a row is changed, with the numbers behind it; the history keeps them. */
  readonly reasons?: readonly (RowRef & { readonly reason: string; readonly numbers: object })[];
}

export interface CreateRow {
  readonly kind: Kind;
  /** The campaign for what hangs from a campaign, the ad group for what hangs from it; null for campaigns and media. */
  readonly parent: { readonly id: RowId } | { readonly at: number } | null;
  /** Missing fields are null, or the default of their kind (`enabled` for a state). */
  readonly values: AnyValues;
}

export interface CellUpdate extends RowRef {
  readonly field: string;
  readonly value: Cell;
}

export interface EditOutcome extends DeepReadonly<RowsPatch> {
  /** Created rows in the order of `creates`, then updated and deleted ones. */
  readonly touched: readonly RowRef[];
}

/** What an undo or a redo has done. */
export interface ReplayOutcome extends EditOutcome {
  /** The name of the step. */
  readonly label: string;
  /** What was left as it is, because others changed it since. */
  readonly stay?: StayingCells;
}

export interface StayingCells {
  readonly cells: number;
  /** Of so many changes of the step. */
  readonly of: number;
  /** Names of the colleagues who changed them. */
  readonly by: readonly string[];
}

export type RowNotFound = Failure<'NO_ROW'>;

export type EditProblem = Failure<'NO_ROW' | 'BAD_VALUE'>;

/** What a read of the service said about rows of one kind under one parent. */
export interface RemoteRow {
  readonly kind: Kind;
  /** Null for multipliers, which the service knows by campaign and pair alone. */
  readonly remoteId: RemoteId | null;
  /** Local parent: the campaign, or the ad group for what hangs from it. */
  readonly campaignId: RowId | null;
  readonly adGroupId: RowId | null;
  /** Only the fields that the answer had. */
  readonly values: Partial<AnyValues>;
}

export interface MergeOutcome {
  readonly revision: number;
  readonly added: number;
  readonly updated: number;
  readonly conflicts: number;
}
