import type { Failure } from '../../shared/api/operation.ts';
import type { ReportSnapshot } from '../../shared/api/reports.ts';
import { err, fail, ok } from '../../shared/result.ts';
import type { ReportProblem } from '../reports/fetch-report.ts';
import { downloadWords } from '../reports/fetch-report.ts';
import { rawNameOf, reportCsv } from '../reports/report-store.ts';
import { readFailed } from './failures.ts';
import type { MainOperations, RouterContext } from './router.ts';

export const reportOperations = ({ exports }: RouterContext): Pick<MainOperations, 'reports'> => ({
  reports: {
    list: async ({ account: { reports } }) => {
      const { snapshots, damaged } = await reports.list();
      const { jobs, damaged: damagedJobs } = await reports.jobsToRead();
      const [today, types] = [await reports.today(), await reports.types()];
      return ok({ snapshots, damaged: damaged + damagedJobs, today, jobs, types });
    },
    request: async ({ account: { reports } }, { wish, again }) => {
      const asked = await reports.request(wish, again);
      return asked.ok ? asked : notReported(asked.error);
    },
    poll: async ({ account: { reports } }, { snapshotId }) => {
      const looked = await reports.jobs.look(snapshotId);
      return looked.ok ? looked : notReported(looked.error);
    },
    stopWaiting: async ({ account: { reports } }, { snapshotId }) =>
      (await reports.jobs.remove(snapshotId)) ? ok({}) : noReport(snapshotId),
    view: ({ account: { reports } }, { id, look }) => reports.view(id, look),
    ofRows: async ({ account: { reports } }, { id, kind, remoteIds }) => {
      const rows = await reports.ofRows(id, kind, remoteIds);
      return rows.ok ? ok({ rows: rows.value }) : rows;
    },
    csv: async ({ account: { reports } }, { workspaceId, id }) => {
      const found = await reports.rows(id);
      if (!found.ok) return found;
      const { snapshot, rows } = found.value;
      const file = { contentType: 'text/csv; charset=utf-8', fileName: fileNameOf(snapshot), workspaceId };
      return exports.save(file, reportCsv(rows), Math.max(0, rows.length - 1));
    },
    raw: async ({ account: { reports } }, { workspaceId, id }) => {
      const found = await reports.raw(id);
      if (!found.ok) return found;
      const { snapshot, bytes, mediaType } = found.value;
      return exports.save({ contentType: mediaType, fileName: rawNameOf(snapshot), workspaceId }, bytes, snapshot.rows);
    },
    remove: async ({ account: { reports } }, { id }) => ((await reports.remove(id)) ? ok({}) : noReport(id)),
  },
});

const noReport = (id: string) => fail('NO_REPORT', { id });

/** The failure for a missing report. */
export function notReported<F extends Failure>(problem: ReportProblem | F) {
  if ('code' in problem) return err(problem);
  if (problem.kind === 'read') return readFailed(problem.failure);
  if (problem.kind === 'refused') return fail('REPORT_FAILED', { reason: 'refused', detail: problem.message });
  const { kind } = problem.problem;
  const reason = kind === 'address' || kind === 'too-large' ? kind : 'file';
  return fail('REPORT_FAILED', { reason, detail: downloadWords(problem.problem) });
}

const fileNameOf = ({ reportType, startDate, endDate }: ReportSnapshot): string =>
  `${reportType}-${startDate}-${endDate}.csv`;
