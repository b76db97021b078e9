import type { BulkDone, BulkPreview, BulkScope, BulkTool } from '../../shared/contract/bulk.ts';
import type { ChangeLane } from '../../shared/contract/change-lane.ts';
import type { Duplicates } from '../../shared/contract/duplicates.ts';
import type { RestoreScope } from '../../shared/contract/history.ts';
import type { KnownId } from '../../shared/contract/known.ts';
import type { Comment, Label } from '../../shared/contract/notes.ts';
import type { PastedTable, PastePreview } from '../../shared/contract/paste.ts';
import type { RowRef } from '../../shared/contract/scalars.ts';
import type { Rejection } from '../../shared/contract/verdicts.ts';
import type { SavedView, ViewGroup, ViewTotal } from '../../shared/contract/views.ts';
import type { RowDetail, ViewSpec, WindowRow, WorkspaceSummary } from '../../shared/contract/workspace.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import type { AnyValues } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { AnyRow, Row } from '../../shared/model/row.ts';
import type { RemoteId, RowId } from '../../shared/model/scalars.ts';
import type { FigureColumn } from '../../shared/reports/figure-column.ts';
import type { Result } from '../../shared/result.ts';
import type { Finding, FindingCounts } from '../../shared/rules/finding.ts';
import type { BulkRows, Cancelled, NoView, ToolProblem } from './bulk/bulk-rows.ts';
import type { JobOptions } from './bulk/jobs.ts';
import type { Subtrees } from './bulk/subtrees.ts';
import type { ComparePage } from './history/compare.ts';
import type { NoMoment } from './history/moments.ts';
import type { LogFilter, LogPage } from './history/read-log.ts';
import type { Restored, RestoreProblem } from './history/restore.ts';
import type { NoteCommand, NoteProblem } from './notes/note-commands.ts';
import type { OutboxClient } from './outbox/ops.ts';
import type { ChangesPage } from './reader/changes.ts';
import type { DuplicateSearch } from './reader/duplicates.ts';
import type { ViewCounts } from './reader/view-counts.ts';
import type { NoColumn, TextWish, ViewText } from './reader/view-text.ts';
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

/** A label with the rows that carry it, kind by kind. */
export interface LabelledRows {
  readonly name: string;
  readonly color: string;
  readonly rows: readonly BulkRows[];
}

export interface FindingsPage {
  readonly total: number;
  readonly counts: FindingCounts;
  readonly findings: readonly (Finding & { readonly label: string; readonly campaignName: string })[];
}

export interface HistoryStep {
  readonly id: number;
  readonly label: string;
  readonly at: number;
  readonly rows: number;
  readonly undone: boolean;
  readonly source: string;
  /** Name of the system's user who did it; empty for a sync, and where nobody has noted it. */
  readonly who: string;
  /** The step before it, as a moment to go back to; 0 for the oldest. */
  readonly previous: number;
}

export interface OpeningWish {
  /** The rows that come along at once; none without it. */
  readonly window?: { readonly from: number; readonly count: number };
  /** Says what the report of the view holds in a figure it is sorted by; null when it is not kept any more. */
  readonly figures?: (figure: string) => Promise<FigureColumn | null>;
}

/** A view that was just opened, with the rows that were asked for together with it. */
export interface OpenedView {
  readonly viewId: number;
  readonly length: number;
  readonly revision: number;
  readonly rows: WindowRow[];
}

/**
 * One open workspace as the rest of main sees it. Every call is answered by the workspace's worker threads:
 * writes by the one writer, views and reads by the reader, so that reading never waits for a bulk edit.
 * An edit is durable when its promise resolves.
 */
