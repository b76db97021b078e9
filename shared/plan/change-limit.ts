import { jsonOrNull } from '../json-or-null.ts';

/**
 * The hourly limit on changes, as observed. The service counts changed elements, not calls (wire shapes, section 2,
 * "rate limit"), and may name its limit, or refuse what is over it without naming one.
 *
 *   settings ---limit named---> named ---refused with less than 4/5 of it---> learned
 *       \------refused after a number of changes---------------------------------^
 *
 * A refusal without a wait time may be for calls in too quick succession. It counts when the service refuses again
 * minutes later and has accepted no more in between.
 *
 * A named limit is never exceeded. A learned one is raised step by step: each hour that used it up without a refusal
 * adds more than the hour before, so that one bad hour does not keep the account slow.
 */
export interface ChangeLimitRecord {
  /** The limit that the service named. */
  readonly named: number | null;
  /** Changes of the hour in which the service refused more, oldest first. */
  readonly met: readonly { readonly changes: number; readonly at: number }[];
  /** A refusal that may be for calls in too quick succession, with the total of changes that the hour would have reached. */
  readonly unsure: { readonly changes: number; readonly wanted: number; readonly at: number } | null;
  /** Hours since the last refusal that used the limit up without one, and when the last of them was counted. */
  readonly quiet: number;
  readonly quietAt: number;
}

export const NOTHING_LEARNED: ChangeLimitRecord = { named: null, met: [], unsure: null, quiet: 0, quietAt: 0 };

/** Parses a stored record, which a colleague may have written; an invalid one counts as empty. */
export function readChangeLimit(text: string): ChangeLimitRecord {
  const { named, met, unsure, quiet, quietAt } = {
    ...(jsonOrNull(text) as Partial<Record<keyof ChangeLimitRecord, unknown>>),
  };
  const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
  const isMet = (one: unknown): one is ChangeLimitRecord['met'][number] =>
    typeof one === 'object' &&
    one !== null &&
    'changes' in one &&
    'at' in one &&
    isCount(one.at) &&
    isCount(one.changes);
  const isUnsure = (one: unknown): one is ChangeLimitRecord['unsure'] =>
    isMet(one) && 'wanted' in one && isCount(one.wanted);
  return isCount(quiet) && quiet <= QUIET_MAX && isCount(quietAt) && Array.isArray(met) && met.every(isMet)
    ? {
        named: isCount(named) && named > 0 ? named : null,
        met: met.filter(({ changes }) => changes > 0),
        unsure: isUnsure(unsure) ? unsure : null,
        quiet,
        quietAt,
      }
    : NOTHING_LEARNED;
}

/** Source of a limit. */
export const CHANGE_LIMIT_SOURCES = ['settings', 'service', 'learned'] as const;

export interface ChangeLimit {
  readonly perHour: number;
  readonly from: (typeof CHANGE_LIMIT_SOURCES)[number];
  /** Number of hours that confirmed a learned limit; 0 for others. */
  readonly seen: number;
}

/** Evidence about the limit, from a response or a past hour. */
export type LimitSign =
  | { readonly is: 'named'; readonly perHour: number; readonly at: number }
  /** A request with `asked` changes was refused after `changes` in the hour. */
  | {
      readonly is: 'refused';
      readonly changes: number;
      readonly asked: number;
      readonly isWaitNamed: boolean;
      readonly at: number;
    }
  /** Our own limit is used up without a refusal. */
  | { readonly is: 'used-up'; readonly at: number };

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
const KEPT = 8;
/** Two clocks disagree on when an hour ends: within this time after a refusal, another one belongs to the same hour. */
const SAME_HOUR_MS = 1.25 * HOUR_MS;
/** Waits end a little before or after the hour. */
const QUIET_MS = 0.75 * HOUR_MS;

export function learnLimit(record: ChangeLimitRecord, sign: LimitSign): ChangeLimitRecord {
  const last = record.met.at(-1);
  switch (sign.is) {
    case 'named':
      return record.named === sign.perHour ? record : { ...record, named: sign.perHour };
    case 'refused': {
      // An hour that began with a refusal is no evidence: other clients have used up the limit.
      if (sign.changes < 1) return record;
      if (!sign.isWaitNamed && !isShown(record, sign.changes, sign.at)) {
        const { unsure } = record;
        const isNew = unsure === null || isDisproved(unsure, sign.changes, sign.at);
        const wanted = sign.changes + sign.asked;
        return isNew ? { ...record, unsure: { changes: sign.changes, wanted, at: sign.at } } : record;
      }
      const isSameHour = last !== undefined && sign.at - last.at < SAME_HOUR_MS && sign.at >= last.at;
      // Requests refused together were counted together: the last of these refusals has only the accepted changes.
      // If the count dropped by more than the request, an hour has ended in between.
      const isTogether = isSameHour && sign.at - last.at < MINUTE_MS && last.changes - sign.changes <= sign.asked;
      const counts = [sign.changes, ...(isSameHour ? [last.changes] : [])];
      const changes = isTogether ? Math.min(...counts) : Math.max(...counts);
      const at = isSameHour ? last.at : sign.at;
      const before = isSameHour ? record.met.slice(0, -1) : record.met;
      return { ...record, met: [...before, { changes, at }].slice(-KEPT), unsure: null, quiet: 0, quietAt: 0 };
    }
    case 'used-up': {
      if (last === undefined || sign.at - Math.max(last.at, record.quietAt) < QUIET_MS) return record;
      return { ...record, quiet: Math.min(record.quiet + 1, QUIET_MAX), quietAt: sign.at };
    }
  }
}

