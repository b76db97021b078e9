import { asNumberOrNull } from '../db/db.ts';
import type { WriterStore } from '../writer/store.ts';

const HOUR_MS = 3_600_000;

/**
 * The hourly limit counts changed elements, not calls (wire shapes, section 2, "rate limit"). The bucket lives in
 * the workspace, so that a restart does not refill it. Levels are kept in thousandths of an element.
 */
export function changesLeft(store: WriterStore): number {
  return Math.floor(levelOf(store) / 1000);
}

/** Takes elements out of the bucket. @returns 0, or how long to wait in milliseconds when there are too few */
export function useChanges(store: WriterStore, elements: number): number {
  const perHour = store.profile.rate.opsPerHour;
  const level = levelOf(store);
  const wanted = Math.min(elements, perHour) * 1000;
  if (level < wanted) return Math.ceil(((wanted - level) / 1000 / perHour) * HOUR_MS);
  put(store, 'budget', level - wanted);
  put(store, 'budget-at', store.nowMs());
  return 0;
}

function levelOf(store: WriterStore): number {
  const full = store.profile.rate.opsPerHour * 1000;
  const level = get(store, 'budget');
  const at = get(store, 'budget-at');
  if (level === null || at === null) return full;
  // A clock that went back refills nothing.
  const passedMs = Math.max(0, store.nowMs() - at);
  return Math.min(full, Math.floor(level + (passedMs / HOUR_MS) * full));
}

const get = (store: WriterStore, key: string): number | null =>
  asNumberOrNull(store.db.get('SELECT value FROM outbox_meta WHERE key = ?', key)?.[0]);

function put(store: WriterStore, key: string, value: number): void {
  store.db.run(
    'INSERT INTO outbox_meta VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value',
    key,
    value,
  );
}
