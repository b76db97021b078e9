import type { SyncReport } from '../../../shared/contract/sync.ts';
import { serviceAnsweredText } from '../../../shared/explain/service-answered.ts';
import { useAppContext, useView } from '../../app/desk.ts';
import { summary } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { enAfterSync } from '../../messages/en-after-sync.ts';
import { momentText } from '../../messages/numbers.ts';
import { RefusalGroups } from '../refusals/RefusalGroups.tsx';
import { PlanChanges } from './PlanChanges.tsx';

/** How much needs the user after a sync: what was refused, what only they can answer, and what was changed on both sides. */
export function useNeedsYou(): (report: SyncReport) => number {
  const workspaceId = useView((s) => s.workspaceId);
  const conflicts = useQuery(workspaceId === null ? null : summary(workspaceId)).data?.conflicts ?? 0;
  return (report) => report.refused.length + report.failedUploads.length + report.questions + conflicts;
}

/** Why a run stopped: what the service answered, where it was an answer, else the cause with its detail. */
function stoppedText({ cause, detail, status, call, retryAt }: NonNullable<SyncReport['stoppedBy']>) {
  if (cause === 'plan-changed') return en.sync.stoppedBy[cause];
  if (status === undefined || cause === 'security') {
    return (
      <>
        {en.sync.stoppedBy[cause]} <span className="quiet">{detail}</span>
      </>
    );
  }
  const said = { status, call: call ?? '', detail, retryAt: retryAt ?? null };
  return serviceAnsweredText(said, (at) => momentText(new Date(at).toISOString()));
}

/** What came of the last sync: the one line that matters first, then what was refused and why. */
export function Report({ report }: { readonly report: SyncReport }) {
  const { store } = useAppContext();
  const needsYou = useNeedsYou();
  return (
    <section className="report" aria-label={en.sync.title}>
      <h2 className="report-line">{en.sync.result(report.live, report.inReview, needsYou(report))}</h2>
      <p className="quiet">
        {[
          en.sync.states[report.state],
          en.sync.resultDone(report.done),
          en.sync.requests(report.requests),
          report.untouched > 0 ? en.sync.untouched(report.untouched) : '',
          report.inDoubt > 0 ? en.sync.inDoubt(report.inDoubt) : '',
        ]
          .filter((part) => part !== '')
          .join(' · ')}
      </p>
      {report.stoppedBy !== null && (
        <p className="note-error" role="note">
          {stoppedText(report.stoppedBy)}
        </p>
      )}
      {report.stoppedBy?.changed !== undefined && <PlanChanges changed={report.stoppedBy.changed} />}
      {report.done > 0 && (
        <button type="button" className="chip" onClick={() => store.getState().show({ name: 'take-back' })}>
          {enAfterSync.takeBack.open}
        </button>
      )}
      {report.failedUploads.length > 0 && (
        <>
          <h2 className="group-title note-error">{en.sync.notUploaded}</h2>
          <ul>
            {report.failedUploads.map(({ id, file, reason }) => (
              <li key={id}>{en.sync.notUploadedFile(file, reason)}</li>
            ))}
          </ul>
        </>
      )}
      {report.unreadable.length > 0 && (
        <>
          <h2 className="group-title note-error">{en.sync.unreadable}</h2>
          <ul>
            {report.unreadable.map(({ kind, label, field, value }) => (
              <li key={`${kind} ${label} ${field} ${value}`}>{en.sync.unreadableValue(label, field, value)}</li>
            ))}
          </ul>
        </>
      )}
      {report.refused.length > 0 && (
        <>
          <h2 className="group-title note-error">{en.sync.refused}</h2>
          <RefusalGroups refused={report.refused} />
        </>
      )}
    </section>
  );
}
