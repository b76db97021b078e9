import type { ViewSpec } from '../../../shared/api/workspace.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { type FigureColumn, figureOfField } from '../../../shared/reports/metric.ts';
import type { DaySpan } from '../../../shared/reports/period.ts';
import type { Db } from '../db/db.ts';

/**
 * Figures of reports that rows can be sorted by. Reports are files that only the main thread reads; what a sort needs of
 * one is handed over once and kept in a temporary table, because a kept report never changes.
 */
export type RowFigures = ReturnType<typeof createRowFigures>;

/** The figures a view is sorted by; none without a report to take them from. */
export const sortedFigures = ({ sort, report }: ViewSpec): readonly string[] =>
  report === undefined ? [] : sort.map(({ column }) => figureOfField(column)).filter((figure) => figure !== null);

/** A report, or the days of several, about one kind of row. */
export type FigureSource = Pick<ViewSpec, 'kind' | 'report'>;

/** The figures that are added up below the rows; ROAS is made of two of them. */
export const TOTALED = ['clicks', 'adSpend', 'attributedOrders14days', 'attributedSales14days'] as const;

/** What one figure of a report about one kind of row is kept under. */
export const figureKey = ({ report = '', kind }: FigureSource, figure: string): string => `${report}/${kind}/${figure}`;

/** A report of 100,000 keywords takes some 5 MB. */
const KEPT = 24;

/** What the rows with metrics on some days are kept under. */
export const metricKey = (kind: Kind, { from, to }: DaySpan): string => `${kind} ${from}..${to}`;

/** Rows that reports hold metrics of on some days, and what reports that was read from. */
export interface MetricRows {
  readonly version: string;
  readonly remoteIds: readonly string[];
}

/** Spans of days that are remembered; the oldest go first. */
const SPANS_KEPT = 20;

/** Which rows have metrics on some days, as the main thread has read it from reports, for searches. */
export function createMetricRows(db: Db) {
  db.exec(`CREATE TEMP TABLE metric_row(key TEXT NOT NULL, remote_id TEXT NOT NULL,
    PRIMARY KEY(key, remote_id)) STRICT, WITHOUT ROWID`);
  const versions = new Map<string, string>();
  return {
    has: (key: string, version: string): boolean => versions.get(key) === version,
    keep: (key: string, { version, remoteIds }: MetricRows): void => {
      db.run('DELETE FROM temp.metric_row WHERE key = ?', key);
      db.run('INSERT OR IGNORE INTO temp.metric_row SELECT ?, value FROM json_each(?)', key, JSON.stringify(remoteIds));
      versions.delete(key);
      versions.set(key, version);
      for (const oldest of versions.keys()) {
        if (versions.size <= SPANS_KEPT) break;
        versions.delete(oldest);
        db.run('DELETE FROM temp.metric_row WHERE key = ?', oldest);
      }
    },
  };
}

export function createRowFigures(db: Db) {
  const sources = new Map<string, number>();
  let last = 0;
  return {
    has: (key: string) => sources.has(key),
    /** The number under which they stand in `temp.row_figure`; null when they are not here. */
    sourceOf: (key: string): number | null => sources.get(key) ?? null,
    keep: (key: string, { remoteIds, values }: FigureColumn) => {
      db.exec(`CREATE TEMP TABLE IF NOT EXISTS row_figure(source INTEGER NOT NULL, remote_id TEXT NOT NULL,
        value INTEGER NOT NULL, PRIMARY KEY(source, remote_id)) STRICT, WITHOUT ROWID`);
      const source = ++last;
      // One list of pairs is read once; two lists joined by place would be searched anew for every row.
      db.run(
        'INSERT OR IGNORE INTO temp.row_figure SELECT ?, value ->> 0, value ->> 1 FROM json_each(?)',
        source,
        JSON.stringify(remoteIds.map((id, i) => [id, values[i]])),
      );
      sources.set(key, source);
      for (const [oldest, number] of sources) {
        if (sources.size <= KEPT) break;
        sources.delete(oldest);
        db.run('DELETE FROM temp.row_figure WHERE source = ?', number);
      }
    },
  };
}
