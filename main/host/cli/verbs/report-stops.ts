import type { ReportJob } from '../../../../shared/contract/reports.ts';
import { serviceAnsweredText } from '../../../../shared/explain/service-answered.ts';
import { reportJobText } from '../../../../shared/reports/job-text.ts';
import type { DownloadProblem } from '../../../reports/download-report.ts';
import type { ReportProblem } from '../../../reports/fetch-report.ts';
import { downloadWords } from '../../../reports/problem-words.ts';
import type { KeptProblem } from '../../../reports/snapshot-store.ts';
import type { NotWritable } from '../../../workspace/types.ts';
import { openingStop } from '../problem-text.ts';
import { EXIT, Stop } from '../stop.ts';

/** A report that is kept here and cannot be looked at. */
export const keptStop = (problem: KeptProblem): Stop =>
  problem.kind === 'not-kept'
    ? new Stop(EXIT.refused, 'NO_REPORT', 'The report is no longer kept here. Ask for it again.')
    : new Stop(
        EXIT.refused,
        'REPORT_UNREADABLE',
        `The report that is kept here is damaged on the disk (${problem.detail}). --again fetches it anew.`,
      );

/** A job that ended without a report. */
export const jobStop = (job: ReportJob): Stop =>
  new Stop(EXIT.refused, job.state === 'expired' ? 'REPORT_EXPIRED' : 'REPORT_FAILED', reportJobText(job));

/** Why the service gave no report. */
export function problemStop(problem: ReportProblem | NotWritable): Stop {
  switch (problem.kind) {
    case 'not-writable':
      return openingStop(problem);
    case 'read': {
      const { failure } = problem;
      const detail = failure.kind === 'unreachable' ? failure.cause : failure.message;
      if (failure.kind === 'service' || failure.kind === 'later') {
        const status = failure.kind === 'later' ? 429 : failure.status;
        const said = { status, call: failure.call ?? '', detail, retryAt: failure.retryAt ?? null };
        return new Stop(EXIT.refused, 'SERVICE_ANSWERED', serviceAnsweredText(said));
      }
      return failure.kind === 'unreachable'
        ? new Stop(EXIT.unreachable, 'UNREACHABLE', `The service cannot be reached (${detail}). Try again later.`)
        : new Stop(EXIT.refused, 'REFUSED', `The service refuses the report: ${detail}.`);
    }
    case 'refused':
      return new Stop(EXIT.refused, 'REFUSED', `The service refuses the report: ${problem.message}.`);
    case 'download':
      return downloadStop(problem.problem);
  }
}

function downloadStop(problem: DownloadProblem): Stop {
  const words = downloadWords(problem);
  switch (problem.kind) {
    case 'address':
      return new Stop(EXIT.refused, 'SECURITY', words);
    case 'status':
      return new Stop(EXIT.refused, 'REFUSED', `The report file cannot be had (${problem.status}). Ask for it again.`);
    case 'connection':
      return new Stop(EXIT.unreachable, 'UNREACHABLE', `The report file cannot be reached (${words}). Try again.`);
    case 'too-large':
      return new Stop(EXIT.refused, 'TOO_LARGE', 'The report is too large. Ask for fewer days.');
    case 'not-readable':
      return new Stop(EXIT.refused, 'BAD_FILE', `The report cannot be read: ${words}.`);
  }
}
