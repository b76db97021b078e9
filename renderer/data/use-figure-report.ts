import type { ReportSnapshot } from '../../shared/api/reports.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { useView } from '../app/app-context.ts';
import { reports } from './report-questions.ts';
import { useQuery } from './use-query.ts';

export interface FigureReport {
  /** Kept reports about rows of this kind, newest first. */
  readonly kept: readonly ReportSnapshot[];
  /** The one whose figures stand beside the rows; null while there is none. */
  readonly chosen: ReportSnapshot | null;
  /** False until main has said which reports are kept. */
  readonly known: boolean;
}

/**
 * The report that fills the figure columns of a kind: the one the user chose, else the newest.
 *
 * @param wanted false asks main nothing
 */
export function useFigureReport(workspaceId: string, kind: Kind, wanted: boolean): FigureReport {
  const { data } = useQuery(wanted ? reports(workspaceId) : null);
  const chosenId = useView((s) => s.figureReports[kind]);
  const kept = (data?.snapshots ?? []).filter(({ reportType, rows }) => reportType === kind && rows > 0);
  return { kept, chosen: kept.find(({ id }) => id === chosenId) ?? kept[0] ?? null, known: data !== undefined };
}
