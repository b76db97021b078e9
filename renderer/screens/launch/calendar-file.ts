import type { Launch } from '../../../shared/contract/launch.ts';
import { addDays, OPEN_END, plainDate } from '../../../shared/model/plain-date.ts';
import { enLaunch } from '../../messages/en-launch.ts';

interface CalendarDay {
  readonly id: string;
  readonly day: string;
  readonly summary: string;
}

/**
 * Submit-by days, first and last days as whole-day events of a calendar file (RFC 5545): CRLF line ends, lines
 * folded at 75 bytes, commas and semicolons escaped.
 *
 * @param stamp when the file was made, as 20260531T120000Z
 */
export function calendarFile(launches: readonly Launch[], stamp: string): string {
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Adslate//Launches//EN', 'CALSCALE:GREGORIAN'];
  for (const { id, day, summary } of launches.flatMap(daysOf)) {
    const date = plainDate(day);
    if (date === null) continue;
    lines.push(
      'BEGIN:VEVENT',
      `UID:${id}@adslate.invalid`,
      `DTSTAMP:${stamp}`,
      `DTSTART;VALUE=DATE:${compact(date)}`,
      `DTEND;VALUE=DATE:${compact(addDays(date, 1))}`,
      `SUMMARY:${escaped(summary)}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    );
  }
  lines.push('END:VCALENDAR');
  return `${lines.map(folded).join('\r\n')}\r\n`;
}

function daysOf({ campaignId, name, submitBy, startDate, endDate }: Launch): readonly CalendarDay[] {
  const days: CalendarDay[] = [];
  const { ics } = enLaunch;
  if (submitBy !== null) days.push({ id: `submit-${campaignId}`, day: submitBy, summary: ics.submit(name) });
  if (startDate !== null) days.push({ id: `start-${campaignId}`, day: startDate, summary: ics.start(name) });
  if (endDate !== null && endDate !== OPEN_END) {
    days.push({ id: `end-${campaignId}`, day: endDate, summary: ics.end(name) });
  }
  return days;
}

const compact = (day: string): string => day.replaceAll('-', '');
const escaped = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n');

/** A line of at most 75 bytes; what is longer goes on in lines that begin with a blank. */
function folded(line: string): string {
  const encoder = new TextEncoder();
  const parts: string[] = [];
  let part = '';
  let bytes = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (bytes + size > 75) {
      parts.push(part);
      part = ' ';
      bytes = 1;
    }
    part += character;
    bytes += size;
  }
  return [...parts, part].join('\r\n');
}
