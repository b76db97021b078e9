import { enBackups } from '../messages/en-backups.ts';
import { bytesText } from '../messages/numbers.ts';
import { runAction, type ActionContext } from './doing.ts';

/** The way back: backups, and what to do about what was found when the account was opened. */
export interface BackupActions {
  makeBackup(): Promise<boolean>;
  /** Puts a backup in the place of what is here; everything on screen is read anew when main has opened it. */
  restoreBackup(backupId: string): Promise<boolean>;
  salvage(): Promise<boolean>;
  /** Says which of two copies of an account this is. */
  settleCopy(which: 'moved' | 'copied'): Promise<boolean>;
}

export function backupActions(doing: ActionContext): BackupActions {
  const { client } = doing.connection;
  const { notes, queries, store } = doing;
  const lookAgain = (): void => {
    const { workspaceId } = store.getState();
    queries.refetch(`backups ${workspaceId}`);
    queries.refetch(`condition ${workspaceId}`);
  };
  return {
    makeBackup: async () => {
      const made = await runAction(doing, (workspaceId) => client.backups.make({ workspaceId }));
      lookAgain();
      if (made !== null) notes.tell(enBackups.made(bytesText(made.bytes)));
      return made !== null;
    },
    restoreBackup: async (backupId) => {
      const restored = await runAction(doing, (workspaceId) => client.backups.restore({ workspaceId, backupId }));
      lookAgain();
      if (restored !== null) notes.tell(enBackups.restored);
      return restored !== null;
    },
    salvage: async () => {
      const report = await runAction(doing, (workspaceId) => client.backups.salvage({ workspaceId }));
      lookAgain();
      if (report !== null) notes.tell(enBackups.salvaged(report.rows, report.lostRanges, report.lostRows));
      return report !== null;
    },
    settleCopy: async (which) => {
      const settled = await runAction(doing, (workspaceId) => client.backups.settle({ workspaceId, this: which }));
      lookAgain();
      return settled !== null;
    },
  };
}
