import type { ExportedFile } from '../../../shared/api/files.ts';
import type { AcceptedIds, IdScan } from '../../../shared/api/items.ts';
import { fileRefusalText } from '../../../shared/media/file-refusal.ts';
import { enAfterSync } from '../../texts/en-sync-followup.ts';
import { isRefused } from '../transport/files.ts';
import { type ActionContext, runAction } from './action-context.ts';

/** What the user does about what a sync has left, and about item ids that were spoiled. */
export interface SyncFollowupActions {
  answerUploadHost(host: string, allow: boolean): Promise<boolean>;
  forgetUploadHost(host: string): Promise<boolean>;
  stageTakeBack(runId: string): Promise<boolean>;
  /** @param file a sheet to look through; null for the drafts */
  scanItemIds(file: File | null): Promise<IdScan | null>;
  applyItemIds(accepted: AcceptedIds): Promise<boolean>;
  saveItemIds(what: 'report' | 'mend', scanId: string, accepted: AcceptedIds): Promise<ExportedFile | null>;
}

export function afterSyncActions(doing: ActionContext): SyncFollowupActions {
  const { client, files } = doing.connection;
  const hostsChanged = <T>(workspaceId: string, hosts: T): T => {
    doing.queries.refetch(`upload hosts ${workspaceId}`);
    doing.queries.refetch(`waiting ${workspaceId}`);
    return hosts;
  };
  return {
    answerUploadHost: async (host, allow) =>
      (await runAction(doing, async (workspaceId) =>
        hostsChanged(workspaceId, await client.uploadHosts.answer({ workspaceId, host, allow })),
      )) !== null,
    forgetUploadHost: async (host) =>
      (await runAction(doing, async (workspaceId) =>
        hostsChanged(workspaceId, await client.uploadHosts.forget({ workspaceId, host })),
      )) !== null,
    stageTakeBack: async (runId) => {
      const staged = await doing.inOrder(() =>
        runAction(doing, (workspaceId) => client.takeBack.stage({ workspaceId, runId })),
      );
      if (staged !== null) doing.notes.tell(enAfterSync.takeBack.staged(staged.cells));
      return staged !== null;
    },
    scanItemIds: async (file) => {
      if (file === null) return runAction(doing, (workspaceId) => client.ids.scan({ workspaceId }));
      const granted = await files.grant(file);
      if (!isRefused(granted)) {
        return runAction(doing, (workspaceId) => client.ids.scan({ workspaceId, grant: granted.grant }));
      }
      doing.notes.fail(fileRefusalText(file.name, granted.error, {}));
      return null;
    },
    applyItemIds: async (accepted) => {
      const applied = await doing.inOrder(() =>
        runAction(doing, (workspaceId) => client.ids.apply({ workspaceId, accepted })),
      );
      if (applied !== null) doing.notes.tell(enAfterSync.ids.applied(applied.rows));
      return applied !== null;
    },
    saveItemIds: (what, scanId, accepted) =>
      runAction(doing, (workspaceId) => client.ids[what]({ workspaceId, scanId, accepted })),
  };
}
