import { Button, Menu } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconCalendarDown } from '@tabler/icons-react';
import { useState } from 'react';
import type { Launch } from '../../../shared/api/campaigns.ts';
import { addDays, OPEN_END, plainDate } from '../../../shared/model/plain-date.ts';
import type { PlainDate } from '../../../shared/model/scalars.ts';
import { NOT_OFFERED, stepCommand } from '../../../shared/plan/capabilities.ts';
import { useAppContext, useView } from '../../app/app-context.ts';
import { fixAllSteps, isForAll, runLaunchStep } from '../../app/launch-step-commands.ts';
import { saveText } from '../../app/save-text.ts';
import { ChipChoice } from '../../components/ChipChoice.tsx';
import { Empty } from '../../components/Empty.tsx';
import { StatusDot, toneOf } from '../../components/StatusDot.tsx';
import { VirtualList } from '../../components/VirtualList.tsx';
import { readWhole } from '../../data/paged-list.ts';
import { launches } from '../../data/queries.ts';
import { useOffering } from '../../data/use-offering.ts';
import { usePagedList } from '../../data/use-paged-list.ts';
import { en } from '../../texts/en.ts';
import { enLaunch } from '../../texts/en-launch.ts';
import { enSteps } from '../../texts/en-steps.ts';
import { errorText } from '../../texts/errors.ts';
import { estimatedText, stateText } from '../../texts/fields.ts';
import { dayText, fullDayText, momentText } from '../../texts/numbers.ts';
import { dayPlace, namedWeeks, placeOf, type Span, segmentsOf, weeksOf } from './timeline.ts';

const WEEKS = [4, 8, 16] as const;
/** Days before today that are drawn, so that today has a place of its own. */
const BACK = 3;
/** More events than this are no calendar any more. */
const EVENTS_MAX = 1000;
const WHATS = ['media', 'review', 'scheduled', 'live'] as const;

/** Every campaign that is not over: what it needs next, and when it will be live. */
export function TimelineTab({ workspaceId }: { readonly workspaceId: string }) {
  const { connection } = useAppContext();
  const [weeks, setWeeks] = useState<number>(8);
  const { ref: bars, width } = useElementSize<HTMLSpanElement>();
  const question = launches(workspaceId);
  const list = usePagedList(question);
  const newest = list.newest();
  const today = plainDate(newest?.facts.today ?? '');
  if (newest === undefined || today === null) {
    const problem = list.problem();
    return <div className="empty">{problem === null ? en.grid.loading : errorText(problem)}</div>;
  }
  if (newest.total === 0) return <Empty title={enLaunch.none} text={enLaunch.noneText} />;
  const span: Span = { first: addDays(today, -BACK), days: weeks * 7 };
  const save = async (): Promise<void> => {
    const all = await readWhole(connection.client, question, () => true, EVENTS_MAX);
    const stamp = `${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`;
    saveText(enLaunch.ics.fileName, calendarFile(all, stamp), 'text/calendar');
  };
  return (
    <div className="launch">
      <div className="launch-tools">
        <span className="quiet">{enLaunch.today(dayText(today))}</span>
        <span className="quiet">{enLaunch.total(newest.total)}</span>
        <span className="toolbar-gap" />
        <span className="launch-legend" role="group" aria-label={enLaunch.legend}>
          {WHATS.map((what) => (
            <span key={what}>
              <span className={`launch-sample launch-${what}`} aria-hidden="true" /> {enLaunch.segments[what]}
            </span>
          ))}
        </span>
        <ChipChoice
          label={enLaunch.weeks}
          choices={WEEKS.map((value) => ({ value, name: enLaunch.weeksOf(value) }))}
          chosen={weeks}
          onChoose={setWeeks}
        />
        <Button
          leftSection={<IconCalendarDown size={15} stroke={1.5} aria-hidden="true" />}
          onClick={() => void save()}
        >
          {enLaunch.calendar}
        </Button>
      </div>
      <div className="launch-head">
        <span className="launch-name">{enLaunch.campaign}</span>
        <span className="launch-next">{enLaunch.next}</span>
        <span className="launch-bars" ref={bars}>
          {namedWeeks(span, width).map((week) => (
            <span key={week} className="launch-week" style={{ left: `${dayPlace(week, span) ?? 0}%` }}>
              {dayText(week)}
            </span>
          ))}
        </span>
      </div>
      <div className="launch-body">
        <div className="launch-lines" aria-hidden="true">
          {weeksOf(span).map((week) => (
            <span key={week} className="launch-rule" style={{ left: `${dayPlace(week, span) ?? 0}%` }} />
          ))}
          <span className="launch-today" style={{ left: `${dayPlace(today, span) ?? 0}%` }} />
        </div>
        <VirtualList
          count={newest.total}
          label={enLaunch.list}
          resetOn={workspaceId}
          onWant={list.want}
          line={(index) => (
            <LaunchLine
              launch={list.at(index)}
              span={span}
              today={today}
              reviewDays={newest.facts.reviewDays.max}
              mediaMinutes={newest.facts.mediaMinutes}
            />
          )}
        />
      </div>
    </div>
  );
}

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

