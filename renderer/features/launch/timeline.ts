import type { Launch } from '../../../shared/api/campaigns.ts';
import { addDays, daysBetween, OPEN_END, plainDate } from '../../../shared/model/plain-date.ts';
import type { PlainDate } from '../../../shared/model/scalars.ts';

/** Where the bars of a campaign stand on the calendar. Days are counted from the first day that is drawn. */
export interface Segment {
  readonly what: 'media' | 'review' | 'scheduled' | 'live';
  /** First day, and the day after the last; both may lie outside what is drawn. */
  readonly from: PlainDate;
  readonly to: PlainDate;
}

export interface Span {
  readonly first: PlainDate;
  readonly days: number;
}

interface Waits {
  readonly today: PlainDate;
  readonly reviewDays: number;
  readonly mediaMinutes: number;
}

const DAY_MINUTES = 1440;

/**
 * The stretches a campaign has before it: its video is processed, the review takes as long as it may, it waits for
 * its first day, it is live until its last. Stretches follow each other; what is over is left out.
 */
export function segmentsOf(launch: Launch, { today, reviewDays, mediaMinutes }: Waits): readonly Segment[] {
  const segments: Segment[] = [];
  let at = today;
  const add = (what: Segment['what'], to: PlainDate): void => {
    if (daysBetween(at, to) > 0) segments.push({ what, from: at, to });
    at = daysBetween(at, to) > 0 ? to : at;
  };
  if (launch.waitsForVideo) add('media', addDays(at, Math.ceil(mediaMinutes / DAY_MINUTES)));
  if (launch.needsReview) add('review', addDays(at, reviewDays));
  const start = plainDate(launch.startDate ?? '');
  // Of one that has ended the new stretch is drawn that extending it would give.
  const extended = launch.missing.flatMap(({ fix }) => (fix.way === 'write' ? [fix.values] : []))[0];
  if (launch.state === 'ended') {
    const last = extended === undefined ? null : plainDate(extended.endDate ?? OPEN_END);
    return last === null ? [] : [{ what: 'live', from: today, to: last === OPEN_END ? last : addDays(last, 1) }];
  }
  const end = plainDate(launch.endDate ?? '');
  if (start === null) return segments;
  if (daysBetween(at, start) > 0) add('scheduled', start);
  // A campaign that is live has been so since its first day.
  const liveFrom = segments.length === 0 ? start : at;
  const after = end === null || end === OPEN_END ? OPEN_END : addDays(end, 1);
  if (daysBetween(liveFrom, after) > 0) segments.push({ what: 'live', from: liveFrom, to: after });
  return segments;
}

/** Left edge and width of a stretch in percent of what is drawn; null when none of it is. */
export function placeOf(segment: Segment, span: Span): { readonly left: number; readonly width: number } | null {
  const from = Math.max(0, daysBetween(span.first, segment.from));
  const to = Math.min(span.days, daysBetween(span.first, segment.to));
  return to <= from ? null : { left: (100 * from) / span.days, width: (100 * (to - from)) / span.days };
}

/** Where a single day stands, in percent; null outside what is drawn. */
export function dayPlace(day: PlainDate, span: Span): number | null {
  const at = daysBetween(span.first, day);
  return at < 0 || at >= span.days ? null : (100 * at) / span.days;
}

/** Pixels that the name of a week needs, in the languages with long ones. */
const NAME_PX = 60;

/** The weeks whose names fit beside each other into so many pixels, and before the right edge: every one, every second, ... */
export function namedWeeks(span: Span, widthPx: number): readonly PlainDate[] {
  const weekPx = (7 * widthPx) / span.days;
  const step = Math.max(1, Math.ceil(NAME_PX / weekPx));
  return weeksOf(span).filter(
    (week, at) => at % step === 0 && (daysBetween(span.first, week) * weekPx) / 7 + NAME_PX <= widthPx,
  );
}

/** The Mondays within the span, for the lines and names of weeks. */
export function weeksOf(span: Span): readonly PlainDate[] {
  const weekday = new Date(`${span.first}T00:00:00Z`).getUTCDay();
  const firstMonday = addDays(span.first, (8 - weekday) % 7);
  const weeks: PlainDate[] = [];
  for (let day = firstMonday; daysBetween(span.first, day) < span.days; day = addDays(day, 7)) weeks.push(day);
  return weeks;
}
