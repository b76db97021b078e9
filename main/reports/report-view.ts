import type { ReportLook, ReportSnapshot, ReportView } from '../../shared/contract/reports.ts';
import type { ReportTable } from '../../shared/reports/report-table.ts';
import { figuresOf, type Group, groupBy, groupingsOf, sortGroups, totalOf } from '../../shared/reports/summary.ts';

/** The campaigns drawn beside each other. */
const MULTIPLES_MAX = 6;
const CAMPAIGN_COLUMN = 'campaignName';

/** One way of looking at a kept report: rows put together and sorted, their total, and the days for the charts. */
export function viewReport(snapshot: ReportSnapshot, table: ReportTable, look: ReportLook): ReportView {
  const rows = containing(table, look.contains);
  const groupings = groupingsOf(table).map(({ name }) => name);
  const grouping = groupings.includes(look.groupBy) ? look.groupBy : (groupings[0] ?? '');
  const groups = sortGroups(groupBy(table, grouping, rows), look.sortBy, look.descending);
  const total = totalOf(table, rows);
  return {
    snapshot,
    groupBy: grouping,
    groupings,
    figures: figuresOf(table).map(({ column, metric, window }) => ({
      column,
      metric: metric.name,
      window,
      unit: metric.unit,
      derived: metric.derived,
      known: metric.known,
    })),
    unreadable: table.unreadable,
    groups: groups.length,
    page: groups.slice(look.from, look.from + look.count).map((group) => ({ ...group, figures: plain(group) })),
    total: { rows: total.rows, figures: plain(total) },
    days: daysOf(table, rows).map((group) => ({ day: group.label, figures: plain(group) })),
    multiples: multiplesOf(table, rows, look.figure),
  };
}

const plain = ({ figures }: Group): Record<string, number> => Object.fromEntries(figures);

function containing(table: ReportTable, text: string): ReportTable['rows'] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return table.rows;
  const words = table.columns.flatMap((column, at) => (column.is === 'words' ? [at] : []));
  return table.rows.filter((row) =>
    words.some((at) =>
      String(row[at] ?? '')
        .toLowerCase()
        .includes(wanted),
    ),
  );
}

function daysOf(table: ReportTable, rows: ReportTable['rows']): readonly Group[] {
  const day = table.columns.find(({ is }) => is === 'day');
  return day === undefined ? [] : groupBy(table, day.name, rows).toSorted((a, b) => (a.label < b.label ? -1 : 1));
}

function multiplesOf(table: ReportTable, rows: ReportTable['rows'], figure: string): ReportView['multiples'] {
  const at = table.columns.findIndex(({ name }) => name === CAMPAIGN_COLUMN);
  const days = daysOf(table, rows).map(({ label }) => label);
  if (at < 0 || days.length === 0) return [];
  const biggest = sortGroups(groupBy(table, CAMPAIGN_COLUMN, rows), figure, true).slice(0, MULTIPLES_MAX);
  return biggest.map(({ label }) => {
    const own = rows.filter((row) => String(row[at] ?? '') === label);
    const byDay = new Map(daysOf(table, own).map((group) => [group.label, group.figures.get(figure) ?? null]));
    return { label, days: days.map((day) => ({ day, value: byDay.get(day) ?? null })) };
  });
}