/** Calls refused for quick succession are accepted again after a shorter time. */
const SHORT_MS = 5 * MINUTE_MS;

/** Whether an earlier refusal is no evidence for this hour: the service has accepted more since, or it is too old. */
const isDisproved = ({ wanted, at }: NonNullable<ChangeLimitRecord['unsure']>, changes: number, now: number): boolean =>
  changes >= wanted || now < at || now - at > SAME_HOUR_MS;

/** Whether a refusal that names no wait shows the limit of the hour: it is the second, minutes after the first. */
const isShown = ({ unsure }: ChangeLimitRecord, changes: number, now: number): boolean =>
  unsure !== null && !isDisproved(unsure, changes, now) && now - unsure.at >= SHORT_MS;

/**
 * Start of the hour whose limit a refusal is about.
 *
 * @param retryAfterMs wait time before a retry, in milliseconds; null if the service names none
 * @returns null for a shorter wait, after calls in too quick succession, and for one of more than an hour
 */
export function hourOfRefusal(retryAfterMs: number | null, at: number): number | null {
  if (retryAfterMs === null) return at - HOUR_MS;
  if (retryAfterMs < MINUTE_MS || retryAfterMs > HOUR_MS + MINUTE_MS) return null;
  return at - HOUR_MS + Math.min(retryAfterMs, HOUR_MS);
}

/** After this many quiet hours a learned limit is a hundred times the original. */
const QUIET_MAX = 10;
/** Hours that differ by less confirm the same limit: a last request may exceed it by half. */
const SAME = 0.25;
/** Below this share of the limit that is named or set, a refusal shows a lower one. */
const LOWER = 0.8;

/**
 * @param setting changes per hour of the deployment settings
 * @param isOwn whether the user has set them: then a higher limit named by the service is not used
 */
export function limitOf(record: ChangeLimitRecord, setting: number, isOwn: boolean): ChangeLimit {
  const { named } = record;
  const isNamed = named !== null && (!isOwn || named <= setting);
  const top = isNamed ? named : setting;
  const base: ChangeLimit = { perHour: top, from: isNamed ? 'service' : 'settings', seen: 0 };
  const last = record.met.at(-1);
  if (last === undefined) return base;
  const other = record.met.findLastIndex(({ changes }) => Math.abs(changes - last.changes) > SAME * last.changes);
  const same = record.met.slice(other + 1).map(({ changes }) => changes);
  const shown = same.toSorted((a, b) => a - b)[Math.floor((same.length - 1) / 2)] ?? last.changes;
  // A tenth more after the first quiet hour, then 3, 7, 15 tenths.
  const tried = Math.ceil(shown * (1 + (2 ** record.quiet - 1) / 10));
  return tried < top * LOWER ? { perHour: tried, from: 'learned', seen: same.length } : base;
}

/** Changes sent within the same minute. */
export interface SentChanges {
  /** When the minute began, in milliseconds since 1970. */
  readonly at: number;
  readonly changes: number;
}

/**
 * An hour of the service may begin this much earlier or later than computed here: its waits are whole seconds,
 * responses take a while, and its clock differs.
 */
export const CLOCKS_APART_MS = 10_000;

/** When the last of these changes is an hour old for the service too, which received them slightly later. */
const endOf = ({ at }: SentChanges): number => at + MINUTE_MS + HOUR_MS + CLOCKS_APART_MS;

/** Changes that the service may count in an hour that began then, in milliseconds since 1970. */
export const changesSince = (sent: readonly SentChanges[], began: number): number =>
  sumOf(sent.filter(({ at }) => at + MINUTE_MS > began - CLOCKS_APART_MS));

/** Those that count at this moment, oldest first. */
export const inLastHour = (sent: readonly SentChanges[], nowMs: number): readonly SentChanges[] =>
  sent.filter((minute) => endOf(minute) > nowMs).toSorted((a, b) => a.at - b.at);

const sumOf = (sent: readonly SentChanges[]): number => sent.reduce((sum, { changes }) => sum + changes, 0);

export const leftOf = (sent: readonly SentChanges[], perHour: number): number => Math.max(0, perHour - sumOf(sent));

/**
 * Milliseconds to wait until these changes fit into the hour; 0 if they do now. For more than the hourly limit, the
 * wait until no earlier change counts.
 */
export function waitFor(sent: readonly SentChanges[], changes: number, perHour: number, nowMs: number): number {
  let over = sumOf(sent) + Math.min(changes, perHour) - perHour;
  for (const minute of sent) {
    if (over <= 0) break;
    over -= minute.changes;
    if (over <= 0) return Math.max(1, endOf(minute) - nowMs);
  }
  return 0;
}

/** When the last of these changes is sent, if only the hourly limit applies; `nowMs` if all of them fit. */
export function sentBy(sent: readonly SentChanges[], changes: number, perHour: number, nowMs: number): number {
  const used = sumOf(sent);
  // Each change is sent when the one a full limit before it is an hour old.
  for (let place = used + changes - 1 - perHour, hours = 0; ; place -= perHour, hours++) {
    if (place < 0) return nowMs + hours * HOUR_MS;
    if (place >= used) continue;
    const minute = sent.find((_, at) => sumOf(sent.slice(0, at + 1)) > place);
    return (minute === undefined ? nowMs : Math.max(nowMs, endOf(minute))) + hours * HOUR_MS;
  }
}
