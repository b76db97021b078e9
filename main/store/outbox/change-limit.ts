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
 * The hourly limit of the service, as learned from its responses and shared in a team, and the changes of the last
 * hour. Both are stored in the workspace, so that a restart does not reset them. Changes are counted by minute, under
 * `sent-MINUTE`; those of a colleague's request under `sent-MINUTE-ID`, so that a repeated message counts once.
 */
const PREFIX = 'sent-';
const keyOf = (atMs: number): string => `${PREFIX}${Math.floor(atMs / MINUTE_MS)}`;

/** Counts of the last hour and slightly more. Minutes in the future, after a clock was ahead, count as now. */
function minutes({ db, nowMs }: WriterStore): readonly SentChanges[] {
  const now = nowMs();
  return db
    .all(`SELECT key, value FROM outbox_meta WHERE key >= '${PREFIX}' AND key < 'sent.'`)
    .map(([key, value]) => ({
      at: Math.min(Number(asText(key).split('-')[1]) * MINUTE_MS, now),
      changes: asNumber(value),
    }));
}

/** Counts of the last hour. */
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

/** Maximum number of changes in one request. */
export const changesAtOnce = (store: WriterStore): number => limitNow(store).perHour;

const changesLeft = (store: WriterStore): number => leftOf(sentChanges(store), limitNow(store).perHour);

/** The limit, the changes left, and when this number of changes would be sent, in milliseconds since 1970. */
export function changeLimit(store: WriterStore, args: { readonly changes: number }) {
  const limit = limitNow(store);
  const sent = sentChanges(store);
  const { perHour } = limit;
  return { ...limit, left: leftOf(sent, perHour), sentBy: sentBy(sent, args.changes, perHour, store.nowMs()) };
}

/** @returns 0, or the wait until this number of changes may be sent, in milliseconds */
export function waitForChanges(store: WriterStore, args: { readonly changes: number }): number {
  const sent = sentChanges(store);
  const now = store.nowMs();
  const waitMs = waitFor(sent, args.changes, limitNow(store).perHour, now);
  if (waitMs === 0) return 0;
  learn(store, { is: 'used-up', at: now });
  // The limit may have been raised after a full hour.
  return waitFor(sent, args.changes, limitNow(store).perHour, now);
}

/** Counts changes that are about to be sent. @returns 0, or the wait in milliseconds if there are too many */
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

/** Counts changes that another computer of the team has sent. */
export const noteSentElsewhere = ({ db }: WriterStore, correlation: string, { at, changes }: SentChanges): void =>
  void db.run('INSERT OR REPLACE INTO outbox_meta VALUES (?, ?)', `${keyOf(at)}-${correlation}`, changes);

/**
 * Counts one change for a request that can wait, such as a report in the background. Leaves half of the hour to syncs.
 *
 * @returns whether it may be sent
 */
export const spendInBackground = (store: WriterStore): boolean =>
  changesLeft(store) > limitNow(store).perHour / 2 && spendChanges(store, 1) === 0;

/** What a response reveals about the limit. */
export interface LimitAnswer {
  /** The limit named in the response. */
  readonly perHour?: number | undefined;
  /** For a refusal because of the rate: the wait in milliseconds; null if the service named none. */
  readonly retryAfterMs?: number | null | undefined;
}

/** Subtracts changes that were not executed, or whose date is now later. */
export function uncount(store: WriterStore, sentAt: number, changes: number): void {
  const key = keyOf(sentAt);
  if (store.db.get('SELECT 1 FROM outbox_meta WHERE key = ?', key) !== undefined) count(store, key, -changes);
}

export const countAt = (store: WriterStore, sentAt: number, changes: number): void =>
  count(store, keyOf(sentAt), changes);

/** @param asked the number of changes in the request */
export function learnFromAnswer(store: WriterStore, { perHour, retryAfterMs }: LimitAnswer, asked: number): void {
  const at = store.nowMs();
  if (perHour !== undefined) learn(store, { is: 'named', perHour, at });
  const began = retryAfterMs === undefined ? null : hourOfRefusal(retryAfterMs, at);
  if (began === null || retryAfterMs === undefined) return;
  const changes = changesSince(minutes(store), began);
  learn(store, { is: 'refused', changes, asked, isWaitNamed: retryAfterMs !== null, at });
}
