import type { ExportedFile } from '../../shared/contract/exported-file.ts';
import type { ReportSnapshot, ReportWish } from '../../shared/contract/reports.ts';
import { enReports } from '../messages/en-reports.ts';
import { attempt, type Doing } from './doing.ts';

export interface ReportActions {
  /** @returns the report to look at; null when there is none, or not yet, which was said */
  requestReport(wish: ReportWish, again: boolean): Promise<ReportSnapshot | null>;
  reportCsv(id: string): Promise<ExportedFile | null>;
  /** The answer of the service to the byte. */
  reportRaw(id: string): Promise<ExportedFile | null>;
  /** Asks the service how a report in the background stands. */
  lookAtJob(snapshotId: string): Promise<void>;
  giveUpJob(snapshotId: string): Promise<void>;
  removeReport(id: string): Promise<boolean>;
}

export function reportActions(doing: Doing): ReportActions {
  const { client } = doing.connection;
  const listChanged = (): void => doing.queries.refetch(`reports ${doing.store.getState().workspaceId}`);
  return {
    requestReport: async (wish, again) => {
      const answer = await attempt(doing, (workspaceId) => client.reports.request({ workspaceId, wish, again }));
      listChanged();
      if (answer === null) return null;
      if (answer.is === 'job') {
        doing.notes.tell(enReports.goesOn);
        return null;
      }
      if (answer.kept) doing.notes.tell(enReports.wasKept);
      return answer.snapshot;
    },
    reportRaw: (id) => attempt(doing, (workspaceId) => client.reports.raw({ workspaceId, id })),
    lookAtJob: async (snapshotId) => {
      const job = await attempt(doing, (workspaceId) => client.reports.look({ workspaceId, snapshotId }));
      if (job?.state === 'waiting') doing.notes.tell(enReports.stillWaiting);
      listChanged();
    },
    giveUpJob: async (snapshotId) => {
      await attempt(doing, (workspaceId) => client.reports.giveUp({ workspaceId, snapshotId }));
      listChanged();
    },
    reportCsv: (id) => attempt(doing, (workspaceId) => client.reports.csv({ workspaceId, id })),
    removeReport: async (id) => {
      const removed = await attempt(doing, (workspaceId) => client.reports.remove({ workspaceId, id }));
      if (removed !== null) listChanged();
      return removed !== null;
    },
  };
}
