import type { BulkScope } from '../../shared/contract/bulk.ts';
import type { ChangeLane } from '../../shared/contract/change-lane.ts';
import type { Duplicates } from '../../shared/contract/duplicates.ts';
import type { KnownId } from '../../shared/contract/known.ts';
import type { Comment, Label } from '../../shared/contract/notes.ts';
import type { RowRef } from '../../shared/contract/scalars.ts';
import type { Rejection } from '../../shared/contract/verdicts.ts';
import type { SavedView, ViewGroup, ViewTotal } from '../../shared/contract/views.ts';
import type { RowDetail, ViewSpec, WindowRow, WorkspaceSummary } from '../../shared/contract/workspace.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { AnyRow, Row } from '../../shared/model/row.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import type { FigureColumn } from '../../shared/reports/figure-column.ts';
import type { Result } from '../../shared/result.ts';
import type { Finding, FindingCounts, RuleTally } from '../../shared/rules/finding.ts';
import type { BulkRows, NoView, ToolProblem } from './bulk/bulk-rows.ts';
import type { Subtrees } from './bulk/subtrees.ts';
import type { ComparePage } from './history/compare.ts';
import type { NoMoment } from './history/moments.ts';
import type { LogFilter, LogPage } from './history/read-log.ts';
import type { ChangesPage } from './reader/changes.ts';
import type { DuplicateSearch } from './reader/duplicates.ts';
import type { ViewCounts } from './reader/view-counts.ts';
import type { NoColumn, TextWish, ViewText } from './reader/view-text.ts';

/** A label with the rows that carry it, kind by kind. */
export interface LabelledRows {
  readonly name: string;
  readonly color: string;
  readonly rows: readonly BulkRows[];
}

export interface FindingsPage {
  /** Length of the list that this is a page of. */
  readonly total: number;
  /** Of the account or the campaign, whatever rule the list is narrowed to; so are `rules`. */
  readonly counts: FindingCounts;
  readonly rules: readonly RuleTally[];
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
 * What can be read of an open workspace. The reader thread answers, so that reading never waits for a bulk edit.
 */
export interface WorkspaceReads {
  summary(): Promise<WorkspaceSummary>;
  openView(spec: ViewSpec, wish?: OpeningWish): Promise<Result<OpenedView, { at: number; problem: string }>>;
  readWindow(
    viewId: number,
    from: number,
    count: number,
  ): Promise<{ rows: WindowRow[]; length: number; revision: number; stale: boolean } | null>;
  /** Where a row stands in a view, null in it when it does not; null when the view is not open. */
  viewPlace(viewId: number, id: RowId): Promise<{ readonly place: number | null } | null>;
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
  /** Gravest first; with `rule` only what that rule finds. Windows are answered meanwhile. */
  findings(from: number, count: number, campaignId: RowId | null, rule?: string | null): Promise<FindingsPage>;
  /** Rows with a finding that keeps them from being sent. Waits for checks that an edit has left for later. */
  rowsWithErrors(): Promise<readonly RowRef[]>;
  /** With `words`, only of rows that hold each of them; with `lane`, only what stands there. */
  changes(from: number, count: number, words?: string, lane?: ChangeLane | null): Promise<ChangesPage>;
  history(from: number, count: number, words?: string): Promise<{ total: number; steps: readonly HistoryStep[] }>;
  /** How many rows of a kind each filter of `only` would show. */
  viewCounts(kind: Kind, campaignId: RowId | null): Promise<ViewCounts>;
  /** What the columns with money come to over all rows of a view; null when it is not open. */
  viewTotals(viewId: number): Promise<readonly ViewTotal[] | null>;
  /** Rows that are the same but for case, blanks and signs. Windows are answered meanwhile. */
  duplicates(search: DuplicateSearch): Promise<Duplicates>;
  /** Groups of a view that was opened with `group`; null when it is not open. */
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
}
