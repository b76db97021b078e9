import type { ViewSpec } from '../../../shared/api/workspace.ts';
import { type FigureColumn, figureOfField } from '../../../shared/reports/metric.ts';
import type { Db } from '../db/db.ts';

/**
 * Figures of reports that rows can be sorted by. Reports are files that only the main thread reads; what a sort needs of
 * one is handed over once and kept in a temporary table, because a kept report never changes.
 */
export type RowFigures = ReturnType<typeof createRowFigures>;

/** The figures a view is sorted by; none without a report to take them from. */
export const sortedFigures = ({ sort, report }: ViewSpec): readonly string[] =>
  report === undefined ? [] : sort.map(({ column }) => figureOfField(column)).filter((figure) => figure !== null);

/** What one figure of a report about one kind of row is kept under. */
export const figureKey = ({ report = '', kind }: ViewSpec, figure: string): string => `${report}/${kind}/${figure}`;

/** A report of 100,000 keywords takes some 5 MB. */
const KEPT = 12;

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
