import { useState } from 'react';
import type { ReportQuery, ReportPart, ReportSnapshot, ReportView } from '../../../shared/contract/reports.ts';
import { reportView } from '../../data/report-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { enReports } from '../../messages/en-reports.ts';
import { errorText } from '../../messages/errors.ts';
import { Empty } from '../../ui/Empty.tsx';
import { Charts } from './Charts.tsx';
import { FigurePicker } from './FigurePicker.tsx';
import { MetricTable } from './FigureTable.tsx';
import { firstChoice } from './figures.ts';
import { PrintTitle } from './PrintTitle.tsx';
import { Totals } from './Totals.tsx';
import { AttributionWindowPicker } from './WindowChoice.tsx';

const PAGE = 100;

/** Where a report is first looked at: its campaigns, those that cost most at the top. */
const FIRST_LOOK: ReportQuery = {
  groupBy: 'campaignName',
  contains: '',
  sortBy: 'adSpend',
  descending: true,
  figure: 'adSpend',
  from: 0,
  count: PAGE,
};

interface ReportSheetProps {
  readonly workspaceId: string;
  readonly snapshot: ReportSnapshot;
}

/** One report: totals, charts, table. The way of looking is this component's, the figures are main's. */
export function ReportSheet({ workspaceId, snapshot }: ReportSheetProps) {
  const [look, setLook] = useState<ReportQuery>(FIRST_LOOK);
  const [columns, setColumns] = useState<readonly string[] | null>(null);
  const answer = useQuery(reportView(workspaceId, snapshot.id, look));
  // While another look is on its way the last one stays on screen.
  const [last, setLast] = useState<ReportView | null>(null);
  if (answer.data !== undefined && answer.data !== last) setLast(answer.data);
  const view = answer.data ?? last;

  if (answer.error !== null && view === null) return <p className="note-error">{errorText(answer.error)}</p>;
  if (view === null) return null;
  if (view.snapshot.rows === 0) return <Empty title={enReports.empty} text={enReports.emptyText} />;
  const shown = columns ?? firstChoice(view.figures);
  const figures = view.figures.filter(({ column }) => shown.includes(column));
  const change = (part: Partial<ReportQuery>): void => setLook((before) => ({ ...before, from: 0, ...part }));
  return (
    <div className="reports-sheet">
      <PrintTitle workspaceId={workspaceId} snapshot={snapshot} />
      {view.unreadable > 0 && <p className="note-warning">{enReports.unreadable(view.unreadable)}</p>}
      <Parts parts={snapshot.parts ?? []} />
      <div className="reports-figures">
        <FigurePicker figures={view.figures} shown={shown} onShow={setColumns} />
        <AttributionWindowPicker figures={view.figures} shown={shown} onShow={setColumns} />
      </div>
      <Totals figures={figures} total={view.total.figures} />
      <Charts view={view} figures={figures} figure={look.figure} onFigure={(figure) => change({ figure })} />
      <MetricTable view={view} figures={figures} look={look} onLook={change} pageSize={PAGE} />
    </div>
  );
}

/** Of which files of an archive the rows are, and which had other columns and stay out. */
function Parts({ parts }: { readonly parts: readonly ReportPart[] }) {
  if (parts.length === 0) return null;
  const names = (used: boolean): string =>
    parts
      .filter((part) => part.used === used)
      .map(({ name, rows }) => enReports.part(name, rows))
      .join(', ');
  const left = names(false);
  return (
    <>
      <p className="quiet">{enReports.parts(names(true))}</p>
      {left !== '' && <p className="note-warning">{enReports.partsLeft(left)}</p>}
    </>
  );
}
