import type { ExportedFile } from '../../shared/contract/exported-file.ts';
import type { ReportSnapshot, ReportRequest } from '../../shared/contract/reports.ts';
import { enReports } from '../messages/en-reports.ts';
import { runAction, type ActionContext } from './doing.ts';

export interface ReportActions {
  /** @returns the report to look at; null when there is none, or not yet, which was said */
  requestReport(wish: ReportRequest, again: boolean): Promise<ReportSnapshot | null>;
  reportCsv(id: string): Promise<ExportedFile | null>;
  /** The answer of the service to the byte. */
  reportRaw(id: string): Promise<ExportedFile | null>;
  /** Asks the service how a report in the background stands. */
  lookAtJob(snapshotId: string): Promise<void>;
  giveUpJob(snapshotId: string): Promise<void>;
  removeReport(id: string): Promise<boolean>;
}

export function reportActions(doing: ActionContext): ReportActions {
  const { client } = doing.connection;
  const listChanged = (): void => doing.queries.refetch(`reports ${doing.store.getState().workspaceId}`);
  return {
    requestReport: async (wish, again) => {
      const answer = await runAction(doing, (workspaceId) => client.reports.request({ workspaceId, wish, again }));
      listChanged();
      if (answer === null) return null;
      if (answer.is === 'job') {
        doing.notes.tell(enReports.goesOn);
        return null;
      }
      if (answer.kept) doing.notes.tell(enReports.wasKept);
      return answer.snapshot;
    },
    reportRaw: (id) => runAction(doing, (workspaceId) => client.reports.raw({ workspaceId, id })),
    lookAtJob: async (snapshotId) => {
      const job = await runAction(doing, (workspaceId) => client.reports.look({ workspaceId, snapshotId }));
      if (job?.state === 'waiting') doing.notes.tell(enReports.stillWaiting);
      listChanged();
    },
    giveUpJob: async (snapshotId) => {
      await runAction(doing, (workspaceId) => client.reports.giveUp({ workspaceId, snapshotId }));
      listChanged();
    },
    reportCsv: (id) => runAction(doing, (workspaceId) => client.reports.csv({ workspaceId, id })),
    removeReport: async (id) => {
      const removed = await runAction(doing, (workspaceId) => client.reports.remove({ workspaceId, id }));
      if (removed !== null) listChanged();
      return removed !== null;
    },
  };
}
