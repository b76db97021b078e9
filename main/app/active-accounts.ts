import type { AppEvent, NotificationEntry } from '../../shared/api/app.ts';
import type { OpeningNote } from '../../shared/api/backups.ts';
import { KINDS } from '../../shared/model/kinds.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { err, type Result } from '../../shared/result.ts';
import type { WorkspaceIdentity } from '../accounts/open-workspace.ts';
import { type AccountRegistry, DamagedAccounts } from '../accounts/registry.ts';
import { WORKSPACE_FAILED_TEXT } from '../accounts/workspace-monitor.ts';
import type { Prober } from '../files/probe/prober.ts';
import { notWritableFrom } from '../store/not-writable.ts';
import type { NotWritable } from '../store/types.ts';
import { type ActiveAccount, activateAccount } from './active-account.ts';
import type { CoreOptions } from './core-types.ts';
import { noticeEntry } from './notification-log.ts';

export type { ActiveAccount } from './active-account.ts';

/**
 * The accounts whose workspaces are open. A workspace is opened when it is first asked for and stays open:
 *
 *            get            close, whileClosed, a thread that failed
 *   closed -------> opening --> open --------> closing --> work on its files --> closed
 *      ^               | refused                  a get in the meantime waits, then opens
 *      '---------------'
 */
export type ActiveAccounts = ReturnType<typeof createActiveAccounts>;

export type OpenAccountError = { readonly kind: 'no-account' } | NotWritable;

export interface ActiveAccountsDeps {
  readonly options: CoreOptions;
  readonly registry: AccountRegistry;
  readonly emit: (event: AppEvent) => void;
  readonly identity: WorkspaceIdentity;
  readonly prober: Prober;
}

export function createActiveAccounts(deps: ActiveAccountsDeps) {
  const opening = new Map<WorkspaceId, Opening>();
  /** What is being closed, and the work that waits for it: until all of it is over nothing is opened. */
  const closing = new Map<WorkspaceId, Promise<unknown>>();
  const expected = new Map<WorkspaceId, OpeningNote>();
  /** Closed on the way, or with another file by now: what windows show of them is of before. */
  const left = new Set<WorkspaceId>();
  /** Of workspaces that failed: kept by the next opening. */
  const unkept = new Map<WorkspaceId, NotificationEntry>();
  const swept = new Set<string>();
  let isOver = false;

  const openNow = async (workspaceId: WorkspaceId, failed: (why: string) => void): Promise<Opened> => {
    if (isOver) return err({ kind: 'not-writable', why: 'failed', detail: 'the program is about to end' });
    const record = await deps.registry.find(workspaceId);
    if (record === null) return err({ kind: 'no-account' });
    // Asked when the file is open: by then it is known what was put in its place.
    const note = (): OpeningNote | null => expected.get(workspaceId) ?? null;
    const answer = await activateAccount(
      record,
      { ...deps, swept, current: () => deps.registry.find(workspaceId) },
      note,
      failed,
    );
    if (!answer.ok) return answer;
    expected.delete(workspaceId);
    const entry = unkept.get(workspaceId);
    unkept.delete(workspaceId);
    if (entry !== undefined) await answer.value.notifications.add(entry);
    if (left.delete(workspaceId)) await announceAll(workspaceId, answer.value);
    return answer;
  };

  const announceAll = async (workspaceId: WorkspaceId, account: ActiveAccount): Promise<void> => {
    try {
      const { revision } = await account.workspace.summary();
      deps.emit({ type: 'workspace.changed', workspaceId, revision, kinds: [...KINDS] });
    } catch (error) {
      // Its threads hold the lock, and nobody else knows of them.
      await account.close();
      throw error;
    }
  };

  const start = (workspaceId: WorkspaceId): Opening => {
    // Another opening may have taken the place of this one since.
    const isThis = (): boolean => opening.get(workspaceId) === started;
    // A thread that has failed leaves a sound file behind: the account is opened again at the next call.
    const failed = (why: string): void => {
      // What cannot be closed in order has failed with the thread, and that is told.
      if (isThis()) close(workspaceId).catch(ignore);
      const params = { what: 'workspace-failed', detail: why };
      const notice = {
        type: 'notice',
        workspaceId,
        severity: 'error',
        message: WORKSPACE_FAILED_TEXT,
        params,
      } as const;
      const entry = noticeEntry(notice, deps.options.clock.nowMs());
      deps.emit(notice);
      deps.emit({ type: 'notification.added', workspaceId, entry });
      unkept.set(workspaceId, entry);
    };
    const over = closing.get(workspaceId);
    const started: Opening = (async () => {
      let isOpen = false;
      try {
        await over;
        const answer = await openNow(workspaceId, failed).catch(refusalFor);
        isOpen = answer.ok;
        return answer;
      } finally {
        // What failed is tried again at the next call: the other program may be closed by then.
        if (!isOpen && isThis()) opening.delete(workspaceId);
      }
    })();
    opening.set(workspaceId, started);
    return started;
  };

  const whileClosed = <T>(workspaceId: WorkspaceId, work: () => Promise<T>): Promise<T> => {
    const known = opening.get(workspaceId);
    opening.delete(workspaceId);
    const before = closing.get(workspaceId);
    const done = (async () => {
      await before;
      // An opening that threw has told its caller, and left nothing to close.
      const account = await known?.catch(() => null);
      if (account?.ok === true) {
        left.add(workspaceId);
        await account.value.close();
      }
      return work();
    })();
    // Those that wait for its end need not know how it went: the caller is told.
    const over = done.then(ignore, ignore).then(() => {
      if (closing.get(workspaceId) === over) closing.delete(workspaceId);
    });
    closing.set(workspaceId, over);
    return done;
  };
  const close = (workspaceId: WorkspaceId): Promise<void> => whileClosed(workspaceId, async () => undefined);

  return {
    get: (workspaceId: WorkspaceId): Promise<Result<ActiveAccount, OpenAccountError>> =>
      opening.get(workspaceId) ?? start(workspaceId),
    close,
    /** Does `work` on the files of a closed workspace; whoever asks for the account meanwhile gets it afterwards. */
    whileClosed,
    /** Says what the next opening will find, because the caller has put another file in the place of the workspace. */
    expect: (workspaceId: WorkspaceId, note: OpeningNote) => {
      expected.set(workspaceId, note);
      left.add(workspaceId);
    },
    /** Closes every account; none is opened after that. */
    closeAll: async () => {
      isOver = true;
      await Promise.all([...new Set([...opening.keys(), ...closing.keys()])].map(close));
    },
  };
}

type Opened = Result<ActiveAccount, OpenAccountError>;
type Opening = Promise<Opened>;

const ignore = (): void => undefined;

/** A thread may end, or the disk fail, at any point of an opening: for the caller it is a workspace that cannot be opened. */
function refusalFor(error: unknown): Opened {
  if (error instanceof DamagedAccounts) throw error;
  const detail = error instanceof Error ? error.message : String(error);
  return err(notWritableFrom(error) ?? { kind: 'not-writable', why: 'failed', detail });
}
