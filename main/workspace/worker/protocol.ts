import type { BulkDone, BulkPreview, BulkScope, BulkTool } from '../../../shared/contract/bulk.ts';
import type { ChangeLane } from '../../../shared/contract/change-lane.ts';
import type { Duplicates } from '../../../shared/contract/duplicates.ts';
import type { RestoreScope } from '../../../shared/contract/history.ts';
import type { PastedTable, PastePreview } from '../../../shared/contract/paste.ts';
import type { RowRef } from '../../../shared/contract/scalars.ts';
import type { ViewSpec } from '../../../shared/contract/workspace.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import type { DeploymentProfile } from '../../../shared/profile/profile.ts';
import type { FigureColumn } from '../../../shared/reports/figure-column.ts';
import type { Result } from '../../../shared/result.ts';
import type { Finding } from '../../../shared/rules/finding.ts';
import type { BulkRows, Cancelled, NoView, ToolProblem } from '../bulk/bulk-rows.ts';
import type { JobFlag } from '../bulk/jobs.ts';
import type { Subtrees } from '../bulk/subtrees.ts';
import type { LogFilter } from '../history/read-log.ts';
import type { NoteCommand, NoteProblem } from '../notes/note-commands.ts';
import type {
  CellUpdate,
  EditBatch,
  EditOutcome,
  EditProblem,
  MergeOutcome,
  NoRow,
  NotWritable,
  RemoteRow,
  Workspace,
} from '../port.ts';
import type { DuplicateSearch } from '../reader/duplicates.ts';
import type { TextWish } from '../reader/view-text.ts';
import type { StagedEdit, StagedOutcome, StaleStage } from '../staged/staged-edit.ts';
import type { CommitListener } from '../writer/create-store.ts';
import type { Glances } from './glances.ts';

/** What a worker thread is started with. */
export interface WorkerSetup {
  readonly role: 'writer' | 'reader';
  readonly file: string;
  readonly workspaceId: string;
  readonly profile: DeploymentProfile;
  readonly migrated: boolean | null;
  /** The account is known to have a workspace: a missing or empty file is damage, not a new one. */
  readonly mustExist: boolean;
  /** A copy that is looked at and nothing else: it may be of a newer schema. */
  readonly viewing: boolean;
  /** On whose behalf edits are made, for the log. */
  readonly who: string;
  /** Told of whenever somebody looks at rows. */
  readonly glances: Glances;
}

type Edited<Problem> = Result<EditOutcome, Problem | NotWritable>;

/**
 * Calls answered by the writer. Time is an argument of each that needs it, because the clock lives in the main
 * thread and may be a virtual one.
 */
