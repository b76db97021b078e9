import type { Result } from '../../shared/result.ts';
import type { Clock } from '../clock.ts';
import type { Workspace } from '../workspace/store.ts';
import type { NotWritable } from '../workspace/types.ts';

/**
 * Makes a backup for every five minutes in which something was edited.
 *
 *   nothing to save --an edit--> waiting --5 min after the first edit--> saving --done--> nothing to save
 *                                   ^------ failed: told once, tried again 5 min later ----'
 */
export interface BackupKeeper {
  /** Looks whether a backup is due and makes it. Called every half minute, and by tests with a virtual clock. */
  tick(): Promise<void>;
  /** Stops looking; a backup under way is waited for. */
  close(): Promise<void>;
}

const EVERY_MS = 5 * 60_000;
const LOOK_EVERY_MS = 30_000;

export function createBackupKeeper(deps: {
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly backUp: () => Promise<Result<unknown, NotWritable>>;
  readonly failed: (problem: NotWritable) => void;
}): BackupKeeper {
  let since: number | null = null;
  let saving: Promise<void> | null = null;
  let hasFailed = false;
  const stop = deps.workspace.onChanged(() => {
    since ??= deps.clock.monotonicMs();
  });

  const save = async (): Promise<void> => {
    since = null;
    const done = await deps.backUp();
    if (done.ok) {
      hasFailed = false;
      return;
    }
    since = deps.clock.monotonicMs();
    if (!hasFailed) deps.failed(done.error);
    hasFailed = true;
  };
  const tick = async (): Promise<void> => {
    if (saving !== null) return saving;
    if (since === null || deps.clock.monotonicMs() - since < EVERY_MS) return;
    saving = save().finally(() => {
      saving = null;
    });
    await saving;
  };
  const timer = setInterval(() => void tick(), LOOK_EVERY_MS);
  timer.unref();
  return {
    tick,
    close: async () => {
      clearInterval(timer);
      stop();
      await saving;
    },
  };
}
