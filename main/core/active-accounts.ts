import type { AppEvent, NotificationEntry } from '../../shared/api/app.ts';
import type { OpeningNote } from '../../shared/api/backups.ts';
import type { Failure } from '../../shared/api/operation.ts';
import { KINDS } from '../../shared/model/kinds.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { err, fail, type Result } from '../../shared/result.ts';
import type { WorkspaceIdentity } from '../accounts/open-workspace.ts';
import { type AccountRegistry, DamagedAccounts } from '../accounts/registry.ts';
import { WORKSPACE_FAILED_TEXT } from '../accounts/workspace-monitor.ts';
import type { Prober } from '../files/probe/prober.ts';
import { notWritable, notWritableFrom } from '../store/not-writable.ts';
import { type ActiveAccount, activateAccount } from './active-account.ts';
import type { CoreOptions } from './core-options.ts';
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

export type OpenAccountError = Failure<'NO_WORKSPACE' | 'NOT_WRITABLE'>;

export interface ActiveAccountsDeps {
  readonly options: CoreOptions;
  readonly registry: AccountRegistry;
  readonly emit: (event: AppEvent) => void;
  readonly identity: WorkspaceIdentity;
  readonly prober: Prober;
}

export function createActiveAccounts(deps: ActiveAccountsDeps) {
  const opening = new Map<WorkspaceId, Opening>();
  /** The closing workspaces and the work that waits for them. None is opened until all of that has ended. */
  const closing = new Map<WorkspaceId, Promise<unknown>>();
  const expected = new Map<WorkspaceId, OpeningNote>();
  /** Workspaces that were closed while opening, or got another file: what windows show of them is outdated. */
  const left = new Set<WorkspaceId>();
  /** Entries of workspaces that failed; the next opening stores them. */
  const unkept = new Map<WorkspaceId, NotificationEntry>();
  const swept = new Set<string>();
  let isOver = false;

  const openNow = async (workspaceId: WorkspaceId, failed: (why: string) => void): Promise<Opened> => {
    if (isOver) return err(notWritable('failed', 'the program is about to end'));
    const record = await deps.registry.find(workspaceId);
    if (record === null) return fail('NO_WORKSPACE', { workspaceId });
    // Read once the file is open, when it is known which file replaced it.
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
      // The threads of the workspace hold its lock, and nothing else would close them.
      await account.close();
      throw error;
    }
  };

  const start = (workspaceId: WorkspaceId): Opening => {
    // A later opening may have replaced this one.
    const isThis = (): boolean => opening.get(workspaceId) === started;
    // A failed thread leaves an intact file: the next call opens the account again.
    const failed = (why: string): void => {
      // A failure to close in order comes from the failed thread, which is reported below.
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
        // A failed opening is tried again at the next call: another program may have released the file.
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
      // A failed opening was reported to its caller and left nothing to close.
      const account = await known?.catch(() => null);
      if (account?.ok === true) {
        left.add(workspaceId);
        await account.value.close();
      }
      return work();
    })();
    // Calls that wait for the end do not need its result, which goes to the caller.
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
    /** Runs `work` on the files of a closed workspace; `get` waits until it has ended. */
    whileClosed,
    /** Records why the caller replaced the file of the workspace; the next opening reports it. */
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
  return err(notWritableFrom(error) ?? notWritable('failed', detail));
}
