import type { Service } from './service.ts';

/**
 * What falls due with time: a queue of (instant, kind, subject) in the store. Moving the clock takes the entries in
 * order of their instants; an entry sees the clock at its own instant, so what it schedules falls into place, too.
 * An entry is a reminder, not an order: the handler looks at the present state and may find nothing left to do.
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

/** Does everything due up to now, then leaves the clock where it is. */
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
