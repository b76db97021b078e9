import type { SyncReport } from '../../../shared/contract/sync.ts';
import { useDesk, useView } from '../../app/desk.ts';
import { summary } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { enAfterSync } from '../../messages/en-after-sync.ts';
import { RefusalGroups } from '../refusals/RefusalGroups.tsx';

/** How much needs the user after a sync: what was refused, what only they can answer, and what was changed on both sides. */
export function useNeedsYou(): (report: SyncReport) => number {
  const workspaceId = useView((s) => s.workspaceId);
  const conflicts = useQuery(workspaceId === null ? null : summary(workspaceId)).data?.conflicts ?? 0;
  return (report) => report.refused.length + report.questions + conflicts;
}

/** What came of the last sync: the one line that matters first, then what was refused and why. */
export function Report({ report }: { readonly report: SyncReport }) {
  const { store } = useDesk();
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
          {en.sync.stoppedBy[report.stoppedBy.cause]} <span className="quiet">{report.stoppedBy.detail}</span>
        </p>
      )}
      {report.done > 0 && (
        <button type="button" className="chip" onClick={() => store.getState().show({ name: 'take-back' })}>
          {enAfterSync.takeBack.open}
        </button>
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