export interface WriterCalls {
  start(nowMs: number): Promise<Result<null, NotWritable>>;
  apply(nowMs: number, edit: EditBatch): Edited<EditProblem>;
  applyStaged(nowMs: number, edit: StagedEdit): Result<StagedOutcome, StaleStage | NotWritable>;
  revert(nowMs: number, rows: readonly RowRef[], field: string | null): Edited<EditProblem>;
  hold(nowMs: number, rows: readonly RowRef[], held: boolean): Edited<EditProblem>;
  applyTool(
    nowMs: number,
    rows: readonly BulkRows[],
    tool: BulkTool,
    label: string,
    job: JobFlag,
  ): Result<BulkDone, EditProblem | ToolProblem | Cancelled>;
  applyPaste(
    nowMs: number,
    paste: PastedTable,
    skip: readonly number[],
    label: string,
    job: JobFlag,
  ): Result<BulkDone, EditProblem | ToolProblem | Cancelled>;
  note(nowMs: number, command: NoteCommand): Result<{ id: number; revision: number }, NoteProblem | NotWritable>;
  restore(nowMs: number, to: number, scope: RestoreScope, label: string): Awaited<ReturnType<Workspace['restore']>>;
  step(nowMs: number, direction: 'undo' | 'redo'): Edited<{ readonly kind: 'nothing-to-do' }>;
  mergeRemote(nowMs: number, rows: readonly RemoteRow[]): MergeOutcome;
  setServiceFields(nowMs: number, updates: readonly CellUpdate[]): number;
  setMeta(nowMs: number, key: string, value: string): void;
  /** Runs one of the outbox operations in a transaction. */
  outbox(nowMs: number, name: string, args: unknown): unknown;
  /** Answers when nothing is left to be checked. */
  settleChecks(nowMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Calls answered by the reader: everything that only looks. */
export interface ReaderCalls {
  start(): void;
  summary(): Awaited<ReturnType<Workspace['summary']>>;
  /** Of the figures a view is sorted by, those that are not here yet. */
  missingFigures(spec: ViewSpec): readonly string[];
  keepFigures(spec: ViewSpec, figure: string, column: FigureColumn): void;
  openView(
    spec: ViewSpec,
    window: { readonly from: number; readonly count: number },
  ): Awaited<ReturnType<Workspace['openView']>>;
  readWindow(viewId: number, from: number, count: number): Awaited<ReturnType<Workspace['readWindow']>>;
  viewText(viewId: number, from: number, count: number, wish: TextWish): Awaited<ReturnType<Workspace['viewText']>>;
  viewPlace(viewId: number, id: RowId): Awaited<ReturnType<Workspace['viewPlace']>>;
  closeView(viewId: number): void;
  /** The rows of a scope, kind by kind, in the order in which a tool works on them. */
  scopeRows(scope: BulkScope): Result<readonly BulkRows[], NoView>;
  previewTool(
    rows: readonly BulkRows[],
    tool: BulkTool,
    count: number,
  ): Promise<Result<BulkPreview, ToolProblem | NoRow>>;
  previewPaste(paste: PastedTable, from: number, count: number): Result<PastePreview, NoRow>;
  viewCounts(kind: Kind, campaignId: RowId | null): Awaited<ReturnType<Workspace['viewCounts']>>;
  duplicates(search: DuplicateSearch): Promise<Duplicates>;
  rejections(from: number, count: number, words: string): Awaited<ReturnType<Workspace['rejections']>>;
  known(from: number, count: number, words: string): Awaited<ReturnType<Workspace['known']>>;
  campaignsHere(ids: readonly string[]): readonly string[];
  viewTotals(viewId: number): ReturnType<Workspace['viewTotals']> | null;
  viewGroups(viewId: number, from: number, count: number): Awaited<ReturnType<Workspace['viewGroups']>>;
  /** As they were written; the main thread checks them, which saves each thread the loading of schemas. */
  savedViews(): readonly unknown[];
  labelled(): Awaited<ReturnType<Workspace['labelled']>>;
  labels(): Awaited<ReturnType<Workspace['labels']>>;
  comments(ref: RowRef | null, resolved: boolean | null): Awaited<ReturnType<Workspace['comments']>>;
  log(from: number, count: number, filter: LogFilter): Awaited<ReturnType<Workspace['log']>>;
  compare(
    before: number,
    after: number | null,
    campaignId: RowId | null,
    from: number,
    count: number,
  ): Awaited<ReturnType<Workspace['compare']>>;
  rowDetail(nowMs: number, ref: RowRef): Awaited<ReturnType<Workspace['rowDetail']>>;
  rowFindings(nowMs: number, kind: Kind, ids: readonly RowId[]): Promise<readonly Finding[]>;
  readRow(ref: RowRef): Awaited<ReturnType<Workspace['readRow']>>;
  campaignIds(which: 'all' | 'changed' | 'told'): readonly RowId[];
  readTrees(which: 'all' | 'changed' | readonly RowId[]): Awaited<ReturnType<Workspace['readTrees']>>;
  readMedia(): Awaited<ReturnType<Workspace['readMedia']>>;
  readSubtrees(rows: readonly BulkRows[], limit: number): Result<Subtrees, ToolProblem>;
  findings(
    nowMs: number,
    from: number,
    count: number,
    campaignId: RowId | null,
    rule: string | null,
  ): ReturnType<Workspace['findings']>;
  changes(
    from: number,
    count: number,
    words: string,
    lane: ChangeLane | null,
  ): Awaited<ReturnType<Workspace['changes']>>;
  history(from: number, count: number, words: string): Awaited<ReturnType<Workspace['history']>>;
  rowsWithErrors(): readonly RowRef[];
  editMark(): string;
  verify(): Awaited<ReturnType<Workspace['verify']>>;
  getMeta(key: string): string | null;
  close(): void;
}

/** What the writer tells the main thread, before it answers the call that caused it. */
export interface MainCalls {
  changed: CommitListener;
  progress(jobId: string, done: number, total: number): void;
}
