import type { BulkScope } from '../../../shared/api/bulk.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import type { MetricsQuery } from '../../../shared/api/views.ts';
import type { ViewSpec } from '../../../shared/api/workspace.ts';
import type { Side } from '../../../shared/compare/compare.ts';
import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import type { CreativeKind } from '../../../shared/model/creative.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { type AnyRow, HELD, type Row } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { CustomRule } from '../../../shared/rules/custom-rules.ts';
import type { LogPlace } from '../../../shared/team/position.ts';
import { checkIntegrity } from '../backup.ts';
import type { BulkRows, NoView, ToolProblem } from '../bulk/bulk-rows.ts';
import { readSubtrees, type Subtrees } from '../bulk/copy-place.ts';
import { hasErrorSql, issueMask, warningsIn } from '../check.ts';
import { asNumber, numberOf, rowIdOf, rowIdsOf, snapshot } from '../db/db.ts';
import { readComments, readLabelled, readSavedViews } from '../notes/read-notes.ts';
import { readApprovedChanges } from '../reviews/review-history.ts';
import { campaignIds } from '../rows/campaign-ids.ts';
import { readRow, readRows } from '../rows/read-rows.ts';
import { readTrees } from '../rows/read-trees.ts';
import { editVersion, readMeta } from '../rows/revision.ts';
import { allTables, kindAt } from '../schema/tables.ts';
import { type SnapshotPart, type SnapshotPlace, settledPart, takenParts } from '../team/snapshot.ts';
import { readSharedEntries, type SharedEntriesQuery, teamConflicts, teamState } from '../team/team.ts';
import type { CellUpdate, WarnedRow } from '../types.ts';
import { type CampaignFacts, readCampaignFacts, readFirstItems, readServiceBudgets } from './attention.ts';
import {
  comparisonPage,
  comparisonUses,
  type DifferenceFilter,
  type OwnSide,
  openComparison,
  readSide,
} from './comparisons.ts';
import { campaignsUnderReview, type ReaderContext } from './context.ts';
import { errorsAfter } from './errors-after.ts';
import { readHistory } from './summary.ts';
import type { ViewRanges } from './views.ts';

/**
 * Reads of the reader thread beyond the operations of the contract. They never wait for an edit. They have types but no
 * schemas; the client in the main thread derives its types from here (`store.ts`).
 */
