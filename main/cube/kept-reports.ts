import type { ReportSnapshot } from '../../shared/api/reports.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import type { Result } from '../../shared/result.ts';
import type { Cube } from './cube.ts';
import type { CubeProblem } from './cube-file.ts';
import type { TakenIn } from './ingest.ts';

/** Kept reports, and where their bytes lie. */
interface KeptReports {
  listAll(): Promise<{ readonly snapshots: readonly ReportSnapshot[] }>;
  fileOf(snapshot: ReportSnapshot): string;
}

/** Takes the days of kept reports into the cube that it has not looked at yet, in the order in which they were fetched. */
export async function takeInKept(cube: Cube, reports: KeptReports): Promise<void> {
  const { snapshots } = await reports.listAll();
  if (cube.problem !== null || !snapshots.some(hasDays)) return;
  const known = new Set((await cube.reports()).map(({ id }) => id));
  for (const snapshot of snapshots.toReversed()) {
    if (!known.has(snapshot.id)) await takeIn(cube, snapshot, reports.fileOf(snapshot));
  }
}

/** Without a daily breakdown only a report about one day says what belongs to a day. */
const hasDays = ({ byDate, startDate, endDate }: ReportSnapshot): boolean => byDate || startDate === endDate;

/** Takes the days of a report into the cube; null for one that is not by day. */
export async function takeIn(
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
