import { ORPCError } from '@orpc/client';
import type { QueryClient } from '@tanstack/react-query';
import type { Account } from '../../shared/api/accounts.ts';
import type { Preferences } from '../../shared/api/app.ts';
import type { BulkPreview, BulkScope, BulkTool } from '../../shared/api/bulk.ts';
import type { AddedFile } from '../../shared/api/files.ts';
import type { RestoreScope } from '../../shared/api/history.ts';
import { CHANGES_MAX } from '../../shared/api/limits.ts';
import type { DeepReadonly } from '../../shared/api/operation.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import type { ChosenRows } from '../../shared/api/sync.ts';
import type { SavedView } from '../../shared/api/views.ts';
import type { ViewSpec } from '../../shared/api/workspace.ts';
import { foundTexts } from '../../shared/error-help/connection-errors.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { SerialQueue } from '../../shared/serial-queue.ts';
import { errorText } from './error-text.ts';
import { readWhole } from './pages.ts';
import type { Api } from './queries.ts';
import type { AppStore } from './store/app-store.ts';
import { wholeCampaigns } from './store/sync-slice.ts';
import { appTexts } from './texts.ts';
import {
  type Client,
  type Connection,
  type FileOut,
  grantOf,
  type IncomingFile,
  isRefused,
} from './transport/connection.ts';

/** What a message offers to do, as a button. */
export interface NextStep {
  readonly name: string;
  readonly run: () => void;
}

/** Short messages, one of each kind at a time: the next takes the place of the one before. */
export interface Toasts {
  tell(text: string, next?: NextStep): void;
  fail(text: string, next?: NextStep): void;
  /** A file that was just made: it stays at hand for a while, to be dragged where it is wanted. */
  offer(file: FileOut): void;
}

export interface ActionContext {
  readonly connection: Connection;
  readonly api: Api;
  readonly queries: QueryClient;
  readonly store: AppStore;
  readonly toasts: Toasts;
  /**
   * For what changes rows: two changes on their way at once may be carried out the other way round, and filling down
   * right after typing would repeat what was there before.
   */
  readonly inOrder: SerialQueue;
}

/**
 * Carries out one call and shows a failure in words.
 *
 * @param retry does the same once more; offered beside the failure
 * @returns null when it failed
 */
export async function attempt<T>(
  { toasts }: Pick<ActionContext, 'toasts'>,
  call: () => Promise<T>,
  retry?: () => void,
): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if (isStopped(error)) toasts.tell(errorText(error));
    else toasts.fail(errorText(error), retry && { name: appTexts.tryAgain, run: retry });
    return null;
  }
}

/** What the user has stopped is no failure. */
export const isStopped = (error: unknown): boolean => error instanceof ORPCError && error.code === 'CANCELLED'; // lint-text: ok, a code of the contract

/**
 * The same for the open account. Trying again is for that account too, as another one may be open by then.
 *
 * @param isRetried offers to try again beside the failure
 * @returns null when it failed or no account is open
 */
export async function runAction<T>(
  context: Pick<ActionContext, 'store' | 'toasts'>,
  call: (workspaceId: string) => Promise<T>,
  isRetried = false,
): Promise<T | null> {
  const { workspaceId } = context.store.getState();
  if (workspaceId === null) return null;
  const once = (): Promise<T | null> =>
    attempt(context, () => call(workspaceId), isRetried ? () => void once() : undefined);
  return once();
}

/**
 * Runs an edit of rows after the edits before it. It is for the account that is open now: another one may be open when it is
 * its turn.
 *
 * @returns null when it failed or no account is open
 */
export function runEdit<T>(
  context: Pick<ActionContext, 'store' | 'inOrder' | 'toasts'>,
  call: (workspaceId: string) => Promise<T>,
  workspaceId = context.store.getState().workspaceId,
): Promise<T | null> {
  return context.inOrder(async () => (workspaceId === null ? null : attempt(context, () => call(workspaceId))));
}

/** The same for what is shown where it was asked for: the failure in words is the answer. */
export async function inWords<T>(call: () => Promise<T>): Promise<Result<T, string>> {
  try {
    return ok(await call());
  } catch (error) {
    return err(errorText(error));
  }
}

/** Hands a file to main. @returns its grant; null when it could not be handed over, which was said */
export async function grantFile(
  { connection, toasts }: Pick<ActionContext, 'connection' | 'toasts'>,
  file: IncomingFile,
): Promise<string | null> {
  const granted = await grantOf(connection.files, file);
  if (!isRefused(granted)) return granted.grant;
  toasts.fail(errorText(granted));
  return null;
}

