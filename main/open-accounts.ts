import type { AppEvent } from '../shared/contract/app.ts';
import type { OpeningNote } from '../shared/contract/backups.ts';
import { KINDS } from '../shared/model/kinds.ts';
import type { WorkspaceId } from '../shared/model/scalars.ts';
import { err, type Result } from '../shared/result.ts';
import { WORKSPACE_FAILED_TEXT } from './accounts/note-text.ts';
import type { Openings } from './accounts/openings.ts';
import { type AccountRegistry, DamagedAccounts } from './accounts/registry.ts';
import type { CoreOptions } from './core-types.ts';
import { type OpenAccount, openAccount } from './open-account.ts';
import { notWritableFrom } from './workspace/not-writable.ts';
import type { NotWritable } from './workspace/port.ts';

export type { OpenAccount } from './open-account.ts';

/** The accounts whose workspaces are open. A workspace is opened when it is first asked for and stays open. */
export interface OpenAccounts {
  get(workspaceId: WorkspaceId): Promise<Result<OpenAccount, OpeningProblem>>;
  close(workspaceId: WorkspaceId): Promise<void>;
  /** Says what the next opening will find, because the caller has put another file in the place of the workspace. */
  expect(workspaceId: WorkspaceId, note: OpeningNote): void;
  closeAll(): Promise<void>;
}

export type OpeningProblem = { readonly kind: 'no-account' } | NotWritable;

export interface OpenAccountsDeps {
  readonly options: CoreOptions;
  readonly registry: AccountRegistry;
  readonly emit: (event: AppEvent) => void;
  readonly openings: Openings;
}

export function createOpenAccounts(deps: OpenAccountsDeps): OpenAccounts {
  const opening = new Map<WorkspaceId, Promise<Result<OpenAccount, OpeningProblem>>>();

  const expected = new Map<WorkspaceId, OpeningNote>();
  /** Closed on the way, or with another file by now: what windows show of them is of before. */
  const left = new Set<WorkspaceId>();

  /** A thread may end, or the disk fail, at any point of an opening: for the caller it is a workspace that cannot be opened. */
  const openOrSay = (workspaceId: WorkspaceId): Promise<Result<OpenAccount, OpeningProblem>> =>
    openNow(workspaceId).catch((error: unknown) => {
      if (error instanceof DamagedAccounts) throw error;
      const detail = error instanceof Error ? error.message : String(error);
      return err(notWritableFrom(error) ?? { kind: 'not-writable', why: 'failed', detail });
    });
  const openNow = async (workspaceId: WorkspaceId): Promise<Result<OpenAccount, OpeningProblem>> => {
    const record = await deps.registry.find(workspaceId);
    if (record === null) return err({ kind: 'no-account' });
    // Asked when the file is open: an opening may begin while another file is still being put in its place.
    const note = (): OpeningNote | null => expected.get(workspaceId) ?? null;
    // A thread that has failed leaves a sound file behind: the account is opened anew at the next call.
    const failed = (why: string): void => {
      opening.delete(workspaceId);
      const params = { what: 'workspace-failed', detail: why };
      deps.emit({ type: 'notice', workspaceId, severity: 'error', message: WORKSPACE_FAILED_TEXT, params });
    };
    const answer = await openAccount(record, deps, note, failed);
    if (!answer.ok) return answer;
    expected.delete(workspaceId);
    if (left.delete(workspaceId)) {
      const { revision } = await answer.value.workspace.summary();
      deps.emit({ type: 'workspace.changed', workspaceId, revision, kinds: [...KINDS] });
    }
    return answer;
  };
  const close = async (workspaceId: WorkspaceId): Promise<void> => {
    const known = opening.get(workspaceId);
    opening.delete(workspaceId);
    const account = await known;
    if (account?.ok !== true) return;
    left.add(workspaceId);
    await account.value.close();
  };

  return {
    get: async (workspaceId) => {
      const known = opening.get(workspaceId);
      if (known !== undefined) return known;
      const started = openOrSay(workspaceId);
      opening.set(workspaceId, started);
      // What failed is tried again at the next call: the other program may be closed by then.
      let isOpen = false;
      try {
        const answer = await started;
        isOpen = answer.ok;
        return answer;
      } finally {
        if (!isOpen) opening.delete(workspaceId);
      }
    },
    close,
    expect: (workspaceId, note) => {
      expected.set(workspaceId, note);
      left.add(workspaceId);
    },
    closeAll: async () => {
      await Promise.all([...opening.keys()].map(close));
    },
  };
}
