import type { FigureColumn } from '../../shared/reports/figure-column.ts';
import type { ReportTable } from '../../shared/reports/report-table.ts';
import type { ReportedKind } from '../../shared/reports/reported-kinds.ts';
import { groupBy } from '../../shared/reports/summary.ts';

/** Figures by the id the service gave a row, in the smallest step of their unit. */
export type FiguresById = ReadonlyMap<string, Record<string, number>>;

/**
 * Puts a report together by the id of one kind of row, so that its figures can stand beside the rows. Sums are added
 * up over days and whatever else is apart in the report; rates are computed anew from them.
 *
 * @returns nothing for a report that does not name such rows by an id of theirs
 */
export function figuresById(table: ReportTable, kind: ReportedKind): FiguresById {
  const wanted = `${kind}Id`.toLowerCase();
  const column = table.columns.find(({ is, name }) => is === 'words' && name.toLowerCase() === wanted);
  if (column === undefined) return new Map();
  const groups = groupBy(table, column.name).filter(({ label }) => label !== '');
  return new Map(groups.map(({ label, figures }) => [label, Object.fromEntries(figures)]));
}

/** One figure of every row it is known of; small to hand to another thread. */
export function figureColumn(byId: FiguresById, figure: string): FigureColumn {
  const remoteIds: string[] = [];
  const values: number[] = [];
  for (const [remoteId, figures] of byId) {
    const value = figures[figure];
    if (value === undefined) continue;
    remoteIds.push(remoteId);
    values.push(value);
  }
  return { remoteIds, values };
}
