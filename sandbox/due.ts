import type { Service } from './service.ts';

/**
 * Due events: a queue of (instant, kind, subject) in the store. Moving the clock handles the entries in order of their
 * instants. During an entry the clock shows the entry's instant, so events that it schedules are in order too. The
 * handler checks the current state and may have nothing to do.
 */
export type DueKind =
  | 'campaign.settle'
  | 'campaign.start'
  | 'campaign.end'
  | 'media.process'
  | 'media.finish'
  | 'review.begin'
  | 'review.decide'
  | 'product.approve'
  | 'snapshot.process'
  | 'snapshot.finish'
  | 'migration.cutover';

export type DueHandlers = Readonly<Record<DueKind, (service: Service, subject: string) => void>>;

type DueRow = { due_id: number; at_ms: number; kind: DueKind; subject: string };

export function schedule(service: Service, kind: DueKind, subject: string | number, atMs: number): void {
  service.store.insert('due', { at_ms: Math.ceil(atMs), kind, subject: String(subject) });
}

/** Handles all events due up to now, then sets the clock to now again. */
export function settleDue(service: Service, handlers: DueHandlers): void {
  const { store, clock } = service;
  const target = clock.now();
  const next = () => store.one<DueRow>('SELECT * FROM due WHERE at_ms <= ? ORDER BY at_ms, due_id LIMIT 1', target);
  if (next() === undefined) return;
  store.inTransaction(() => {
    for (let entry = next(); entry !== undefined; entry = next()) {
      const { due_id, at_ms, kind, subject } = entry;
      store.run('DELETE FROM due WHERE due_id = ?', due_id);
      clock.at(at_ms, () => handlers[kind](service, subject));
    }
  });
}
