import { Button } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconCalendarDown } from '@tabler/icons-react';
import { useState } from 'react';
import { addDays, plainDate } from '../../../shared/model/plain-date.ts';
import { useAppContext } from '../../app/desk.ts';
import { saveText } from '../../app/save-text.ts';
import { readWhole } from '../../data/paged-list.ts';
import { launches } from '../../data/questions.ts';
import { usePagedList } from '../../data/use-paged-list.ts';
import { en } from '../../messages/en.ts';
import { enLaunch } from '../../messages/en-launch.ts';
import { errorText } from '../../messages/errors.ts';
import { dayText } from '../../messages/numbers.ts';
import { ChipChoice } from '../../ui/ChipChoice.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { VirtualList } from '../../ui/LongList.tsx';
import { calendarFile } from './calendar-file.ts';
import { LaunchLine } from './LaunchLine.tsx';
import { dayPlace, namedWeeks, type Span, weeksOf } from './timeline.ts';

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
