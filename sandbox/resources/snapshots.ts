import { HOUR_MS, MINUTE_MS } from '../calendar.ts';
import { schedule } from '../due.ts';
import { limits } from '../limits.ts';
import type { Service } from '../service.ts';

/** A report that is fetched as a file is made in two minutes and kept for 24 hours (the moves are in `states.ts`). */
export function processSnapshot(service: Service, subject: string): void {
  service.store.run(
    "UPDATE snapshot SET job_status = 'processing' WHERE snapshot_id = ? AND job_status = 'pending'",
    subject,
  );
  schedule(
    service,
    'snapshot.finish',
    subject,
    service.clock.now() + service.settings.quirks.reportMinutes * MINUTE_MS,
  );
}

/** Called twice: when the file is ready, and when it has been for as long as it is kept. */
export function finishSnapshot(service: Service, subject: string): void {
  const job = service.store.one<{ job_status: string }>(
    'SELECT job_status FROM snapshot WHERE snapshot_id = ?',
    subject,
  );
  if (job === undefined) return;
  const isDone = job.job_status === 'done';
  service.store.run('UPDATE snapshot SET job_status = ? WHERE snapshot_id = ?', isDone ? 'expired' : 'done', subject);
  if (!isDone) {
    schedule(service, 'snapshot.finish', subject, service.clock.now() + limits.snapshotHours * HOUR_MS);
  }
}
