import type { BulkDone, BulkPreview, BulkScope, BulkTool } from '../../shared/contract/bulk.ts';
import type { RestoreScope } from '../../shared/contract/history.ts';
import type { PastedTable, PastePreview } from '../../shared/contract/paste.ts';
import type { RowRef } from '../../shared/contract/scalars.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import type { AnyValues } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { RemoteId, RowId } from '../../shared/model/scalars.ts';
import type { Result } from '../../shared/result.ts';
import type { Cancelled, NoView, ToolProblem } from './bulk/bulk-rows.ts';
import type { JobOptions } from './bulk/jobs.ts';
import type { Restored, RestoreProblem } from './history/restore.ts';
import type { NoteCommand, NoteProblem } from './notes/note-commands.ts';
import type { OutboxClient } from './outbox/ops.ts';
import type { WorkspaceReads } from './port-reads.ts';
import type { StagedEdit, StagedOutcome, StaleStage } from './staged/staged-edit.ts';

export interface Violation {
  readonly table: string;
  /** Which promise is broken, in words. */
  readonly promise: string;
  readonly rows: number;
}

/** A list of edits that is written whole or not at all, as one undo step. Creates come first, parents before children. */
export interface EditBatch {
  readonly label: string;
  readonly source: 'user' | 'import' | 'media' | 'sync';
  readonly creates?: readonly CreateRow[];
  /** New campaigns and ad groups whose name is taken where they go get one of their own, as copies do. */
  readonly keepNamesApart?: true;
  readonly updates?: readonly CellUpdate[];
  readonly deletes?: readonly RowRef[];
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

export interface EditOutcome {
  readonly revision: number;
  /** Created rows in the order of `creates`, then updated and deleted ones. */
  readonly touched: readonly RowRef[];
}

export interface NoRow {
  readonly kind: 'no-row';
  readonly ref: RowRef;
}

export type EditProblem =
  | NoRow
  | {
      readonly kind: 'bad-value';
      readonly ref: { readonly kind: Kind };
      readonly field: string;
      readonly reason: 'type' | 'choice' | 'owner' | 'unknown-field' | 'parent';
    }
  | NotWritable;

export interface NotWritable {
  readonly kind: 'not-writable';
  /** `failed`: a thread of it has ended; it can be opened anew. */
  readonly why:
    | 'busy-elsewhere'
    | 'disk-full'
    | 'damaged'
    | 'newer-schema'
    | 'read-only'
    /** The user has switched off everything that changes the service. */
    | 'read-only-account'
    | 'folder-moved'
    /** The folder is a copy of one that is still there, and nobody has said which of the two goes on. */
    | 'copied'
    | 'failed';
  readonly detail: string;
}

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

/**
 * One open workspace as the rest of main sees it. Every call is answered by the workspace's worker threads: reads by the
 * reader, everything here by the one writer. An edit is durable when its promise resolves.
 */
export interface Workspace extends WorkspaceReads {
  apply(edit: EditBatch): Promise<Result<EditOutcome, EditProblem>>;
  /** Carries out an edit that lies in a stage file, as one step; refused when the workspace has changed since. */
  applyStaged(edit: StagedEdit): Promise<Result<StagedOutcome, StaleStage | NotWritable>>;
  revert(rows: readonly RowRef[], field: string | null): Promise<Result<EditOutcome, EditProblem>>;
  hold(rows: readonly RowRef[], held: boolean): Promise<Result<EditOutcome, EditProblem>>;
  /** What a bulk tool would do. Windows are answered meanwhile. */
  previewTool(
    scope: BulkScope,
    tool: BulkTool,
    count: number,
  ): Promise<Result<BulkPreview, NoView | ToolProblem | NoRow>>;
  /** Runs a bulk tool as one step; cancelled, it has done nothing. */
  applyTool(
    scope: BulkScope,
    tool: BulkTool,
    label: string,
    job: JobOptions,
  ): Promise<Result<BulkDone, NoView | ToolProblem | EditProblem | Cancelled>>;
  /** What a pasted table would add and change; lines `from` to `from + count` in full. */
  previewPaste(paste: PastedTable, from: number, count: number): Promise<Result<PastePreview, NoRow>>;
  /** Carries out the lines without error that are not in `skip`, as one step. */
  applyPaste(
    paste: PastedTable,
    skip: readonly number[],
    label: string,
    job: JobOptions,
  ): Promise<Result<BulkDone, ToolProblem | EditProblem | Cancelled>>;
  /** Writes a saved view, a label or a comment; answers its id. */
  note(command: NoteCommand): Promise<Result<{ id: number; revision: number }, NoteProblem | NotWritable>>;
  /** Brings back what was there after a step, as a new step. */
  restore(
    to: number,
    scope: RestoreScope,
    label: string,
  ): Promise<Result<Restored & { readonly revision: number }, RestoreProblem | NotWritable>>;
  /** False when no such job is under way. */
  cancelJob(jobId: string): boolean;
  undo(): Promise<Result<EditOutcome, NotWritable | { readonly kind: 'nothing-to-do' }>>;
  redo(): Promise<Result<EditOutcome, NotWritable | { readonly kind: 'nothing-to-do' }>>;

  /** Merges what the service said into the rows, field by field; local edits stay and disagreements become conflicts. */
  mergeRemote(rows: readonly RemoteRow[]): Promise<MergeOutcome>;
  /** Writes fields that only the service or the upload changes (media state, review status), outside the history. */
  setServiceFields(updates: readonly CellUpdate[]): Promise<number>;

  /**
   * Small settings of this workspace that must survive a restart: the rate budget, learned spellings, capabilities.
   * Writing one of `rows/standards.ts` has everything checked again.
   */
  getMeta(key: string): Promise<string | null>;
  setMeta(key: string, value: string): Promise<void>;

  /** What sync asks of the store beyond these calls; each runs in one transaction of the writer. */
  readonly outbox: OutboxClient;
  /** Copies the workspace to a file while it stays in use. The file appears only when the copy has been verified. */
  backup(target: string): Promise<Result<null, NotWritable>>;

  /**
   * Another text whenever a user has edited, undone or noted something since it was asked for last; what the service
   * said and what became of sends does not count.
   */
  editMark(): Promise<string>;

  /** What of its own promises the store finds broken: nothing, unless the file was damaged. */
  verify(): Promise<readonly Violation[]>;

  /**
   * Called after every committed change with the new revision and the kinds it touched. With `only` it is findings that
   * differ, and neither cells nor what belongs to a view that does not ask for findings; told a few times a second at most.
   */
  onChanged(listener: (revision: number, kinds: readonly Kind[], only: 'findings' | null) => void): () => void;
  close(): Promise<void>;
}
