import { err, type Result } from '../../shared/result.ts';
import type { SyncService } from '../sync/port.ts';
import type { NotWritable } from '../workspace/port.ts';

/**
 * Puts the safety of the data before everything that changes the service: a workspace that may not be written or
 * that is one of two copies sends nothing, and what is sent is preceded by a backup.
 *
 * @param reasonToRefuse asked each time, because the user may settle it meanwhile
 */
export function guardSync(
  sync: SyncService,
  reasonToRefuse: () => NotWritable | null,
  backUp: () => Promise<Result<unknown, NotWritable>>,
): SyncService {
  const guarded = async <T, E>(start: () => Promise<Result<T, E>>): Promise<Result<T, E | NotWritable>> => {
    const refusal = reasonToRefuse();
    if (refusal !== null) return err(refusal);
    const saved = await backUp();
    return saved.ok ? start() : saved;
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