type RefreshInput = Parameters<Client['sync']['refresh']>[0];

/**
 * Reads from the service. Trying again is for the account of the first try: another one may be open by then.
 *
 * @param told said when it has been read
 * @param some the campaigns to read; default: all
 */
export async function refresh(
  context: Pick<ActionContext, 'connection' | 'store' | 'toasts'>,
  told: string,
  some: Omit<RefreshInput, 'workspaceId'> = {},
  workspaceId = context.store.getState().workspaceId,
): Promise<boolean> {
  if (workspaceId === null) return false;
  const { announce, noteRefresh } = context.store.getState();
  const read = () => context.connection.client.sync.refresh({ workspaceId, ...some });
  noteRefresh(workspaceId, false);
  announce(appTexts.sync.refreshing);
  const done = await attempt(context, read, () => void refresh(context, told, some, workspaceId));
  noteRefresh(workspaceId, true);
  // The message at the end is announced too; the next refresh is announced again.
  if (context.store.getState().announcement === appTexts.sync.refreshing) announce('');
  if (done === null) return false;
  context.toasts.tell(told);
  return true;
}

export type CellChange = DeepReadonly<Parameters<Client['workspace']['edit']>[0]['changes'][number]>;
export type NewRow = DeepReadonly<Parameters<Client['workspace']['create']>[0]['rows'][number]>;

/** A row as the screens name it; main brands the id when it checks the call. */
export interface RowName {
  readonly kind: Kind;
  readonly id: number;
}

/** What was written: the rows it touched, created ones first, and what it has made of them. */
export type Edited = Awaited<ReturnType<Client['workspace']['edit']>>;

export type ExportFormat = 'csv' | 'xlsx' | 'html' | 'archive' | 'changes';
type ConnectInput = Parameters<Client['accounts']['connect']>[0];

export type Actions = ReturnType<typeof createActions>;

/**
 * What the user can do, each of it one call away for buttons, menus, shortcuts and the palette alike. What is done in one
 * dialog alone comes with the dialog (`useActions`). Null or false means that nothing was done and the user has been told.
 */
