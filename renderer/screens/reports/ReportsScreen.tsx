import { useState } from 'react';
import type { ReportRequest } from '../../../shared/contract/reports.ts';
import { plainDate } from '../../../shared/model/plain-date.ts';
import { useAppContext } from '../../app/desk.ts';
import { reports } from '../../data/report-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { enReports } from '../../messages/en-reports.ts';
import { errorText } from '../../messages/errors.ts';
import { Empty } from '../../ui/Empty.tsx';
import { SavedReports } from './KeptReports.tsx';
import { ReportJobs } from './ReportJobs.tsx';
import { ReportSheet } from './ReportSheet.tsx';
import { RequestForm } from './RequestForm.tsx';

/** The same as before, also where the account would say otherwise by now. */
const wishOf = ({ reportType, startDate, endDate, byDate, attributionWindow, format }: ReportRequest): ReportRequest => ({
  reportType,
  startDate,
  endDate,
  byDate,
  attributionWindow: attributionWindow ?? null,
  format: format ?? null,
});

/** How campaigns have done: ask for a report, choose among those kept, and look at it. */
export function ReportsScreen({ workspaceId }: { readonly workspaceId: string }) {
  const { actions } = useAppContext();
  const kept = useQuery(reports(workspaceId));
  const [chosen, setChosen] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const request = async (wish: ReportRequest, again: boolean): Promise<void> => {
    setBusy(true);
    const snapshot = await actions.requestReport(wish, again);
    setBusy(false);
    if (snapshot !== null) setChosen(snapshot.id);
  };
  const snapshots = kept.data?.snapshots ?? [];
  const today = plainDate(kept.data?.today ?? '');
  const shown = snapshots.find(({ id }) => id === chosen) ?? snapshots[0];
  return (
    <div className="reports">
      <header className="reports-bar">
        <h1 className="view-title">{enReports.title}</h1>
        {today !== null && (
          <RequestForm
            today={today}
            key={today}
            types={kept.data?.types ?? []}
            busy={busy}
            onRequest={(wish) => void request(wish, false)}
          />
        )}
      </header>
      {kept.error !== null && <p className="note-error">{errorText(kept.error)}</p>}
      {kept.data !== undefined && kept.data.damaged > 0 && (
        <p className="note-warning">{enReports.damaged(kept.data.damaged)}</p>
      )}
      <ReportJobs
        jobs={kept.data?.jobs ?? []}
        busy={busy}
        onChoose={setChosen}
        onAgain={(job) => void request(wishOf(job), true)}
      />
      {shown === undefined ? (
        kept.data !== undefined && <Empty title={enReports.none} text={enReports.noneText} />
      ) : (
        <>
          <SavedReports
            snapshots={snapshots}
            shown={shown}
            busy={busy}
            onChoose={setChosen}
            onAgain={() => void request(wishOf(shown), true)}
          />
          <ReportSheet key={shown.id} workspaceId={workspaceId} snapshot={shown} />
        </>
      )}
    </div>
  );
}
