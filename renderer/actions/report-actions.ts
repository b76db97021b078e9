import type { ExportedFile } from '../../shared/contract/exported-file.ts';
import type { ReportSnapshot, ReportWish } from '../../shared/contract/reports.ts';
import { enReports } from '../messages/en-reports.ts';
import { attempt, type Doing } from './doing.ts';

export interface ReportActions {
  /** @returns the report to look at; null when there is none, which was said */
  requestReport(wish: ReportWish, again: boolean): Promise<ReportSnapshot | null>;
  reportCsv(id: string): Promise<ExportedFile | null>;
  removeReport(id: string): Promise<boolean>;
}

export function reportActions(doing: Doing): ReportActions {
  const { client } = doing.connection;
  const listChanged = (): void => doing.queries.refetch(`reports ${doing.store.getState().workspaceId}`);
  return {
    requestReport: async (wish, again) => {
      const answer = await attempt(doing, (workspaceId) => client.reports.request({ workspaceId, wish, again }));
      if (answer === null) return null;
      if (answer.kept) doing.notes.tell(enReports.wasKept);
      listChanged();
      return answer.snapshot;
    },
    reportCsv: (id) => attempt(doing, (workspaceId) => client.reports.csv({ workspaceId, id })),
    removeReport: async (id) => {
      const removed = await attempt(doing, (workspaceId) => client.reports.remove({ workspaceId, id }));
      if (removed !== null) listChanged();
      return removed !== null;
    },
  };
}