export function createActions(context: ActionContext) {
  const { api, connection, toasts, queries, store } = context;
  const { client, files: gateway } = connection;
  const run = <T>(call: (workspaceId: string) => Promise<T>): Promise<T | null> => runAction(context, call);
  const done = async <T>(call: (workspaceId: string) => Promise<T>): Promise<boolean> => (await run(call)) !== null;
  /** Edits of rows, each of which is one undo step. */
  const written = <T>(call: (workspaceId: string) => Promise<T>, workspaceId?: string | null): Promise<T | null> =>
    runEdit(context, call, workspaceId);

  type Replayed = Awaited<ReturnType<Client['workspace']['undo']>>;
  /** Names what was undone or redone, with the way back, and what stays because colleagues changed it since. */
  const replay = async (
    done: keyof typeof appTexts.history.replay,
    call: (workspaceId: string) => Promise<Replayed>,
    // Another account may be open by the time that the way back is chosen.
    account = store.getState().workspaceId,
  ) => {
    const texts = appTexts.history.replay[done];
    const replayed = await written(
      (workspaceId) =>
        call(workspaceId).catch((error: unknown) => {
          if (!(error instanceof ORPCError && error.code === 'NOTHING_TO_DO')) throw error;
          toasts.tell(texts.nothing);
          return null;
        }),
      account,
    );
    if (replayed === null) return null;
    const { label, stay } = replayed;
    const told = [texts.done(label), ...(stay === undefined ? [] : [appTexts.history.stay(stay)])];
    toasts.tell(told.join(' '), { name: texts.back, run: () => void (done === 'undo' ? redo : undo)(account) });
    return replayed;
  };
  const undo = (account?: string | null) =>
    replay('undo', (workspaceId) => client.workspace.undo({ workspaceId }), account);
  const redo = (account?: string | null) =>
    replay('redo', (workspaceId) => client.workspace.redo({ workspaceId }), account);

  const remember = async (changes: Partial<Preferences>): Promise<boolean> => {
    if ((await attempt(context, () => client.app.preferences.set(changes))) === null) return false;
    // Layout and account of this window are its own: what is remembered of them is for the next one.
    const { layout: _, lastWorkspaceId: __, ...others } = changes;
    const { queryKey } = api.app.preferences.get.queryOptions();
    queries.setQueryData<Preferences>(queryKey, (before) => before && { ...before, ...others });
    return true;
  };
  const openAccount = (workspaceId: string): void => {
    store.getState().openWorkspace(workspaceId);
    void remember({ lastWorkspaceId: workspaceId });
  };

  const refreshAll = (): Promise<boolean> => refresh(context, appTexts.sync.refreshed);

  /** Sends; an account that confirms each sync shows the plan of these campaigns instead, and sends from there. */
  const confirmed = async (
    workspaceId: string,
    campaignIds: readonly number[],
    send: () => Promise<unknown>,
  ): Promise<'sent' | 'shown'> => {
    const account = (await client.accounts.list()).find((each) => each.workspaceId === workspaceId);
    if (account?.mode !== 'confirm') {
      await send();
      return 'sent';
    }
    if (store.getState().workspaceId === workspaceId)
      store.getState().openSync({ chosen: wholeCampaigns(campaignIds) });
    return 'shown';
  };

  const check = async (workspaceId: string): Promise<void> => {
    const read = await attempt(
      context,
      () => client.sync.refresh({ workspaceId }),
      () => void check(workspaceId),
    );
    // A query, so that the panel that lists the stages shows this very check.
    const checked = await attempt(context, () =>
      queries.fetchQuery(api.rules.check.queryOptions({ input: { workspaceId }, staleTime: 0 })),
    );
    const figures = await attempt(context, () => client.workspace.summary({ workspaceId }));
    if (checked === null || figures === null) return;
    const { error, warning } = figures.issues;
    toasts.tell((read === null ? appTexts.check.partly : appTexts.check.done)(error, warning));
  };

  const opening = async (add: () => Promise<Account>): Promise<Account | null> => {
    const account = await attempt(context, add);
    if (account !== null) openAccount(account.workspaceId);
    return account;
  };

  return {
    // --- rows
    /** @param account the one that the rows are in, where another may be open by now */
    edit: (label: string, changes: readonly CellChange[], account?: string) =>
      written((workspaceId) => client.workspace.edit({ workspaceId, label, changes: [...changes] }), account),
    create: (label: string, rows: readonly NewRow[], changes: readonly CellChange[] = [], account?: string) =>
      written(
        (workspaceId) =>
          client.workspace.create({
            workspaceId,
            label,
            changes: [...changes],
            rows: rows.map((row) => ({ ...row, values: { ...row.values } })),
          }),
        account,
      ),
    remove: (rows: readonly RowName[]) =>
      written((workspaceId) => client.workspace.remove({ workspaceId, rows: [...rows] })),
    revert: (rows: readonly RowName[], field: string | null) =>
      written((workspaceId) => client.workspace.revert({ workspaceId, rows: [...rows], field })),
    /** Takes back every row that the service has otherwise; new rows stay. */
    revertAll: () =>
      written(async (workspaceId): Promise<Edited | null> => {
        const all = await readWhole(
          (from, count) => client.workspace.changes({ workspaceId, from, count }),
          ({ changes }) => changes.filter(({ what }) => what !== 'new'),
          CHANGES_MAX + 1,
        );
        const some = all.slice(0, CHANGES_MAX);
        const rows = [...new Map(some.map(({ kind, id }) => [`${kind} ${id}`, { kind, id }])).values()];
        if (rows.length === 0) {
          toasts.tell(appTexts.revertAll.nothing);
          return null;
        }
        const reverted = await client.workspace.revert({ workspaceId, rows, field: null });
        if (all.length > CHANGES_MAX) toasts.tell(appTexts.atOnce(CHANGES_MAX));
        return reverted;
      }),
    /** Writes the fix of every issue of one rule, as one step; with a campaign, of those in it. */
    fixAll: async (rule: string, campaignId: number | null) => {
      const told: string[] = [];
      const fixed = await written(async (workspaceId) => {
        const all = await readWhole(
          (from, count) => client.workspace.issues({ workspaceId, from, count, campaignId, rule }),
          ({ issues }) => issues.filter(({ fix }) => fix !== null),
          CHANGES_MAX + 1,
        );
        const same = all.slice(0, CHANGES_MAX);
        const edits = same.flatMap(({ kind, id, fix }) =>
          fix === null ? [] : [{ kind, id, field: fix.field, value: fix.value }],
        );
        told.push(
          appTexts.fixed.told(edits.length),
          ...(all.length > same.length ? [appTexts.atOnce(CHANGES_MAX)] : []),
        );
        return client.workspace.edit({ workspaceId, label: appTexts.fixed.label(edits.length), changes: edits });
      });
      if (fixed !== null) toasts.tell(told.join(' '));
      return fixed;
    },
    hold: (rows: readonly RowName[], held: boolean) =>
      written((workspaceId) => client.workspace.hold({ workspaceId, rows: [...rows], held })),
    /** Releases the changes on hold of a sync selection; null for all. */
    release: (chosen: ChosenRows | null) =>
      written((workspaceId) => {
        const rows = { rows: chosen?.rows ?? [], below: chosen?.below ?? false };
        return client.workspace.hold({ workspaceId, rows, held: false });
      }),
    undo,
    redo,
    /** What a tool would do; the failure in words, for showing beside what was typed. */
    previewTool: async (scope: BulkScope, tool: BulkTool, count: number): Promise<Result<BulkPreview, string>> => {
      const { workspaceId } = store.getState();
      return workspaceId === null ? err('') : inWords(() => client.bulk.preview({ workspaceId, scope, tool, count }));
    },
    /** @param account the one that the rows are in, where another may be open by now */
    applyTool: (
      scope: BulkScope,
      tool: BulkTool,
      label: string,
      taskId: string = crypto.randomUUID(),
      account?: string | null,
    ) => written((workspaceId) => client.bulk.apply({ workspaceId, scope, tool, label, taskId }), account),
    /** Brings back what was there right after a step; 0 stands for before all of them. */
    bringBack: async (to: number, scope: RestoreScope, label: string) => {
      const restored = await written((workspaceId) => client.history.restore({ workspaceId, to, scope, label }));
      if (restored !== null) toasts.tell(appTexts.history.back(restored.cells, restored.created, restored.removed));
      return restored !== null;
    },

    // --- labels, comments and saved views: none is ever sent
    saveLabel: (workspaceId: string, name: string, color: string) =>
      attempt(context, () => client.notes.saveLabel({ workspaceId, id: null, name, color })),
    label: async (
      workspaceId: string,
      rows: { readonly kind: RowRef['kind']; readonly ids: RowRef['id'][] },
      add: number[],
      remove: number[],
    ): Promise<boolean> =>
      (await attempt(context, () => client.notes.label({ workspaceId, rows: [rows], add, remove }))) !== null,
    /** @param field what it is about; null for the row as a whole */
    comment: (ref: RowRef, field: string | null, text: string) =>
      run((workspaceId) => client.notes.comment({ workspaceId, ref, field, author: '', text })),
    resolveComment: (id: number, resolved: boolean) =>
      done((workspaceId) => client.notes.editComment({ workspaceId, id, resolved })),
    removeComment: (id: number) => done((workspaceId) => client.notes.removeComment({ workspaceId, id })),
    saveView: (view: Omit<SavedView, 'id'>, id: number | null) =>
      run((workspaceId) => client.views.save({ workspaceId, id, ...view })),
    removeView: (id: number) => done((workspaceId) => client.views.remove({ workspaceId, id })),

    // --- files
    /** Probes files and copies the good ones into the library. One answer per file, in order; null where that failed. */
    addMedia: async (files: readonly File[]): Promise<readonly (AddedFile | null)[]> => {
      // Another account may be open once large files are handed over.
      const { workspaceId } = store.getState();
      const answers = await attempt(context, () => Promise.all(files.map((file) => gateway.grant(file))));
      if (answers === null) return files.map(() => null);
      const granted = answers.flatMap((answer) => (isRefused(answer) ? [] : [answer]));
      const added =
        granted.length === 0 || workspaceId === null
          ? null
          : await attempt(context, () => client.media.add({ workspaceId, grants: granted.map(({ grant }) => grant) }));
      const rest = [...(added?.files ?? [])];
      return answers.map((answer) =>
        isRefused(answer) ? { outcome: 'refused', ...answer.data } : (rest.shift() ?? null),
      );
    },
    /** Ends an import, an export or a change that goes on; what it was asked for then says so. */
    cancelTask: async (taskId: string) => {
      await attempt(context, () => client.tasks.cancel({ taskId }));
    },
    /** The account, or exactly the rows of a view in its order. */
    exportFile: (format: ExportFormat, view: ViewSpec | null) =>
      run((workspaceId) => client.exchange.export({ workspaceId, format, view })),

    // --- accounts
    addPractice: (name: string) => opening(() => client.accounts.addPractice({ name })),
    addSample: (name: string) => opening(() => client.accounts.addSample({ name })),
    /** Answers with the failure itself, because the form shows it next to its fields. Nothing is opened after an abort. */
    connectAccount: async (input: ConnectInput, signal: AbortSignal) => {
      try {
        const { found, clockAheadSeconds, ...account } = await client.accounts.connect(input, { signal });
        if (signal.aborted) return { account };
        openAccount(account.workspaceId);
        const texts = foundTexts({ found, clockAheadSeconds });
        if (texts.length > 0) toasts.tell(texts.join(' '));
        // A new account is empty until the service was read.
        void refreshAll();
        return { account };
      } catch (failure) {
        return { failure };
      }
    },
    renameAccount: (workspaceId: string, name: string) =>
      attempt(context, () => client.accounts.rename({ workspaceId, name })),
    setMode: (workspaceId: string, mode: Account['mode']) =>
      attempt(context, () => client.accounts.setMode({ workspaceId, mode })),
    removeAccount: async (workspaceId: string) => {
      const gone = await attempt(context, () => client.accounts.remove({ workspaceId }));
      if (gone !== null) toasts.tell(appTexts.account.removed(gone.removed.length));
    },
    openAccount,
    /** @returns whether main has them now */
    remember,

    // --- checks
    /** All three stages; without the service the last one is as old as the last refresh, which is said. */
    check: () => done(check),
    /** Silences a warning or a suggestion in this account, or lets it speak again. */
    muteRule: async (rule: string, muted: boolean) => {
      const now = await run((workspaceId) => client.rules.mute({ workspaceId, rule, muted }));
      if (now !== null && muted) toasts.tell(appTexts.check.mutedTold);
      return now !== null;
    },
    /** Asks for the new items that no search has confirmed, and says what came of it; the issues have the rest. */
    confirmItems: async () => {
      const confirmed = await run((workspaceId) => client.items.confirm({ workspaceId }));
      if (confirmed === null) return false;
      const { asked, found, refused } = confirmed;
      if (refused.length > 0) toasts.fail(appTexts.items.refused(refused));
      else toasts.tell(asked === 0 ? appTexts.items.nothing : appTexts.items.confirmed(asked, found));
      return true;
    },

    // --- the service: progress and results come by events
    pauseSync: () => done((workspaceId) => client.sync.pause({ workspaceId })),
    /** Goes on now with the sync that is paused or waits. */
    resumeSync: () => done((workspaceId) => client.sync.resume({ workspaceId })),
    /** Stops what runs, or drops what is pending. */
    stopSync: () => done((workspaceId) => client.sync.cancel({ workspaceId })),
    refreshAll,
    /** Reads these campaigns alone, with all that hangs from them. */
    refreshCampaigns: (campaignIds: readonly RowRef['id'][]) =>
      refresh(context, appTexts.sync.refreshedSome(campaignIds.length), { campaignIds: [...campaignIds] }),
    pollReviews: async () =>
      (await runAction(context, (workspaceId) => client.review.poll({ workspaceId }), true)) !== null,
    submitReviews: (campaignIds: readonly number[]) =>
      done((workspaceId) =>
        confirmed(workspaceId, campaignIds, () => client.review.submit({ workspaceId, campaignIds: [...campaignIds] })),
      ),
    cancelReviews: (campaignIds: readonly number[]) =>
      done((workspaceId) => client.review.cancel({ workspaceId, campaignIds: [...campaignIds] })),
    /** Sends the changes kept for after a review that has ended, and submits them. */
    submitKept: (campaignId: number) =>
      done((workspaceId) =>
        confirmed(workspaceId, [campaignId], () =>
          client.sync.run({ workspaceId, submit: true, campaignIds: [campaignId], resumes: true }),
        ),
      ),
    /** Sends the fixes of a rejected campaign and submits it again. @returns null when that failed, which is shown */
    resubmit: (workspaceId: string, campaignId: number) =>
      attempt(context, async () => {
        const campaign = { workspaceId, campaignIds: [campaignId] };
        const plan = await client.sync.plan({ ...campaign, submit: true });
        if (plan.reviews === 0) return 'unchanged';
        const sent = await confirmed(workspaceId, campaign.campaignIds, () => client.review.submit(campaign));
        // A profile with a new video is sent, and reviewed, only after the service has processed it.
        return sent === 'sent' && plan.uploads.length > 0 ? 'uploading' : sent;
      }),
  };
}
