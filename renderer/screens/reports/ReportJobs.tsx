import type { ReportJob } from '../../../shared/contract/reports.ts';
import { useAppContext } from '../../app/desk.ts';
import { enReports } from '../../messages/en-reports.ts';
import { timeText } from '../../messages/numbers.ts';
import { useNow } from '../../ui/use-now.ts';

interface ReportJobsProps {
  readonly jobs: readonly ReportJob[];
  readonly busy: boolean;
  readonly onChoose: (id: string) => void;
  readonly onAgain: (job: ReportJob) => void;
}

const BADGES = {
  waiting: 'badge',
  ready: 'badge badge-good',
  failed: 'badge badge-error',
  expired: 'badge badge-error',
} as const;

/** Reports that the service makes in the background: how each stands, and what can be done about it. */
export function ReportJobs({ jobs, busy, onChoose, onAgain }: ReportJobsProps) {
  const { actions } = useAppContext();
  const now = useNow();
  if (jobs.length === 0) return null;
  return (
    <ul className="lines reports-jobs" aria-label={enReports.jobs}>
      {jobs.map((job) => {
        const { snapshotId, state, status, detail, reportId } = job;
        const name = enReports.name(enReports.types[job.reportType] ?? job.reportType, job.startDate, job.endDate);
        const button = (text: string, run: () => void) => (
          <button type="button" className="chip" disabled={busy} aria-label={`${text}: ${name}`} onClick={run}>
            {text}
          </button>
        );
        return (
          <li key={snapshotId} className="reports-kept">
            <span className={BADGES[state]}>{enReports.jobStates[state]}</span>
            <span>{name}</span>
            <span className="quiet">{enReports.jobSince(timeText(job.askedAt, now))}</span>
            {state === 'waiting' && status !== '' && <span className="quiet">{enReports.jobStatus(status)}</span>}
            {detail !== '' && <span className="quiet">{detail}</span>}
            <span className="toolbar-gap" />
            {state === 'waiting' && button(enReports.jobLook, () => void actions.lookAtJob(snapshotId))}
            {state === 'ready' && reportId !== null && button(enReports.jobShow, () => onChoose(reportId))}
            {(state === 'failed' || state === 'expired') && button(enReports.jobAgain, () => onAgain(job))}
            {button(
              state === 'waiting' ? enReports.jobGiveUp : enReports.jobForget,
              () => void actions.giveUpJob(snapshotId),
            )}
          </li>
        );
      })}
    </ul>
  );
}
