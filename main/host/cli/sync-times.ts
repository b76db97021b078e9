import { momentInZone } from '../../../shared/model/moment-in-zone.ts';
import type { Context } from './command.ts';
import { usageStop } from './stop.ts';

/** When a sync goes and until when; what `sync` takes beside what it sends. */
export interface SyncTimes {
  /** Whether it waits for a service that is away. */
  readonly resumes: boolean;
  /** Milliseconds since 1970; null for none. */
  readonly deadline: number | null;
  /** Null when it goes at once. */
  readonly health: { readonly after: number; readonly healthyMinutes: number } | null;
}

export const TIME_OPTIONS = {
  wait: { type: 'boolean' },
  deadline: { type: 'string' },
  'when-healthy': { type: 'boolean' },
  after: { type: 'string' },
  'healthy-for': { type: 'string' },
} as const;

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const MINUTES_MAX = 1440;

/** @throws a Stop for a time that can't be read or has passed, and for options that need another one */
export async function syncTimesOf(context: Context): Promise<SyncTimes> {
  const isScheduled = context.flag('when-healthy');
  const other = ['after', 'healthy-for'].find((name) => context.text(name) !== null);
  if (!isScheduled && other !== undefined) throw usageStop(`--${other} needs --when-healthy.`);
  const minutes = context.text('healthy-for') ?? '5';
  if (!/^\d{1,4}$/.test(minutes) || Number(minutes) < 1 || Number(minutes) > MINUTES_MAX) {
    throw usageStop(`--healthy-for takes minutes from 1 to ${MINUTES_MAX}, not "${minutes}".`);
  }
  const deadline = await momentOf(context, 'deadline');
  const after = await momentOf(context, 'after');
  if (deadline !== null && after !== null && after >= deadline) {
    throw usageStop('--after is not before --deadline, so nothing would be sent.');
  }
  const health = isScheduled ? { after: after ?? 0, healthyMinutes: Number(minutes) } : null;
  return { resumes: context.flag('wait') || isScheduled, deadline, health };
}

/** `2h`, `30m`, `1d` from now, or a time on the wall of the account's zone. */
async function momentOf(context: Context, name: string): Promise<number | null> {
  const text = context.text(name);
  if (text === null) return null;
  const [, count = '', unit = ''] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  const now = context.nowMs();
  const { zone } = (await context.account()).profile.business;
  const moment = count === '' ? momentInZone(text, zone) : now + Number(count) * (UNITS[unit] ?? 0);
  if (moment === null) {
    throw usageStop(`--${name} takes a time such as 2026-11-30T18:00 (in ${zone}) or 2h, not "${text}".`);
  }
  if (moment <= now) throw usageStop(`--${name} ${text} has passed. Enter a later time.`);
  return moment;
}
