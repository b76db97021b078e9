import { ORPCError } from '@orpc/client';
import type { Account } from '../../../shared/api/accounts.ts';
import type { Preferences } from '../../../shared/api/app.ts';
import type { ExportedFile } from '../../../shared/api/files.ts';
import type { RestoreScope } from '../../../shared/api/history.ts';
import type { Comment, Label } from '../../../shared/api/notes.ts';
import type { ReportRequest, ReportSnapshot } from '../../../shared/api/reports.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import type { ChosenRows } from '../../../shared/api/sync.ts';
import type { SavedView } from '../../../shared/api/views.ts';
import { foundSettingText } from '../../../shared/error-help/connection-errors.ts';
import { fileRefusalText } from '../../../shared/media/file-refusal.ts';
import type { CapabilityName } from '../../../shared/plan/plan-types.ts';
import { capabilities } from '../../data/account-questions.ts';
import { en } from '../../texts/en.ts';
import { enBackups } from '../../texts/en-backups.ts';
import { enCheck } from '../../texts/en-check.ts';
import { enHistory } from '../../texts/en-history.ts';
import { enItems } from '../../texts/en-items.ts';
import { enLaunch } from '../../texts/en-launch.ts';
import { enPendingSync } from '../../texts/en-pending-sync.ts';
import { enReports } from '../../texts/en-reports.ts';
import { enResponses } from '../../texts/en-responses.ts';
import { enSettings } from '../../texts/en-settings.ts';
import { errorText } from '../../texts/errors.ts';
import { bytesText } from '../../texts/numbers.ts';
import type { Client } from '../transport/connection.ts';
import { isRefused } from '../transport/files.ts';
import { type ActionContext, runAction } from './action-context.ts';
import { type BulkActions, bulkActions } from './bulk-actions.ts';
import { type FileActions, fileActions } from './file-actions.ts';
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
  BackupActions &
  CheckActions &
  HistoryActions &
  ItemActions &
  ReportActions;

export const createActions = (doing: ActionContext): Actions => ({
  ...rowActions(doing),
  ...bulkActions(doing),
  ...noteActions(doing),
  ...fileActions(doing),
  ...syncActions(doing),
  ...accountActions(doing),
  ...backupActions(doing),
  ...checkActions(doing),
  ...historyActions(doing),
  ...itemActions(doing),
  ...reportActions(doing),
});

type ConnectInput = Parameters<Client['accounts']['connect']>[0];

/** Accounts and what is remembered for this user. */
interface AccountActions {
  addPractice(name: string): Promise<Account | null>;
  /** Answers with the failure itself, because the form shows it next to its fields. */
  connectAccount(input: ConnectInput): Promise<{ readonly account: Account } | { readonly failure: unknown }>;
  renameAccount(workspaceId: string, name: string): Promise<void>;
  setMode(workspaceId: string, mode: Account['mode']): Promise<void>;
  /** @param text a policy that can be read (`shared/merge/merge.ts`) */
  setConflictPolicy(workspaceId: string, text: string): Promise<boolean>;
  /** Keeps no more than so many megabytes of what the service answered; 0 keeps none. */
  keepAnswers(workspaceId: string, boundMb: number): Promise<void>;
  /** Stores what a deployment has otherwise than usual. @returns what cannot be used of it, in sentences; none when it is in use */
  setProfile(workspaceId: string, text: string): Promise<readonly string[]>;
  /** Asks the service which requests it offers beyond the documented ones. */
  probeCapabilities(workspaceId: string): Promise<void>;
  /** @param use null follows what the service offers */
  setCapability(workspaceId: string, name: CapabilityName, use: boolean | null): Promise<void>;
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
    setConflictPolicy: async (workspaceId, text) => {
      try {
        await client.conflictPolicy.set({ workspaceId, text });
      } catch (error) {
        doing.notes.fail(errorText(error));
        return false;
      }
      doing.queries.refetch(`conflict policy ${workspaceId}`);
      return true;
    },
    keepAnswers: async (workspaceId, boundMb) => {
      try {
        await client.answers.keep({ workspaceId, boundMb });
      } catch (error) {
        doing.notes.fail(errorText(error));
        return;
      }
      doing.queries.refetch(`answers kept ${workspaceId}`);
      doing.notes.tell(enResponses.kept.saved(boundMb));
    },
    setProfile: async (workspaceId, text) => {
      try {
        await client.accounts.setProfile({ workspaceId, text });
        doing.queries.refetch(`profile ${workspaceId}`);
        doing.notes.tell(enSettings.saved);
        return [];
      } catch (error) {
        return problemsOf(error);
      }
    },
    probeCapabilities: async (workspaceId) => {
      try {
        await client.accounts.probeCapabilities({ workspaceId });
        doing.notes.tell(enSettings.capabilities.probed);
      } catch (error) {
        doing.notes.fail(errorText(error));
      }
      doing.queries.refetch(capabilities(workspaceId).key);
    },
    setCapability: async (workspaceId, name, use) => {
      try {
        await client.accounts.setCapability({ workspaceId, name, use });
      } catch (error) {
        doing.notes.fail(errorText(error));
      }
      doing.queries.refetch(capabilities(workspaceId).key);
    },
    removeAccount: async (workspaceId) => {
      try {
        const { removed } = await client.accounts.remove({ workspaceId });
        doing.notes.tell(en.account.removed(removed.length));
      } catch (error) {
        doing.notes.fail(errorText(error));
      }
    },
    openAccount,
    remember,
  };
}

