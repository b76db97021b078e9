/** A date and a time of day on the wall of a zone, such as `2026-11-30T18:00`. */
const SHAPE = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})$/;

/** One formatter for each zone: each holds some 30 kB outside the heap (`plain-date.ts`). */
const walls = new Map<string, Intl.DateTimeFormat>();

function wallOf(zone: string): Intl.DateTimeFormat {
  const known = walls.get(zone);
  if (known !== undefined) return known;
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  const made = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, hourCycle: 'h23', ...parts });
  walls.set(zone, made);
  return made;
}

/** What a clock on the wall of the zone shows at this instant, as `yyyy-MM-ddTHH:mm`. */
export const wallTimeInZone = (epochMs: number, zone: string): string => wallOf(zone).format(epochMs).replace(' ', 'T');

/**
 * The instant at which a clock on the wall of the zone shows this time, in milliseconds since 1970; null when the text is no
 * time of the calendar. A time that daylight saving skips becomes one that is an hour earlier.
 */
export function momentInZone(text: string, zone: string): number | null {
  if (!SHAPE.test(text)) return null;
  const asUtc = Date.parse(`${text}Z`);
  if (Number.isNaN(asUtc) || new Date(asUtc).toISOString().slice(0, 16) !== text) return null;
  const offsetAt = (epochMs: number): number => Date.parse(`${wallTimeInZone(epochMs, zone)}Z`) - epochMs;
  return asUtc - offsetAt(asUtc - offsetAt(asUtc));
}
