/**
 * Which backups of a workspace may go. Pure, so that the rules can be held against any history of backups.
 *
 *   by hand        never by itself
 *   timed          all of the last 7 days; of older days the last one, for a year
 *   before ...     the newest five of each reason
 *
 * Beyond the quota the oldest go first, whatever their reason but "by hand". The newest backup always stays.
 */
export const BACKUP_REASONS = [
  'timed',
  'before-import',
  'before-sync',
  'before-restore',
  'before-schema',
  'by-hand',
] as const;
export type BackupReason = (typeof BACKUP_REASONS)[number];

export interface StoredBackup {
  readonly id: string;
  readonly reason: BackupReason;
  /** When it was made, in milliseconds since 1970. */
  readonly at: number;
  readonly bytes: number;
}

const DAY_MS = 86_400_000;
const DAYS_WHOLE = 7;
const DAYS_DAILY = 365;
const KEPT_OF_A_REASON = 5;
export const QUOTA_BYTES = 2 * 2 ** 30;

/** @param backups in any order */
export function expendable(
  backups: readonly StoredBackup[],
  nowMs: number,
  quotaBytes = QUOTA_BYTES,
): readonly StoredBackup[] {
  const newestFirst = backups.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
  const [newest, ...others] = newestFirst;
  if (newest === undefined) return [];
  const seen = new Map<string, number>(newest.reason === 'by-hand' ? [] : [[placeOf(newest, nowMs), 1]]);
  let bytes = newest.bytes;
  const going: StoredBackup[] = [];
  for (const backup of others) {
    const isKept = backup.reason === 'by-hand' || (hasRoom(backup, seen, nowMs) && bytes + backup.bytes <= quotaBytes);
    if (isKept) bytes += backup.bytes;
    else going.push(backup);
  }
  return going;
}

function hasRoom(backup: StoredBackup, seen: Map<string, number>, nowMs: number): boolean {
  const place = placeOf(backup, nowMs);
  const count = (seen.get(place) ?? 0) + 1;
  seen.set(place, count);
  if (backup.reason !== 'timed') return count <= KEPT_OF_A_REASON;
  const age = nowMs - backup.at;
  if (age <= DAYS_WHOLE * DAY_MS) return true;
  return age <= DAYS_DAILY * DAY_MS && count === 1;
}

/** Backups of one place compete with each other: those of a reason, or timed ones of the same day (UTC). */
function placeOf(backup: StoredBackup, nowMs: number): string {
  if (backup.reason !== 'timed') return backup.reason;
  const isYoung = nowMs - backup.at <= DAYS_WHOLE * DAY_MS;
  return isYoung ? `young ${backup.id}` : new Date(backup.at).toISOString().slice(0, 10);
}