export interface Workspace {
  summary(): Promise<WorkspaceSummary>;
  openView(spec: ViewSpec, wish?: OpeningWish): Promise<Result<OpenedView, { at: number; problem: string }>>;
  readWindow(
    viewId: number,
    from: number,
    count: number,
  ): Promise<{ rows: WindowRow[]; length: number; revision: number; stale: boolean } | null>;
  /** Rows of a view as lines of text; null when it is not open. */
  viewText(viewId: number, from: number, count: number, wish: TextWish): Promise<Result<ViewText, NoColumn> | null>;
  closeView(viewId: number): Promise<void>;
  rowDetail(ref: RowRef): Promise<RowDetail | null>;
  /** What is said about these rows, in no order. Windows are answered meanwhile. */
  rowFindings(kind: Kind, ids: readonly RowId[]): Promise<readonly Finding[]>;
  readRow(ref: RowRef): Promise<AnyRow | null>;
  /**
   * Ids of campaigns in order, to read a large account a part at a time. `told` are those that a file of changes tells
   * of: changed ones, and those with comments.
   */
  campaignIds(which: 'all' | 'changed' | 'told'): Promise<readonly RowId[]>;
  /** Whole campaigns with all that hangs from them, by id order. */
  readTrees(which: 'all' | 'changed' | readonly RowId[]): Promise<readonly CampaignTree[]>;
  readMedia(): Promise<readonly Row<'media'>[]>;
  /** Rows of a scope with all that hangs from them, to be copied elsewhere; at most `limit` rows. */
  readSubtrees(scope: BulkScope, limit: number): Promise<Result<Subtrees, NoView | ToolProblem>>;
  findings(from: number, count: number, campaignId: RowId | null): Promise<FindingsPage>;
  /** Rows with a finding that keeps them from being sent. Waits for checks that an edit has left for later. */
  rowsWithErrors(): Promise<readonly RowRef[]>;
  /** With `words`, only of rows that hold each of them; with `lane`, only what stands there. */
  changes(from: number, count: number, words?: string, lane?: ChangeLane | null): Promise<ChangesPage>;
  history(from: number, count: number, words?: string): Promise<{ total: number; steps: readonly HistoryStep[] }>;

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
  /** How many rows of a kind each filter of `only` would show. */
  viewCounts(kind: Kind, campaignId: RowId | null): Promise<ViewCounts>;
  /** What the columns with money come to over all rows of a view; null when it is not open. */
  viewTotals(viewId: number): Promise<readonly ViewTotal[] | null>;
  /** Groups of a view that was opened with `group`; null when it is not open. */
  /** Rows that are the same but for case, blanks and signs. Windows are answered meanwhile. */
  duplicates(search: DuplicateSearch): Promise<Duplicates>;
  viewGroups(viewId: number, from: number, count: number): Promise<{ total: number; groups: ViewGroup[] } | null>;
  /** What reviews rejected, newest first; with `words`, only what holds each of them. */
  rejections(from: number, count: number, words: string): Promise<{ total: number; rejections: readonly Rejection[] }>;
  /** Ids of campaigns and ad groups this account was ever told, campaigns first; with `words`, only those that hold each. */
  known(from: number, count: number, words: string): Promise<{ total: number; ids: readonly KnownId[] }>;
  /** Those of these campaign ids for which there is a row. */
  campaignsHere(ids: readonly string[]): Promise<readonly string[]>;
  savedViews(): Promise<SavedView[]>;
  labels(): Promise<Label[]>;
  /** Each label with the rows that carry it. */
  labelled(): Promise<readonly LabelledRows[]>;
  comments(ref: RowRef | null, resolved: boolean | null): Promise<Comment[]>;
  /** Writes a saved view, a label or a comment; answers its id. */
  note(command: NoteCommand): Promise<Result<{ id: number; revision: number }, NoteProblem | NotWritable>>;
  /** The log: who changed what, when, from what to what; newest first. */
  log(from: number, count: number, filter: LogFilter): Promise<LogPage>;
  /** What differs between the moments after two steps; `after` null is now. */
  compare(
    before: number,
    after: number | null,
    campaignId: RowId | null,
    from: number,
    count: number,
  ): Promise<Result<ComparePage, NoMoment>>;
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
