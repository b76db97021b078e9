import type { Account } from '../../../shared/api/accounts.ts';
import type { Preferences } from '../../../shared/api/app.ts';
import type { BulkDone, BulkPreview, BulkScope, BulkTool } from '../../../shared/api/bulk.ts';
import type { AddedFile, ExportedFile } from '../../../shared/api/files.ts';
import type { RestoreScope } from '../../../shared/api/history.ts';
import type { Comment, Label } from '../../../shared/api/notes.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import type { SavedView } from '../../../shared/api/views.ts';
import type { ViewSpec } from '../../../shared/api/workspace.ts';
import { foundSettingText } from '../../../shared/error-help/connection-errors.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { errorText } from '../error-text.ts';
import { appTexts } from '../texts.ts';
import { type Client, isRefused } from '../transport/connection.ts';
import { type ActionContext, runAction } from './action-context.ts';
import { type RowActions, rowActions } from './row-actions.ts';

/**
 * What the user can do, each of it one call away for buttons, menus, shortcuts and the palette alike. What is done in one
 * dialog alone comes with the dialog (`useActions`).
 */
export type Actions = RowActions &
  NoteActions &
  BulkActions &
  FileActions &
  SyncActions &
  AccountActions &
  CheckActions &
  HistoryActions &
  ItemActions;

export const createActions = (doing: ActionContext): Actions => ({
  ...rowActions(doing),
  ...bulkActions(doing),
  ...noteActions(doing),
  ...fileActions(doing),
  ...syncActions(doing),
  ...accountActions(doing),
  ...checkActions(doing),
  ...historyActions(doing),
  ...itemActions(doing),
});

/** Tools that work in main over any number of rows, named by their view instead of being read one by one. */
interface BulkActions {
  /** What a tool would do; the failure in words, for showing beside what was typed. */
  previewTool(scope: BulkScope, tool: BulkTool, count: number): Promise<Result<BulkPreview, string>>;
  /** Does it as one step; null when nothing was done and the user has been told why. */
  applyTool(scope: BulkScope, tool: BulkTool, label: string, jobId?: string): Promise<BulkDone | null>;
}

function bulkActions(doing: ActionContext): BulkActions {
  const { client } = doing.connection;
  return {
    previewTool: async (scope, tool, count) => {
      const { workspaceId } = doing.store.getState();
      if (workspaceId === null) return err('');
      try {
        return ok(await client.bulk.preview({ workspaceId, scope, tool, count }));
      } catch (error) {
        return err(errorText(error));
      }
    },
    applyTool: (scope, tool, label, jobId = crypto.randomUUID()) =>
      doing.inOrder(() =>
        runAction(doing, (workspaceId) => client.bulk.apply({ workspaceId, scope, tool, label, jobId })),
      ),
  };
}

export type ExportFormat = 'csv' | 'xlsx' | 'html' | 'archive' | 'changes';

/** Files of the user on their way in, and the account as a sheet on its way out. */
interface FileActions {
  /** Probes files and copies the good ones into the library; one answer per file, in order. */
  addMedia(files: readonly File[]): Promise<readonly AddedFile[]>;
  /** Ends an import, an export or a change that goes on; what it was asked for then says so. */
  cancelTask(taskId: string): Promise<void>;
  /** The account, or exactly the rows of a view in its order. */
  exportFile(format: ExportFormat, view: ViewSpec | null): Promise<ExportedFile | null>;
}

function fileActions(doing: ActionContext): FileActions {
  const { client, files: gateway } = doing.connection;
  return {
    addMedia: async (files) => {
      const answers = await Promise.all(files.map((file) => gateway.grant(file)));
      const granted = answers.flatMap((answer) => (isRefused(answer) ? [] : [answer]));
      const added =
        granted.length === 0
          ? []
          : ((
              await runAction(doing, (workspaceId) =>
                client.media.add({ workspaceId, grants: granted.map(({ grant }) => grant) }),
              )
            )?.files ?? []);
      const rest = [...added];
      return answers.flatMap((answer, i): AddedFile[] => {
        if (isRefused(answer)) {
          return [{ outcome: 'refused', fileName: files[i]?.name ?? '', reason: answer.error, params: {} }];
        }
        const outcome = rest.shift();
        return outcome === undefined ? [] : [outcome];
      });
    },
    cancelTask: async (taskId) => {
      await runAction(doing, () => client.tasks.cancel({ taskId }));
    },
    exportFile: (format, view) =>
      runAction(doing, (workspaceId) => client.exchange.export({ workspaceId, format, view })),
  };
}

type ConnectInput = Parameters<Client['accounts']['connect']>[0];