export const reads = {
  summary: ({ summary }: ReaderContext) => summary(),
  /** Whether a metrics column is cached in this version. */
  hasMetric: ({ metrics }: ReaderContext, key: string, version: string): boolean => metrics.has(key, version),
  keepMetric: ({ metrics }: ReaderContext, key: string, version: string, values: Float64Array): void =>
    metrics.keep(key, version, values),
  /** Null if the view is not open. */
  viewMetricSums: ({ views }: ReaderContext, viewId: number, ranges: ViewRanges, columns: readonly Float64Array[]) =>
    views.metricSums(viewId, ranges, columns),
  openView: ({ views }: ReaderContext, spec: ViewSpec, window: { readonly from: number; readonly count: number }) =>
    views.open(spec, window.from, window.count),
  /** Null if the view is not open; the same for other reads of a view. */
  readWindow: ({ views }: ReaderContext, viewId: number, from: number, count: number) =>
    views.read(viewId, from, count),
  viewTotals: async (
    { views }: ReaderContext,
    viewId: number,
    metrics: MetricsQuery | null = null,
    ranges: ViewRanges = null,
  ) => views.totals(viewId, metrics, ranges),
  viewGroups: async (
    { views }: ReaderContext,
    viewId: number,
    from: number,
    count: number,
    metrics: MetricsQuery | null = null,
  ) => views.groups(viewId, from, count, metrics),
  closeView: ({ views }: ReaderContext, viewId: number): void => views.close(viewId),
  /** The rows of a scope by kind, in the order in which a tool processes them. */
  scopeRows: ({ views }: ReaderContext, scope: BulkScope): Result<readonly BulkRows[], NoView> =>
    'viewId' in scope ? views.rows(scope) : ok(namedRows(scope)),
  /** Rows of a scope with all rows below them, for copying; at most `limit` rows. */
  readSubtrees: (context: ReaderContext, scope: BulkScope, limit: number): Result<Subtrees, NoView | ToolProblem> => {
    const rows = reads.scopeRows(context, scope);
    return rows.ok ? readSubtrees(context.db, rows.value, limit) : rows;
  },
  approvedChanges: ({ db }: ReaderContext, profile: { readonly kind: CreativeKind; readonly id: RowId }) =>
    readApprovedChanges(db, profile),
  /** As stored; the code that displays them validates them, so that threads don't load schemas. */
  writtenViews: ({ db }: ReaderContext): readonly unknown[] => readSavedViews(db),
  /** Labels with their rows. */
  labelled: ({ db }: ReaderContext) => readLabelled(db),
  comments: ({ db }: ReaderContext, ref: RowRef | null, resolved: boolean | null) => readComments(db, ref, resolved),
  readRow: ({ db }: ReaderContext, ref: RowRef): AnyRow | null => readRow(db, ref),
  /** Campaign IDs in order, for reading a large account in parts (`rows/campaign-ids.ts`). */
  campaignIds: ({ db }: ReaderContext, which: 'all' | 'changed' | 'changed-or-commented'): readonly RowId[] =>
    campaignIds(db, which),
  /** One slice of the client's `readTrees`. */
  treesOf: ({ db }: ReaderContext, ids: readonly RowId[]): readonly CampaignTree[] => readTrees(db, ids),
  readMedia: ({ db }: ReaderContext): readonly Row<'media'>[] => readRows(db, 'media', 'true'),
  /** Videos of profiles with a change that a sync would send: an open review locks them. */
  videosOfChanges: ({ db }: ReaderContext): readonly RowId[] =>
    rowIdsOf(
      db,
      `SELECT DISTINCT video FROM video_profile WHERE video IS NOT NULL AND dirty & ${~HELD} AND NOT dirty & ${HELD}
       AND campaign_id NOT IN (SELECT value FROM json_each(?))`,
      JSON.stringify([...campaignsUnderReview(db)]),
    ),
  issuesNow: (
    { issues, nowMs }: ReaderContext,
    from: number,
    count: number,
    campaignId: RowId | null,
    rule: string | null,
    metricRules: readonly string[],
  ) => issues.page(nowMs, { from, count, campaignId, rule, metricRules }),
  /** Finds the rows of a rule with metrics, for `issuesNow`. The metrics must have been passed in. */
  matchMetricRule: ({ issues }: ReaderContext, rule: CustomRule): void => issues.matchMetricRule(rule),
  /** Marks the rows of these rules in windows and details. Returns the kinds whose marks changed. */
  markMetricMatches: ({ issues }: ReaderContext, ruleIds: readonly string[]) => issues.markMetricMatches(ruleIds),
  history: ({ db }: ReaderContext, from: number, count: number, words = '', member: number | null = null) =>
    readHistory(db, from, count, words, member),
  /** Positions of the updates that would cause a new error. */
  errorsAfter: ({ db, issues, nowMs }: ReaderContext, updates: readonly CellUpdate[]): readonly number[] =>
    errorsAfter(db, issues, nowMs, updates),
  campaignsWithIssueNow: ({ issues }: ReaderContext, rule: string): readonly RowId[] => issues.campaignsWith(rule),
  rowsWithErrorsNow: ({ db }: ReaderContext): readonly RowRef[] =>
    allTables().flatMap(({ kind, name }) =>
      rowIdsOf(db, `SELECT id FROM ${name} WHERE ${hasErrorSql(kind)}`).map((id) => ({ kind, id })),
    ),
  changesWithWarningsNow: ({ db }: ReaderContext): readonly WarnedRow[] =>
    allTables().flatMap(({ kind, name }) =>
      db
        .all(
          `SELECT id, issues FROM ${name} WHERE dirty <> 0 AND issues <> 0 AND issues & ${issueMask(kind, 'warning')}`,
        )
        .map(([id, issues]) => ({ kind, id: rowIdOf(id), rules: warningsIn(kind, asNumber(issues)) })),
    ),
  /** Rows that need the user: with errors, failed, or rejected. */
  attention: ({ attention, nowMs }: ReaderContext) => attention(nowMs),
  /** The first item of each of these campaigns. */
  firstItems: ({ db }: ReaderContext, campaignIds: readonly RowId[]) => readFirstItems(db, campaignIds),
  serviceBudgets: ({ db }: ReaderContext): ReadonlyMap<RowId, number> => readServiceBudgets(db),
  campaignFacts: ({ db }: ReaderContext): readonly CampaignFacts[] => readCampaignFacts(db),
  /** Small settings of the workspace that must survive a restart: the rate budget, learned spellings, capabilities. */
  getMeta: ({ db }: ReaderContext, key: string): string | null => readMeta(db, key),
  /**
   * A text that changes whenever a user edits, undoes or notes something. Answers of the service and results of sends
   * don't change it.
   */
  editMark: ({ db }: ReaderContext): string => editVersion(db),
  /** Compares two sides, each of this account or passed in. */
  openComparison: ({ db }: ReaderContext, left: OwnSide | Side, right: OwnSide | Side, match: 'id' | 'content') =>
    openComparison(db, left, right, match),
  comparisonPage: ({ db }: ReaderContext, id: number, from: number, count: number, filter: DifferenceFilter) =>
    comparisonPage(db, id, from, count, filter),
  comparisonUses: ({ db }: ReaderContext, id: number, places: readonly number[] | null) =>
    comparisonUses(db, id, places),
  /** Rows of this account as a side for a comparison in another account. */
  sideRows: ({ db }: ReaderContext, side: OwnSide) => readSide(db, side),
  /** The state of this computer in its team; null without one. */
  teamState: ({ db }: ReaderContext) => teamState(db),
  /** Conflicts with colleagues, oldest first; with a kind, of its rows only. */
  teamConflicts: ({ db }: ReaderContext, from: number, count: number, kind?: Kind) =>
    teamConflicts(db, from, count, kind),
  /** Conflicts with the service and with colleagues by kind: how many, and in how many rows. */
  conflictCounts: ({ db }: ReaderContext) =>
    db
      .all('SELECT kind, count(*), count(DISTINCT id) FROM conflict GROUP BY kind ORDER BY min(at)')
      .map(([code, all, rows]) => ({ kind: kindAt(code), all: asNumber(all), rows: asNumber(rows) })),
  /** A part of the team snapshot for a new computer; null without a team. */
  teamSnapshotPart: ({ db }: ReaderContext, at?: SnapshotPlace): SnapshotPart | null =>
    snapshot(db, () => settledPart(db, at)),
  /** Digests of the parts taken before a snapshot download was interrupted. */
  teamTakenParts: ({ db }: ReaderContext, place: LogPlace) => takenParts(db, place),
  /** Entries that members shared, newest first. */
  teamLog: ({ db }: ReaderContext, query: SharedEntriesQuery) => readSharedEntries(db, query),
  /** The highest row ID ever used here. */
  lastRowNumber: ({ db }: ReaderContext): number => numberOf(db, "SELECT value FROM counter WHERE name = 'row'"),
  /** Integrity problems of the store; empty unless the file was damaged. */
  verify: ({ db }: ReaderContext) => checkIntegrity(db),
};

const namedRows = ({ rows }: Extract<BulkScope, { rows: unknown }>): readonly BulkRows[] =>
  rows.map(({ kind, ids }) => ({ kind, ids: Int32Array.from(ids) }));
