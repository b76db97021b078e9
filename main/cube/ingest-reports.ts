import type { ReportSnapshot } from '../../shared/api/reports.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import type { Result } from '../../shared/result.ts';
import type { Cube } from './cube.ts';
import type { CubeProblem } from './cube-file.ts';
import type { TakenIn } from './ingest.ts';

/** Saved reports and the paths of their files. */
interface KeptReports {
  listAll(): Promise<{ readonly snapshots: readonly ReportSnapshot[] }>;
  fileOf(snapshot: ReportSnapshot): string;
}

/** Ingests the days of saved reports that are not in the cube yet, in the order in which they were fetched. */
export async function ingestReports(cube: Cube, reports: KeptReports): Promise<void> {
  const { snapshots } = await reports.listAll();
  if (cube.problem !== null || !snapshots.some(hasDays)) return;
  const known = new Set((await cube.reports()).map(({ id }) => id));
  for (const snapshot of snapshots.toReversed()) {
    if (!known.has(snapshot.id)) await ingestReport(cube, snapshot, reports.fileOf(snapshot));
  }
}

/** A report without a daily breakdown has days only if it is about one day. */
const hasDays = ({ byDate, startDate, endDate }: ReportSnapshot): boolean => byDate || startDate === endDate;

/** Ingests the days of a report; null for one without days. */
export async function ingestReport(
  cube: Cube,
  snapshot: ReportSnapshot,
  path: string,
): Promise<Result<TakenIn, CubeProblem> | null> {
  if (!hasDays(snapshot)) return null;
  const { id, reportType, startDate, endDate, fetchedAt, fetchedOn, attributionWindow, raw } = snapshot;
  return cube.ingest({
    id,
    path,
    sha256: raw?.sha256 ?? null,
    reportType,
    span: { from: startDate as PlainDate, to: endDate as PlainDate },
    fetchedAt,
    fetchedOn: fetchedOn as PlainDate,
    attributionWindow: attributionWindow ?? null,
  });
}
