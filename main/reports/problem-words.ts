import { unreachable } from '../../shared/result.ts';
import { addressProblemText } from '../media/upload/address-guard.ts';
import type { DownloadProblem } from './download-report.ts';
import type { ReportProblem } from './fetch-report.ts';

/** Why a job gave no report, as a part of a sentence: it stays in the list when the call is long over. */
export function problemWords(problem: ReportProblem): string {
  switch (problem.kind) {
    case 'read': {
      const { failure } = problem;
      return failure.kind === 'unreachable' ? failure.cause : failure.message;
    }
    case 'refused':
      return problem.message;
    case 'download':
      return downloadWords(problem.problem);
    default:
      return unreachable(problem);
  }
}

/** The same for the file of a report. */
export function downloadWords(problem: DownloadProblem): string {
  switch (problem.kind) {
    case 'address':
      return addressProblemText(problem.problem);
    case 'status':
      return `status ${problem.status}`;
    case 'connection':
      return problem.cause;
    case 'too-large':
      return `it has more than ${problem.limit / 1024 / 1024} MB; ask for fewer days`;
    case 'not-readable':
      return `it is ${problem.found}`;
    default:
      return unreachable(problem);
  }
}
