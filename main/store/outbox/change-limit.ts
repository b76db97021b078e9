import { USUAL_CHANGES_PER_HOUR } from '../../../shared/deployment/limits.ts';
import {
  type ChangeLimit,
  type ChangeLimitRecord,
  CLOCKS_APART_MS,
  changesSince,
  HOUR_MS,
  hourOfRefusal,
  inLastHour,
  type LimitSign,
  learnLimit,
  leftOf,
  limitOf,
  MINUTE_MS,
  readChangeLimit,
  type SentChanges,
  sentBy,
  waitFor,
} from '../../../shared/plan/change-limit.ts';
import { asNumber, asText } from '../db/db.ts';
import { CHANGE_LIMIT_KEY } from '../rows/revision.ts';
import type { WriterStore } from '../writer/writer-store.ts';

/**
 * The hourly limit of the service: what was learned of it, which a team shares, and the changes of the last hour. Both
 * live in the workspace, so that a restart refills nothing. Changes are counted by the minute, under `sent-MINUTE`; those
 * of a request of a colleague under `sent-MINUTE-ID`, so that hearing of it again counts it once.
 */
const PREFIX = 'sent-';
const keyOf = (atMs: number): string => `${PREFIX}${Math.floor(atMs / MINUTE_MS)}`;

/** Minutes of the last hour and a little longer. Those of a clock that was ahead count from now. */
function minutes({ db, nowMs }: WriterStore): readonly SentChanges[] {
  const now = nowMs();
  return db
    .all(`SELECT key, value FROM outbox_meta WHERE key >= '${PREFIX}' AND key < 'sent.'`)
    .map(([key, value]) => ({
      at: Math.min(Number(asText(key).split('-')[1]) * MINUTE_MS, now),
      changes: asNumber(value),
    }));
}

/** Minutes that count. */
const sentChanges = (store: WriterStore): readonly SentChanges[] => inLastHour(minutes(store), store.nowMs());

const recordOf = (store: WriterStore): ChangeLimitRecord => readChangeLimit(store.getMeta(CHANGE_LIMIT_KEY) ?? '');

function limitNow(store: WriterStore): ChangeLimit {
  const { opsPerHour } = store.profile.rate;
  return limitOf(recordOf(store), opsPerHour, opsPerHour !== USUAL_CHANGES_PER_HOUR);
}

function learn(store: WriterStore, sign: LimitSign): void {
  const before = recordOf(store);
  const after = learnLimit(before, sign);
  if (after !== before) store.setMeta(CHANGE_LIMIT_KEY, JSON.stringify(after));
}

/** No single request may have more changes than this. */
export const changesAtOnce = (store: WriterStore): number => limitNow(store).perHour;

const changesLeft = (store: WriterStore): number => leftOf(sentChanges(store), limitNow(store).perHour);

/** The limit, what is left of it, and when so many changes would be sent, in milliseconds since 1970. */
export function changeLimit(store: WriterStore, args: { readonly changes: number }) {
  const limit = limitNow(store);
  const sent = sentChanges(store);
  const { perHour } = limit;
  return { ...limit, left: leftOf(sent, perHour), sentBy: sentBy(sent, args.changes, perHour, store.nowMs()) };
}

/** @returns 0, or how long to wait in milliseconds until so many changes may be sent */
export function waitForChanges(store: WriterStore, args: { readonly changes: number }): number {
  const sent = sentChanges(store);
  const now = store.nowMs();
  const waitMs = waitFor(sent, args.changes, limitNow(store).perHour, now);
  if (waitMs === 0) return 0;
  learn(store, { is: 'used-up', at: now });
  // The hour may have shown that more can be tried.
  return waitFor(sent, args.changes, limitNow(store).perHour, now);
}

/** Counts changes that are about to be sent. @returns 0, or how long to wait in milliseconds when there are too many */
export function spendChanges(store: WriterStore, changes: number): number {
  const waitMs = waitForChanges(store, { changes });
  if (waitMs > 0) return waitMs;
  const now = store.nowMs();
  for (const [key] of store.db.all(`SELECT key FROM outbox_meta WHERE key >= '${PREFIX}' AND key < 'sent.'`)) {
    const at = Number(asText(key).split('-')[1]) * MINUTE_MS;
    if (at + MINUTE_MS + HOUR_MS + CLOCKS_APART_MS <= now)
      store.db.run('DELETE FROM outbox_meta WHERE key = ?', asText(key));
  }
  countAt(store, now, changes);
  return 0;
}

const count = ({ db }: WriterStore, key: string, changes: number): void =>
  void db.run(
    'INSERT INTO outbox_meta VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value = max(0, value + excluded.value)',
    key,
    changes,
  );

/** What another computer of the team has sent. */
export const noteSentElsewhere = ({ db }: WriterStore, correlation: string, { at, changes }: SentChanges): void =>
  void db.run('INSERT OR REPLACE INTO outbox_meta VALUES (?, ?)', `${keyOf(at)}-${correlation}`, changes);

/**
 * Takes one change for a request that can wait, such as a report in the background. It leaves half of the hour to syncs.
 * @returns whether there was one
 */
export const spendInBackground = (store: WriterStore): boolean =>
  changesLeft(store) > limitNow(store).perHour / 2 && spendChanges(store, 1) === 0;

/** What an answer says of the limit. */
export interface LimitAnswer {
  /** The limit that it names. */
  readonly perHour?: number | undefined;
  /** Of a refusal because of a rate: when to ask again, in milliseconds; null when the service has not said. */
  readonly retryAfterMs?: number | null | undefined;
}

/** Changes that were not carried out after all, or only now. */
export function uncount(store: WriterStore, sentAt: number, changes: number): void {
  const key = keyOf(sentAt);
  if (store.db.get('SELECT 1 FROM outbox_meta WHERE key = ?', key) !== undefined) count(store, key, -changes);
}

export const countAt = (store: WriterStore, sentAt: number, changes: number): void =>
  count(store, keyOf(sentAt), changes);

/** @param asked how many changes the request had */
export function learnFromAnswer(store: WriterStore, { perHour, retryAfterMs }: LimitAnswer, asked: number): void {
  const at = store.nowMs();
  if (perHour !== undefined) learn(store, { is: 'named', perHour, at });
  const began = retryAfterMs === undefined ? null : hourOfRefusal(retryAfterMs, at);
  if (began === null || retryAfterMs === undefined) return;
  const changes = changesSince(minutes(store), began);
  learn(store, { is: 'refused', changes, asked, isWaitNamed: retryAfterMs !== null, at });
}