/** Accounts and what is remembered for this user. */
interface AccountActions {
  addPractice(name: string): Promise<Account | null>;
  /** Answers with the failure itself, because the form shows it next to its fields. */
  connectAccount(input: ConnectInput): Promise<{ readonly account: Account } | { readonly failure: unknown }>;
  renameAccount(workspaceId: string, name: string): Promise<void>;
  setMode(workspaceId: string, mode: Account['mode']): Promise<void>;
  removeAccount(workspaceId: string): Promise<void>;
  openAccount(workspaceId: string): void;
  /** @returns whether main has them now; why not was told */
  remember(changes: Partial<Preferences>): Promise<boolean>;
}

function accountActions(doing: ActionContext): AccountActions {
  const { client } = doing.connection;
  const remember = async (changes: Partial<Preferences>): Promise<boolean> => {
    try {
      await client.app.preferences.set(changes);
      // Layout and account of this window are its own: what is remembered of them is for the next one.
      const { layout: _, lastWorkspaceId: __, ...others } = changes;
      const { queryKey } = doing.api.app.preferences.get.queryOptions();
      doing.queries.setQueryData<Preferences>(queryKey, (before) => before && { ...before, ...others });
      return true;
    } catch (error) {
      doing.notes.fail(errorText(error));
      return false;
    }
  };
  const openAccount = (workspaceId: string): void => {
    doing.store.getState().openWorkspace(workspaceId);
    void remember({ lastWorkspaceId: workspaceId });
  };
  return {
    addPractice: async (name) => {
      try {
        const account = await client.accounts.addPractice({ name });
        openAccount(account.workspaceId);
        return account;
      } catch (error) {
        doing.notes.fail(errorText(error));
        return null;
      }
    },
    connectAccount: async (input) => {
      try {
        const { found, clockAheadSeconds: _, ...account } = await client.accounts.connect(input);
        openAccount(account.workspaceId);
        for (const { setting, value } of found) doing.notes.tell(foundSettingText(setting, value));
        return { account };
      } catch (failure) {
        return { failure };
      }
    },
    renameAccount: async (workspaceId, name) => {
      try {
        await client.accounts.rename({ workspaceId, name });
      } catch (error) {
        doing.notes.fail(errorText(error));
      }
    },
    setMode: async (workspaceId, mode) => {
      try {
        await client.accounts.setMode({ workspaceId, mode });
      } catch (error) {
        doing.notes.fail(errorText(error));
      }
    },
    removeAccount: async (workspaceId) => {
      try {
        const { removed } = await client.accounts.remove({ workspaceId });
        doing.notes.tell(appTexts.account.removed(removed.length));
      } catch (error) {
        doing.notes.fail(errorText(error));
      }
    },
    openAccount,
    remember,
  };
}

/** The check of everything before it is sent, and which rules it is silent about. */
interface CheckActions {
  /** All three stages; without the service the last one is as old as the last refresh, which is said. */
  check(): Promise<void>;
  /** Silences a warning or a piece of advice in this account, or lets it speak again. */
  muteRule(rule: string, muted: boolean): Promise<boolean>;
}

function checkActions(doing: ActionContext): CheckActions {
  const { api, connection, notes, queries } = doing;
  return {
    check: async () => {
      const read = await runAction(doing, (workspaceId) => connection.client.sync.refresh({ workspaceId }));
      // A query, so that the panel that lists the stages shows this very check.
      const checked = await runAction(doing, (workspaceId) =>
        queries.fetchQuery(api.rules.check.queryOptions({ input: { workspaceId }, staleTime: 0 })),
      );
      const figures = await runAction(doing, (workspaceId) => connection.client.workspace.summary({ workspaceId }));
      if (checked === null || figures === null) return;
      const { error, warning } = figures.findings;
      notes.tell((read === null ? appTexts.check.partly : appTexts.check.done)(error, warning));
    },
    muteRule: async (rule, muted) => {
      const now = await runAction(doing, (workspaceId) => connection.client.rules.mute({ workspaceId, rule, muted }));
      if (now !== null && muted) notes.tell(appTexts.check.mutedTold);
      return now !== null;
    },
  };
}

/** Going back in the history, as an edit like any other. */
interface HistoryActions {
  /** Brings back what was there right after a step; 0 stands for before all of them. */
  bringBack(to: number, scope: RestoreScope, label: string): Promise<boolean>;
}

const historyActions = (doing: ActionContext): HistoryActions => ({
  bringBack: async (to, scope, label) => {
    const restored = await doing.inOrder(() =>
      runAction(doing, (workspaceId) => doing.connection.client.history.restore({ workspaceId, to, scope, label })),
    );
    if (restored !== null) doing.notes.tell(appTexts.history.back(restored.cells, restored.created, restored.removed));
    return restored !== null;
  },
});

