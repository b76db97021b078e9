import type { NotWritable } from '../../shared/contract/errors.ts';
import { err, type Result } from '../../shared/result.ts';
import type { RunProblem } from '../sync/context.ts';
import type { SyncService } from '../sync/service.ts';

/**
 * Puts the safety of the data before everything that changes the service: a workspace that may not be written or
 * that is one of two copies sends nothing, and what is sent is preceded by a backup.
 *
 * One run begins at a time, its backup included. Whoever asks in the meantime is told what became of that beginning: that
 * a sync runs, or why none does; and nobody makes a backup for a run that is not to be.
 *
 * @param reasonToRefuse asked each time, because the user may settle it meanwhile
 */
export function guardSync(
  sync: SyncService,
  reasonToRefuse: () => NotWritable | null,
  backUp: () => Promise<Result<unknown, NotWritable>>,
): SyncService {
  type Started = Result<{ readonly runId: string }, RunProblem>;
  let beginning: Promise<Started> | null = null;
  const begin = async (start: () => Promise<Started>): Promise<Started> => {
    const saved = await backUp();
    return saved.ok ? start() : saved;
  };
  const guarded = async (start: () => Promise<Started>): Promise<Started> => {
    const refusal = reasonToRefuse();
    if (refusal !== null) return err(refusal);
    if (beginning !== null) {
      const begun = await beginning;
      return begun.ok ? err({ kind: 'sync-running' }) : begun;
    }
    if (sync.isRunning()) return err({ kind: 'sync-running' });
    beginning = begin(start).finally(() => {
      beginning = null;
    });
    return beginning;
  };
  return {
    ...sync,
    run: (options) => guarded(() => sync.run(options)),
    reviews: {
      ...sync.reviews,
      submit: (campaignIds) => guarded(() => sync.reviews.submit(campaignIds)),
      cancel: (campaignIds) => guarded(() => sync.reviews.cancel(campaignIds)),
    },
  };
}