interface LaunchLineProps {
  readonly launch: Launch | undefined;
  readonly span: Span;
  readonly today: PlainDate;
  readonly reviewDays: number;
  readonly mediaMinutes: number;
}

/** One campaign: its state, the cheapest missing step, and its way on the calendar. */
function LaunchLine({ launch, span, today, reviewDays, mediaMinutes }: LaunchLineProps) {
  const { store } = useAppContext();
  if (launch === undefined) return <span className="long-skeleton" />;
  const { state, stateSource, asOf } = launch;
  const segments = segmentsOf(launch, { today, reviewDays, mediaMinutes });
  const submitBy = plainDate(launch.submitBy ?? '');
  const mark =
    submitBy === null || (launch.missing.length === 0 && !launch.needsReview) ? null : dayPlace(submitBy, span);
  const deadline =
    launch.submitBy === null ? '' : launch.isLate ? enLaunch.late(launch.submitBy) : enLaunch.submitBy(launch.submitBy);
  return (
    <div className="launch-line">
      <span className="launch-name">
        <button
          type="button"
          className="link"
          title={launch.name}
          onClick={() => store.getState().reveal('campaign', launch.campaignId, launch.campaignId, null)}
        >
          {launch.name}
        </button>
        <span
          className="launch-state"
          title={stateSource === 'estimated' ? estimatedText(asOf === null ? null : momentText(asOf)) : undefined}
        >
          <StatusDot tone={toneOf(state)} text={stateText(state, stateSource)} />
        </span>
      </span>
      <LaunchStep launch={launch} />
      <span className="launch-bars">
        {segments.map((segment) => {
          const place = placeOf(segment, span);
          if (place === null) return null;
          const name = enLaunch.segments[segment.what];
          const to = segment.to.startsWith('9999') ? enLaunch.open : fullDayText(segment.to);
          return (
            <span
              key={segment.what}
              className={`launch-bar launch-${segment.what}`}
              style={{ left: `${place.left}%`, width: `${place.width}%` }}
              title={enLaunch.segment(name, fullDayText(segment.from), to)}
            >
              <span className="launch-word">{name}</span>
            </span>
          );
        })}
        {mark !== null && (
          <span
            className={launch.isLate ? 'launch-deadline launch-late' : 'launch-deadline'}
            style={{ left: `${mark}%` }}
            title={deadline}
          />
        )}
        {launch.startDate === null && <span className="quiet">{enLaunch.noDate}</span>}
        <span className="spoken-only">{deadline}</span>
        {launch.isLate && (
          <span className="badge badge-error launch-note" title={deadline}>
            <span aria-hidden="true">!</span> {enLaunch.submitBy(launch.submitBy ?? '')}
          </span>
        )}
      </span>
    </div>
  );
}

/** The cheapest missing step with the button that ends it; behind it a menu of all of them. */
function LaunchStep({ launch }: { readonly launch: Launch }) {
  const desk = useAppContext();
  const [next, ...later] = launch.missing;
  const offering = useOffering(next === undefined ? null : stepCommand(next.step));
  if (next === undefined) {
    return (
      <span className="launch-next">
        {launch.isReady ? (
          <span className="badge badge-good">
            <span aria-hidden="true">✓</span>
            {enLaunch.ready}
          </span>
        ) : (
          <span className="quiet">{enLaunch.waits}</span>
        )}
      </span>
    );
  }
  return (
    <span className="launch-next">
      <span className="launch-step" title={enSteps.what(next)}>
        {enSteps.what(next)}
      </span>
      <button
        type="button"
        className="chip"
        title={next.fix.way === 'outside' ? NOT_OFFERED : offering?.text}
        disabled={next.fix.way === 'outside'}
        onClick={() => void runLaunchStep(desk, launch, next.fix)}
      >
        {enSteps.button(next)}
      </button>
      <StepsMenu launch={launch} later={later.length} />
    </span>
  );
}

function StepsMenu({ launch, later }: { readonly launch: Launch; readonly later: number }) {
  const desk = useAppContext();
  const workspaceId = useView((s) => s.workspaceId);
  const { missing, name } = launch;
  const first = missing[0]?.fix;
  return (
    <Menu position="bottom-start" width={380}>
      <Menu.Target>
        <button type="button" className="chip" aria-label={enSteps.all(name, later)}>
          {enSteps.more(later)}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {missing.map((each) => (
          <Menu.Item
            key={`${each.step} ${enSteps.what(each)}`}
            disabled={each.fix.way === 'outside'}
            title={each.fix.way === 'outside' ? NOT_OFFERED : undefined}
            onClick={() => void runLaunchStep(desk, launch, each.fix)}
            rightSection={<span className="quiet launch-way">{enSteps.button(each)}</span>}
          >
            {enSteps.what(each)}
          </Menu.Item>
        ))}
        {first !== undefined && isForAll(first) && workspaceId !== null && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={() => void fixAllSteps(desk, workspaceId, first)}>
              {enSteps.everywhere[first.way]}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