/** Looking items up at the service. */
interface ItemActions {
  /** Asks for the new items that no search has confirmed, and says what came of it; the findings have the rest. */
  confirmItems(): Promise<boolean>;
}

const itemActions = (doing: ActionContext): ItemActions => ({
  confirmItems: async () => {
    const confirmed = await runAction(doing, (workspaceId) => doing.connection.client.items.confirm({ workspaceId }));
    if (confirmed === null) return false;
    const { asked, found, refused } = confirmed;
    if (refused.length > 0) doing.notes.fail(appTexts.items.refused(refused));
    else doing.notes.tell(asked === 0 ? appTexts.items.nothing : appTexts.items.confirmed(asked, found));
    return true;
  },
});

/** Labels, comments and saved views: what people say about rows, and how they like to look at them. None is ever sent. */
interface NoteActions {
  saveLabel(name: string, color: string): Promise<Label | null>;
  label(
    kind: RowRef['kind'],
    ids: readonly RowRef['id'][],
    add: readonly number[],
    remove: readonly number[],
  ): Promise<boolean>;
  /** @param field what it is about; null for the row as a whole */
  comment(ref: RowRef, field: string | null, text: string): Promise<Comment | null>;
  resolveComment(id: number, resolved: boolean): Promise<boolean>;
  removeComment(id: number): Promise<boolean>;
  saveView(view: Omit<SavedView, 'id'>, id: number | null): Promise<SavedView | null>;
  removeView(id: number): Promise<boolean>;
}

function noteActions(doing: ActionContext): NoteActions {
  const { client } = doing.connection;
  return {
    saveLabel: (name, color) =>
      runAction(doing, (workspaceId) => client.notes.saveLabel({ workspaceId, id: null, name, color })),
    label: async (kind, ids, add, remove) => {
      const done = await runAction(doing, (workspaceId) =>
        client.notes.label({ workspaceId, rows: [{ kind, ids: [...ids] }], add: [...add], remove: [...remove] }),
      );
      return done !== null;
    },
    comment: (ref, field, text) =>
      runAction(doing, (workspaceId) => client.notes.comment({ workspaceId, ref, field, author: '', text })),
    resolveComment: async (id, resolved) =>
      (await runAction(doing, (workspaceId) => client.notes.editComment({ workspaceId, id, resolved }))) !== null,
    removeComment: async (id) =>
      (await runAction(doing, (workspaceId) => client.notes.removeComment({ workspaceId, id }))) !== null,
    saveView: (view, id) => runAction(doing, (workspaceId) => client.views.save({ workspaceId, id, ...view })),
    removeView: async (id) =>
      (await runAction(doing, (workspaceId) => client.views.remove({ workspaceId, id }))) !== null,
  };
}

/** Everything that talks to the service. Progress and results come by events. */
interface SyncActions {
  pauseSync(): Promise<boolean>;
  /** Goes on now with the sync that is paused or waits. */
  resumeSync(): Promise<boolean>;
  /** Stops what runs, or drops what is pending. */
  stopSync(): Promise<boolean>;
  refreshAll(): Promise<boolean>;
  /** Reads these campaigns alone, with all that hangs from them. */
  refreshCampaigns(campaignIds: readonly RowRef['id'][]): Promise<boolean>;
  pollReviews(): Promise<boolean>;
  review(what: 'submit' | 'cancel', campaignIds: readonly number[]): Promise<boolean>;
}

function syncActions(doing: ActionContext): SyncActions {
  const { client } = doing.connection;
  const done = async <T>(call: (workspaceId: string) => Promise<T>): Promise<boolean> =>
    (await runAction(doing, call)) !== null;
  return {
    pauseSync: () => done((workspaceId) => client.sync.pause({ workspaceId })),
    resumeSync: () => done((workspaceId) => client.sync.resume({ workspaceId })),
    stopSync: () => done((workspaceId) => client.sync.cancel({ workspaceId })),
    refreshAll: async () => {
      const refreshed = await done((workspaceId) => client.sync.refresh({ workspaceId }));
      if (refreshed) doing.notes.tell(appTexts.sync.refreshed);
      return refreshed;
    },
    refreshCampaigns: async (campaignIds) => {
      const some = { campaignIds: [...campaignIds] };
      const refreshed = await done((workspaceId) => client.sync.refresh({ workspaceId, ...some }));
      if (refreshed) doing.notes.tell(appTexts.sync.refreshedSome(campaignIds.length));
      return refreshed;
    },
    pollReviews: () => done((workspaceId) => client.review.poll({ workspaceId })),
    review: (what, campaignIds) =>
      done((workspaceId) => client.review[what]({ workspaceId, campaignIds: [...campaignIds] })),
  };
}
