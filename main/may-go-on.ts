import type { AccountRecord } from './accounts/account-record.ts';
import { type ConfirmSync, isSyncConfirmed, type SyncSize, CONFIRM_ABOVE } from './ask-to-send.ts';
import type { RunOptions, RunProblem } from './sync/context.ts';
import type { SyncService } from './sync/service.ts';

interface GoOn {
  /** What the user agreed to when the sync was asked for; null where nobody asks. */
  readonly agreed: SyncSize | null;
  readonly current: () => Promise<AccountRecord | null>;
  readonly ask: ConfirmSync | undefined;
}

/**
 * Whether a sync may go on that was asked for a while ago: the account may be read-only by now, and what has grown since is
 * asked about again.
 */
export async function mayGoOn(
  sync: Pick<SyncService, 'planToSend'>,
  run: RunOptions,
  { agreed, current, ask }: GoOn,
): Promise<RunProblem | null> {
  const account = await current();
  if (account?.mode === 'read-only') {
    return { kind: 'not-writable', why: 'read-only-account', detail: 'this account is set to read only' };
  }
  if (ask === undefined) return null;
  const name = account?.name ?? '';
  const size = await isSyncConfirmed(
    () => sync.planToSend(run),
    (asked) => ask(name, asked),
    agreed ?? CONFIRM_ABOVE,
  );
  return size === null ? { kind: 'not-agreed' } : null;
}