/** Every value that was refused, each in a sentence; another failure in one. */
function problemsOf(error: unknown): readonly string[] {
  if (!(error instanceof ORPCError) || error.code !== 'BAD_PROFILE') return [errorText(error)];
  const { problems } = error.data as { readonly problems: readonly { readonly problem: string }[] };
  return problems.map(({ problem }) => problem);
}

/** The way back: backups, and what to do about what was found when the account was opened. */
interface BackupActions {
  makeBackup(): Promise<boolean>;
  /** Puts a backup in the place of what is here; everything on screen is read anew when main has opened it. */
  restoreBackup(backupId: string): Promise<boolean>;
  salvage(): Promise<boolean>;
  /** Says which of two copies of an account this is. */
  settleCopy(which: 'moved' | 'copied'): Promise<boolean>;
}

function backupActions(doing: ActionContext): BackupActions {
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

/** The check of everything before it is sent, and which rules it is silent about. */
interface CheckActions {
  /** All three stages; without the service the last one is as old as the last refresh, which is said. */
  check(): Promise<void>;
  /** Silences a warning or a piece of advice in this account, or lets it speak again. */
  muteRule(rule: string, muted: boolean): Promise<boolean>;
}

function checkActions(doing: ActionContext): CheckActions {
  const { connection, notes, queries, store } = doing;
  const lookAgain = (): void => {
    const { workspaceId } = store.getState();
    queries.refetch(`check ${workspaceId}`);
    queries.refetch(`muted ${workspaceId}`);
  };
  return {
    check: async () => {
      const read = await runAction(doing, (workspaceId) => connection.client.sync.refresh({ workspaceId }));
      const checked = await runAction(doing, (workspaceId) => connection.client.rules.check({ workspaceId }));
      const figures = await runAction(doing, (workspaceId) => connection.client.workspace.summary({ workspaceId }));
      lookAgain();
      if (checked === null || figures === null) return;
      const { error, warning } = figures.findings;
      notes.tell((read === null ? enCheck.partly : enCheck.done)(error, warning));
    },
    muteRule: async (rule, muted) => {
      const now = await runAction(doing, (workspaceId) => connection.client.rules.mute({ workspaceId, rule, muted }));
      lookAgain();
      if (now !== null && muted) notes.tell(enCheck.mutedTold);
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
    if (restored !== null) doing.notes.tell(enHistory.back(restored.cells, restored.created, restored.removed));
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
    if (refused.length > 0) doing.notes.fail(enItems.refused(refused));
    else doing.notes.tell(asked === 0 ? enItems.nothing : enItems.confirmed(asked, found));
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
  /** Saved views and labels are told by no event when no row has changed. */
  const again = <T>(what: string, answer: T): T => {
    const { workspaceId } = doing.store.getState();
    doing.queries.refetch(`${what} ${workspaceId}`);
    return answer;
  };
  return {
    saveLabel: async (name, color) =>
      again(
        'labels',
        await runAction(doing, (workspaceId) => client.notes.saveLabel({ workspaceId, id: null, name, color })),
      ),
    label: async (kind, ids, add, remove) => {
      const done = await runAction(doing, (workspaceId) =>
        client.notes.label({ workspaceId, rows: [{ kind, ids: [...ids] }], add: [...add], remove: [...remove] }),
      );
      return again('labels', done !== null);
    },
    comment: (ref, field, text) =>
      runAction(doing, (workspaceId) => client.notes.comment({ workspaceId, ref, field, author: '', text })),
    resolveComment: async (id, resolved) =>
      (await runAction(doing, (workspaceId) => client.notes.editComment({ workspaceId, id, resolved }))) !== null,
    removeComment: async (id) =>
      (await runAction(doing, (workspaceId) => client.notes.removeComment({ workspaceId, id }))) !== null,
    saveView: async (view, id) =>
      again('views', await runAction(doing, (workspaceId) => client.views.save({ workspaceId, id, ...view }))),
    removeView: async (id) =>
      again('views', (await runAction(doing, (workspaceId) => client.views.remove({ workspaceId, id }))) !== null),
  };
}

interface ReportActions {
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

function reportActions(doing: ActionContext): ReportActions {
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

type Answer = Parameters<Client['sync']['answer']>[0]['answer'];
type Choice = Parameters<Client['sync']['resolve']>[0]['choices'][number];

interface ScheduleWish {
  readonly submit: boolean;
  readonly chosen: ChosenRows | null;
  /** Milliseconds since 1970. */
  readonly deadline: number | null;
  readonly after: number;
  readonly healthyMinutes: number;
}

/** Everything that talks to the service. Progress and results come by events. */
interface SyncActions {
  /** @returns the run that has begun; null when none could, which was said */
  startSync(submit: boolean, chosen: ChosenRows | null, deadline: number | null): Promise<string | null>;
  /** Sends the plan that was shown, or nothing. @returns the run that has begun, as `startSync` does */
  runPlan(planId: string): Promise<string | null>;
  /** The plan that was shown as a file; null when there is none by now, which was said. */
  savePlan(planId: string): Promise<ExportedFile | null>;
  /** Hands a plan file to main. @returns its grant; null when it could not be handed over, which was said */
  grantPlan(file: File): Promise<string | null>;
  /** Sends the plan once the service has responded for some minutes without a break. */
  scheduleSync(wish: ScheduleWish): Promise<boolean>;
  pauseSync(): Promise<boolean>;
  /** Goes on now with the sync that is paused or waits. */
  resumeSync(): Promise<boolean>;
  /** Stops what runs, or drops what is pending. */
  stopSync(): Promise<boolean>;
  refreshAll(): Promise<boolean>;
  /** Reads these campaigns alone, with all that hangs from them. */
  refreshCampaigns(campaignIds: readonly RowRef['id'][]): Promise<boolean>;
  /** Reads the campaigns that may be out of date: those not read for so many hours, and those that are always read. */
  refreshOutdated(hours: number, campaigns: number): Promise<boolean>;
  pollReviews(): Promise<boolean>;
  review(what: 'submit' | 'cancel', campaignIds: readonly number[]): Promise<boolean>;
  /** Sends what was mended in these campaigns and asks again for those; tells the user when nothing was. */
  reviewAgain(campaignIds: readonly RowRef['id'][]): Promise<boolean>;
  /** Sends and submits what was kept for after a review that is over. */
  submitKept(campaignId: RowRef['id']): Promise<boolean>;
  /** Cancels a review, sends what waits for its end, and asks for the review anew. */
  restartReview(campaignId: RowRef['id']): Promise<boolean>;
  answer(questionId: number, answer: Answer): Promise<boolean>;
  resolve(choices: readonly Choice[]): Promise<boolean>;
  movePracticeClock(duration: string): Promise<string | null>;
  decideReview(reviewId: string, verdict: 'approved' | 'rejected'): Promise<boolean>;
}

function syncActions(doing: ActionContext): SyncActions {
  const { client } = doing.connection;
  const done = async <T>(call: (workspaceId: string) => Promise<T>): Promise<boolean> =>
    (await runAction(doing, call)) !== null;
  const practiceChanged = (): void => {
    const { workspaceId } = doing.store.getState();
    doing.queries.refetch(`practice ${workspaceId}`);
    doing.queries.refetch(`reviews ${workspaceId}`);
  };
  return {
    startSync: async (submit, chosen, deadline) => {
      const wish = { submit, chosen, deadline, resumes: true };
      const run = await runAction(doing, (workspaceId) => client.sync.run({ workspaceId, ...wish }));
      return run?.runId ?? null;
    },
    runPlan: async (planId) =>
      (await runAction(doing, (workspaceId) => client.sync.run({ workspaceId, planId, resumes: true })))?.runId ?? null,
    savePlan: (planId) => runAction(doing, (workspaceId) => client.sync.savePlan({ workspaceId, planId })),
    grantPlan: async (file) => {
      const granted = await doing.connection.files.grant(file);
      if (!isRefused(granted)) return granted.grant;
      doing.notes.fail(fileRefusalText(file.name, granted.error, {}));
      return null;
    },
    scheduleSync: async (wish) => {
      const isScheduled = await done((workspaceId) => client.sync.schedule({ workspaceId, ...wish, resumes: true }));
      if (isScheduled) doing.notes.tell(enPendingSync.scheduled);
      return isScheduled;
    },
    pauseSync: () => done((workspaceId) => client.sync.pause({ workspaceId })),
    resumeSync: () => done((workspaceId) => client.sync.resume({ workspaceId })),
    stopSync: () => done((workspaceId) => client.sync.cancel({ workspaceId })),
    refreshAll: async () => {
      const refreshed = await done((workspaceId) => client.sync.refresh({ workspaceId }));
      if (refreshed) doing.notes.tell(en.sync.refreshed);
      return refreshed;
    },
    refreshCampaigns: async (campaignIds) => {
      const some = { campaignIds: [...campaignIds] };
      const refreshed = await done((workspaceId) => client.sync.refresh({ workspaceId, ...some }));
      if (refreshed) doing.notes.tell(en.sync.refreshedSome(campaignIds.length));
      return refreshed;
    },
    refreshOutdated: async (hours, campaigns) => {
      const refreshed = await done((workspaceId) => client.sync.refresh({ workspaceId, outdatedAfterHours: hours }));
      if (refreshed) doing.notes.tell(en.sync.refreshedSome(campaigns));
      return refreshed;
    },
    pollReviews: () => done((workspaceId) => client.review.poll({ workspaceId })),
    review: (what, campaignIds) =>
      done((workspaceId) => client.review[what]({ workspaceId, campaignIds: [...campaignIds] })),
    reviewAgain: async (rejected) => {
      const campaignIds = [...rejected];
      const plan = await runAction(doing, (workspaceId) =>
        client.sync.plan({ workspaceId, submit: true, campaignIds }),
      );
      if (plan === null) return false;
      if (plan.reviews > 0) return done((workspaceId) => client.review.submit({ workspaceId, campaignIds }));
      doing.notes.tell(enLaunch.reviews.unchanged);
      return false;
    },
    submitKept: (campaignId) =>
      done((workspaceId) => client.sync.run({ workspaceId, submit: true, campaignIds: [campaignId], resumes: true })),
    restartReview: (campaignId) =>
      done((workspaceId) =>
        client.sync.run({ workspaceId, submit: true, campaignIds: [campaignId], cancelReviews: true, resumes: true }),
      ),
    answer: (questionId, answer) => done((workspaceId) => client.sync.answer({ workspaceId, questionId, answer })),
    resolve: (choices) => done((workspaceId) => client.sync.resolve({ workspaceId, choices: [...choices] })),
    // The practice service has moved on, so what is here is read anew at once.
    movePracticeClock: async (duration) => {
      const state = await runAction(doing, (workspaceId) => client.practice.advance({ workspaceId, duration }));
      practiceChanged();
      if (state !== null) await done((workspaceId) => client.sync.refresh({ workspaceId }));
      return state?.now ?? null;
    },
    decideReview: async (reviewId, verdict) => {
      const decided = await done((workspaceId) => client.practice.decide({ workspaceId, reviewId, verdict }));
      practiceChanged();
      if (decided) await done((workspaceId) => client.sync.refresh({ workspaceId }));
      return decided;
    },
  };
}
