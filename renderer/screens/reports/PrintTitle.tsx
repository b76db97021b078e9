import type { ReportSnapshot } from '../../../shared/contract/reports.ts';
import { accounts } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { enReports } from '../../messages/en-reports.ts';
import { fullDayText } from '../../messages/numbers.ts';

interface PrintTitleProps {
  readonly workspaceId: string;
  readonly snapshot: ReportSnapshot;
}

/** What a printed report is of: the account, the kind, its days and from when it is. On screen the bars say so. */
export function PrintTitle({ workspaceId, snapshot }: PrintTitleProps) {
  const account = useQuery(accounts).data?.find((each) => each.workspaceId === workspaceId);
  const { reportType, startDate, endDate, fetchedOn } = snapshot;
  const type = enReports.types[reportType] ?? reportType;
  return (
    <div className="print-title">
      <h2>{account?.name ?? enReports.title}</h2>
      <p>
        {enReports.name(type, startDate, endDate)} · {enReports.asOf(fullDayText(fetchedOn))}
      </p>
    </div>
  );
}
