import { Button, Menu } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconCalendarDown, IconCheck, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import type { Launch, LaunchFix } from '../../../shared/api/campaigns.ts';
import { CREATE_MAX, LAUNCH_MAX } from '../../../shared/api/limits.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { addDays, daysBetween, OPEN_END, plainDate } from '../../../shared/model/plain-date.ts';
import type { PlainDate } from '../../../shared/model/scalars.ts';
import { NOT_OFFERED, stepCommand } from '../../../shared/plan/capabilities.ts';
import { SYNC_SELECTION_MAX } from '../../../shared/plan/sync-selection.ts';
import { unreachable } from '../../../shared/result.ts';
import { attempt } from '../../app/actions.ts';
import { type AppContext, useApi, useAppContext, useView } from '../../app/app-context.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { estimatedText, stateText } from '../../app/field-names.ts';
import { countText, dayText, fullDayText, momentText } from '../../app/locale/numbers.ts';
import { Waiting } from '../../app/Problem.tsx';
import { readWhole, usePagesOf } from '../../app/pages.ts';
import { saveText } from '../../app/save-text.ts';
import { useOffering } from '../../app/shared-queries.ts';
import { wholeCampaigns } from '../../app/store/sync-slice.ts';
import { Chip } from '../../components/Chip.tsx';
import { ChipChoice } from '../../components/ChipChoice.tsx';
import { Empty } from '../../components/Empty.tsx';
import { StatusShape } from '../../components/StatusShape.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { VirtualList } from '../../components/VirtualList.tsx';
import { ItemPicture } from '../../grid/ItemPicture.tsx';
import styles from './launch.module.css';
import { launchTexts } from './text.ts';

const SPANS = [14, 28, 91] as const;
/** The width that a day needs for its number, in pixels. With less, weeks are named. */
const DAY_PX = 16;
const WHATS = ['media', 'review', 'scheduled', 'live'] as const;
const PARTS = ['upcoming', 'live'] as const;
const LINE_PX = 38;

/** Campaigns with their next step, and when they go live. Live and recently ended ones come last and can be collapsed. */
export function LaunchScreen({ workspaceId }: { readonly workspaceId: string }) {
  const api = useApi();
  const [days, setDays] = useState<number>(28);
  const [isFolded, setFolded] = useState(false);
  const [busy, during] = useBusy();
  const { ref: bars, width } = useElementSize<HTMLSpanElement>();
  const lists = usePagesOf(
    PARTS,
    (part, from, count) =>
      api.launch.list.queryOptions({
        input: { workspaceId, part: part === 'live' ? 'live' : 'upcoming', from, count },
      }),
    ({ launches }) => launches,
    LAUNCH_MAX,
  );
  const upcoming = lists('upcoming');
  const live = lists('live');
  const { newest } = upcoming;
  const today = plainDate(newest?.today ?? '');
  if (newest === undefined || live.newest === undefined || today === null) return <Waiting error={upcoming.error} />;
  const liveCount = live.newest.total;
  if (newest.total + liveCount === 0) return <Empty heading title={launchTexts.none} text={launchTexts.noneText} />;
  const span: Span = { first: today, days };
  const first = newest.total + 1;
  const count = newest.total + (liveCount === 0 ? 0 : 1 + (isFolded ? 0 : liveCount));
  const want = (from: number, to: number): void => {
    upcoming.want(from, Math.min(to, newest.total));
    if (to > first) live.want(Math.max(0, from - first), to - first);
  };
  const save = async (): Promise<void> => {
    const all = await during(
      readWhole(
        (from, most) => api.launch.list.call({ workspaceId, from, count: most }),
        ({ launches }) => launches,
        Infinity,
        LAUNCH_MAX,
      ),
    );
    const stamp = `${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`;
    saveText(launchTexts.ics.fileName, calendarFile(all, stamp), 'text/calendar');
  };
  const waits = { today, reviewDays: newest.reviewDays.max, mediaMinutes: newest.mediaMinutes };
  return (
    <div className={styles['launch']}>
      <div className={styles['launch-tools']}>
        <h1>{launchTexts.title(newest.total)}</h1>
        <span className={ui['toolbar-gap']} />
        <ChipChoice
          label={launchTexts.span}
          choices={SPANS.map((value) => ({ value, name: launchTexts.spans[value] }))}
          chosen={days}
          onChoose={setDays}
        />
        <Button
          leftSection={<IconCalendarDown size={15} stroke={1.5} aria-hidden="true" />}
          loading={busy}
          onClick={() => void save()}
        >
          {launchTexts.calendar}
        </Button>
      </div>
      <div className={styles['launch-legend']} role="group" aria-label={launchTexts.legend}>
        {WHATS.map((what) => (
          <span key={what}>
            <span className={`${styles['launch-sample']} ${styles[`launch-${what}`]}`} aria-hidden="true" />{' '}
            {what === 'review' ? launchTexts.reviewUpTo(newest.reviewDays.max) : launchTexts.segments[what]}
          </span>
        ))}
        <span>
          <span className={styles['launch-pin-sample']} aria-hidden="true" /> {launchTexts.pin}
        </span>
      </div>
      <div className={styles['launch-head']}>
        <span className={styles['launch-name']}>{launchTexts.campaign}</span>
        <span className={styles['launch-next']}>{launchTexts.next}</span>
        <span className={styles['launch-bars']} ref={bars}>
          {width >= days * DAY_PX
            ? Array.from({ length: days }, (_, at) => addDays(today, at)).map((day) => (
                <span
                  key={day}
                  className={dayClass(day, today)}
                  style={{ left: `${dayPlace(day, span) ?? 0}%`, width: `${100 / days}%` }}
                  title={fullDayText(day)}
                >
                  {Number(day.slice(8))}
                </span>
              ))
            : namedWeeks(span, width).map((week) => (
                <span key={week} className={styles['launch-week']} style={{ left: `${dayPlace(week, span) ?? 0}%` }}>
                  {dayText(week)}
                </span>
              ))}
        </span>
      </div>
      <div className={styles['launch-body']}>
        <div className={styles['launch-lines']} aria-hidden="true">
          {monthsOf(span).map((day) => (
            <span key={day} className={styles['launch-rule']} style={{ left: `${dayPlace(day, span) ?? 0}%` }} />
          ))}
          <span className={styles['launch-today']} style={{ left: `${50 / days}%` }} />
        </div>
        <VirtualList
          count={count}
          label={launchTexts.list}
          resetOn={workspaceId}
          height={LINE_PX}
          onWant={want}
          line={(index) =>
            index === newest.total ? (
              <button
                type="button"
                className={styles['launch-fold']}
                aria-expanded={!isFolded}
                onClick={() => setFolded(!isFolded)}
              >
                {isFolded ? (
                  <IconChevronRight size={14} stroke={1.5} aria-hidden="true" />
                ) : (
                  <IconChevronDown size={14} stroke={1.5} aria-hidden="true" />
                )}
                {launchTexts.started} <span className={ui['quiet']}>{countText(liveCount)}</span>
              </button>
            ) : (
              <LaunchLine
                workspaceId={workspaceId}
                launch={index < newest.total ? upcoming.at(index) : live.at(index - first)}
                span={span}
                waits={waits}
              />
            )
          }
        />
      </div>
    </div>
  );
}

const isWeekend = (day: PlainDate): boolean => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());

const dayClass = (day: PlainDate, today: PlainDate): string =>
  [styles['launch-day'], isWeekend(day) && styles['launch-weekend'], day === today && styles['launch-day-today']]
    .filter(Boolean)
    .join(' ');

/** The first days of months in the span. */
const monthsOf = ({ first, days }: Span): readonly PlainDate[] =>
  Array.from({ length: days }, (_, at) => addDays(first, at)).filter((day, at) => at > 0 && day.endsWith('-01'));

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
  const { ics } = launchTexts;
  if (submitBy !== null) days.push({ id: `submit-${campaignId}`, day: submitBy, summary: ics.submit(name) });
  if (startDate !== null) days.push({ id: `start-${campaignId}`, day: startDate, summary: ics.start(name) });
  if (endDate !== null && endDate !== OPEN_END) {
    days.push({ id: `end-${campaignId}`, day: endDate, summary: ics.end(name) });
  }
  return days;
}

const compact = (day: string): string => day.replaceAll('-', '');
const escaped = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n');

/** Splits a line into parts of at most 75 bytes; continuation lines start with a space. */
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
  readonly workspaceId: string;
  readonly launch: Launch | undefined;
  readonly span: Span;
  readonly waits: Waits;
}

/** One campaign: its state, the first missing step, and its calendar bars. */
function LaunchLine({ workspaceId, launch, span, waits }: LaunchLineProps) {
  const { store } = useAppContext();
  if (launch === undefined) return <span className={ui['long-skeleton']} />;
  const { state, stateSource, asOf, name, campaignId } = launch;
  const estimated = stateSource === 'estimated' ? estimatedText(asOf === null ? null : momentText(asOf)) : undefined;
  return (
    <div className={styles['launch-line']}>
      <span className={styles['launch-name']}>
        <ItemPicture workspaceId={workspaceId} itemId={launch.itemId} name={name} size={24} />
        <span className={styles['launch-named']}>
          <button
            type="button"
            className={styles['launch-link']}
            title={name}
            onClick={() => store.getState().reveal('campaign', campaignId, campaignId, null)}
          >
            {name}
          </button>
          <span title={estimated}>
            <StatusShape state={state} text={stateText(state, stateSource)} />
          </span>
        </span>
      </span>
      {state === 'live' && launch.missing.length === 0 ? <LastDay launch={launch} /> : <NextStep launch={launch} />}
      <Bars launch={launch} span={span} waits={waits} />
    </div>
  );
}

/** The calendar bars of a campaign. Segments that depend on a sync or a submission are dashed. */
function Bars({ launch, span, waits }: Pick<LaunchLineProps, 'span' | 'waits'> & { readonly launch: Launch }) {
  const isPlanned =
    launch.state === 'draft' || (launch.needsReview && !['in-review', 'processing'].includes(launch.state));
  const last = plainDate(launch.submitBy ?? '');
  const mark = last === null || (launch.missing.length === 0 && !launch.needsReview) ? null : dayPlace(last, span);
  const deadline =
    launch.submitBy === null
      ? ''
      : launch.isLate
        ? launchTexts.late(launch.submitBy)
        : launchTexts.submitBy(launch.submitBy);
  const segments = segmentsOf(launch, waits);
  // After the segments with known days.
  const undatedAt = Math.max(0, ...segments.map((segment) => endOf(placeOf(segment, span))));
  return (
    <span className={styles['launch-bars']}>
      {segments.map((segment) => {
        const { what } = segment;
        const place = placeOf(segment, span);
        if (place === null) return null;
        const name = launchTexts.segments[what];
        const to = segment.to.startsWith('9999') ? launchTexts.open : fullDayText(segment.to);
        const planned =
          (isPlanned && what !== 'live') || launch.state === 'ended' ? ` ${styles['launch-planned']}` : '';
        return (
          <span
            key={what}
            className={`${styles['launch-bar']} ${styles[`launch-${what}`]}${planned}`}
            style={{ left: `${place.left}%`, width: `calc(${place.width}% - 2px)` }}
            title={launchTexts.segment(name, fullDayText(segment.from), to)}
          >
            <span className={styles['launch-word']}>
              {what === 'live' ? liveText(launch) : what === 'review' ? launchTexts.review : name}
            </span>
          </span>
        );
      })}
      {mark !== null && (
        <span className={styles['launch-pin']} style={{ left: `${mark + 100 / span.days}%` }} title={deadline} />
      )}
      {launch.startDate === null && (
        <span className={`${ui['quiet']} ${styles['launch-undated']}`} style={{ left: `${undatedAt}%` }}>
          {launchTexts.noDate}
        </span>
      )}
      <span className={ui['spoken-only']}>{deadline}</span>
      {launch.isLate && (
        <span className={`${ui['badge']} ${ui['badge-error']} ${styles['launch-note']}`} title={deadline}>
          <span aria-hidden="true">!</span> {launchTexts.submitBy(launch.submitBy ?? '')}
        </span>
      )}
    </span>
  );
}

const endOf = (place: ReturnType<typeof placeOf>): number => (place === null ? 0 : place.left + place.width);

/** The text of the live segment; that of an ended campaign is what an extension would add. */
export function liveText({ state, dailyBudgetCents }: Pick<Launch, 'state' | 'dailyBudgetCents'>): string {
  const name = state === 'ended' ? launchTexts.ifExtended : launchTexts.segments.live;
  if (dailyBudgetCents === null) return name;
  const perDay = launchTexts.perDay(dailyBudgetCents);
  return state === 'live' ? perDay : `${name}, ${perDay}`;
}

/** The last day of a live campaign, with a button to extend it if that day is near. */
function LastDay({ launch: { campaignId, endDate, extendTo } }: { readonly launch: Launch }) {
  const app = useAppContext();
  const isOpen = endDate === null || endDate === OPEN_END;
  return (
    <span className={styles['launch-next']}>
      <span className={`${styles['launch-step']} ${ui['quiet']}`}>
        {isOpen ? launchTexts.noEnd : launchTexts.ends(endDate)}
      </span>
      {extendTo !== null && (
        <Chip
          title={launchTexts.extendTo(extendTo)}
          onClick={() => void writeCampaign(app, launchTexts.extended, campaignId, { endDate: extendTo })}
        >
          {launchTexts.extend(extendTo)}
        </Chip>
      )}
    </span>
  );
}

/** The first missing step with its button, and a menu of all missing steps. */
function NextStep({ launch }: { readonly launch: Launch }) {
  const app = useAppContext();
  const [next, ...later] = launch.missing;
  const offering = useOffering(next === undefined ? null : stepCommand(next.step));
  if (next === undefined) {
    return (
      <span className={styles['launch-next']}>
        <span className={`${styles['launch-step']} ${ui['quiet']}`} title={launch.isReady ? '' : launchTexts.waits}>
          {launch.isReady && <IconCheck size={14} stroke={2} aria-hidden="true" />}
          {launch.isReady ? launchTexts.ready : launchTexts.pending}
        </span>
      </span>
    );
  }
  return (
    <span className={styles['launch-next']}>
      <span className={styles['launch-step']} title={launchTexts.what(next)}>
        {launchTexts.short(next)}
      </span>
      <Chip
        title={next.fix.way === 'outside' ? NOT_OFFERED : offering?.text}
        disabled={next.fix.way === 'outside'}
        onClick={() => void runLaunchStep(app, launch, next.fix)}
      >
        {launchTexts.button(next)}
      </Chip>
      <StepsMenu launch={launch} later={later.length} />
    </span>
  );
}

function StepsMenu({ launch, later }: { readonly launch: Launch; readonly later: number }) {
  const app = useAppContext();
  const workspaceId = useView((s) => s.workspaceId);
  const [busy, during] = useBusy();
  const { missing, name } = launch;
  const first = missing[0]?.fix;
  return (
    <Menu position="bottom-start" width={380}>
      <Menu.Target>
        <Chip aria-label={busy ? launchTexts.reading : launchTexts.all(name, later)} disabled={busy}>
          {busy ? launchTexts.reading : launchTexts.more(later)}
        </Chip>
      </Menu.Target>
      <Menu.Dropdown>
        {missing.map((each) => (
          <Menu.Item
            key={`${each.step} ${launchTexts.what(each)}`}
            disabled={each.fix.way === 'outside'}
            title={each.fix.way === 'outside' ? NOT_OFFERED : undefined}
            onClick={() => void runLaunchStep(app, launch, each.fix)}
            rightSection={<span className={`${ui['quiet']} ${styles['launch-way']}`}>{launchTexts.button(each)}</span>}
          >
            {launchTexts.what(each)}
          </Menu.Item>
        ))}
        {first !== undefined && isForAll(first) && workspaceId !== null && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={() => void during(fixAllSteps(app, workspaceId, first))}>
              {launchTexts.everywhere[first.way]}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Completes a missing step at once if it needs no input; otherwise opens the place for it. */
async function runLaunchStep(app: AppContext, launch: Launch, fix: LaunchFix): Promise<void> {
  const { campaignId } = launch;
  const { actions, store } = app;
  const { workspaceId } = store.getState();
  switch (fix.way) {
    case 'create':
      await addGroups(app, [launch]);
      return;
    case 'add': {
      // New rows belong to an ad group, so that is created first.
      const lacksGroup = launch.missing.some(({ step }) => step === 'ad-group');
      if (lacksGroup && !(await addGroups(app, [launch]))) return;
      // Another account may be open by now, in which this number is another campaign.
      if (store.getState().workspaceId !== workspaceId) return;
      const { goTo, openPlace } = store.getState();
      goTo({ kind: fix.kind, campaignId });
      openPlace('add-rows');
      return;
    }
    case 'go':
      store.getState().reveal(fix.kind, campaignId, fix.id, fix.field);
      return;
    case 'sync':
      store.getState().openSync({ chosen: wholeCampaigns([campaignId]) });
      return;
    case 'submit':
      await actions.submitReviews([campaignId]);
      return;
    case 'write': {
      const { id, values } = fix;
      await writeCampaign(app, values.endDate === undefined ? launchTexts.enabled : launchTexts.extended, id, values);
      return;
    }
    case 'outside':
      return;
    case 'look':
      await (fix.at === 'reviews' ? actions.pollReviews() : actions.refreshAll());
      return;
    default:
      unreachable(fix);
  }
}

/** Writes fields of a campaign, and shows its plan before anything is sent. */
async function writeCampaign(
  { actions, store }: AppContext,
  label: string,
  id: number,
  values: Readonly<Record<string, Cell | undefined>>,
): Promise<void> {
  const { workspaceId } = store.getState();
  const changes = Object.entries(values).map(([field, value = null]) => ({
    kind: 'campaign' as const,
    id,
    field,
    value,
  }));
  const edited = await actions.edit(label, changes);
  // Another account may be open by now, in which this number is another campaign.
  if (edited !== null && store.getState().workspaceId === workspaceId)
    store.getState().openSync({ chosen: wholeCampaigns([id]) });
}

/** Fixes that are the same for every campaign, and can be undone or end in a sync plan. */
type FixForAll = Extract<LaunchFix, { way: 'create' | 'sync' | 'submit' }>;
const isForAll = (fix: LaunchFix): fix is FixForAll =>
  fix.way === 'create' || fix.way === 'sync' || fix.way === 'submit';

/**
 * Fixes all campaigns with the same next step: new ad groups as one step of the history, others as one plan. Campaigns
 * beyond what one step or plan can have are told; they are next once those before them are fixed.
 */
async function fixAllSteps(app: AppContext, workspaceId: string, { way }: FixForAll): Promise<void> {
  const { connection, store, toasts } = app;
  const same = await attempt(app, () =>
    readWhole(
      (from, count) => connection.client.launch.list({ workspaceId, from, count }),
      (page) => page.launches.filter(({ missing }) => missing[0]?.fix.way === way),
      Infinity,
      LAUNCH_MAX,
    ),
  );
  if (same === null || same.length === 0) return;
  const first = same.slice(0, way === 'create' ? CREATE_MAX : SYNC_SELECTION_MAX);
  if (first.length < same.length) toasts.tell(launchTexts.some(first.length, same.length));
  // Another account may have been opened while they were read.
  if (way === 'create') await addGroups(app, first, workspaceId);
  else if (store.getState().workspaceId === workspaceId)
    store.getState().openSync({ chosen: wholeCampaigns(first.map(({ campaignId }) => campaignId)) });
}

/** Adds one enabled ad group to each campaign, named after it. */
async function addGroups(app: AppContext, campaigns: readonly Launch[], account?: string): Promise<boolean> {
  const rows = campaigns.map(({ campaignId, name }) => ({
    kind: 'adGroup' as const,
    parent: { id: campaignId },
    values: { name: dialogTexts.create.groupName(name), status: 'enabled' },
  }));
  const created = await app.actions.create(launchTexts.groups(rows.length), rows, [], account);
  if (created !== null) app.toasts.tell(launchTexts.groupsAdded(rows.length));
  return created !== null;
}

/** A calendar bar of a campaign. */
interface Segment {
  readonly what: 'media' | 'review' | 'scheduled' | 'live';
  /** First day, and the day after the last; both may be outside the visible days. */
  readonly from: PlainDate;
  readonly to: PlainDate;
}

interface Span {
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
 * The future of a campaign in segments: video processing, the longest review, the wait for the first day, and live
 * until the last. Segments follow each other; past ones are left out.
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
  // An ended campaign has the segment that an extension would add.
  const extended = launch.missing.flatMap(({ fix }) => (fix.way === 'write' ? [fix.values] : []))[0];
  if (launch.state === 'ended') {
    const last = extended === undefined ? null : plainDate(extended.endDate ?? OPEN_END);
    return last === null ? [] : [{ what: 'live', from: today, to: last === OPEN_END ? last : addDays(last, 1) }];
  }
  const end = plainDate(launch.endDate ?? '');
  if (start === null) return segments;
  if (daysBetween(at, start) > 0) add('scheduled', start);
  // A live campaign has been live since its first day.
  const liveFrom = segments.length === 0 ? start : at;
  const after = end === null || end === OPEN_END ? OPEN_END : addDays(end, 1);
  if (daysBetween(liveFrom, after) > 0) segments.push({ what: 'live', from: liveFrom, to: after });
  return segments;
}

/** Left edge and width of a segment in percent of the visible days; null if it is outside of them. */
export function placeOf(segment: Segment, span: Span): { readonly left: number; readonly width: number } | null {
  const from = Math.max(0, daysBetween(span.first, segment.from));
  const to = Math.min(span.days, daysBetween(span.first, segment.to));
  return to <= from ? null : { left: (100 * from) / span.days, width: (100 * (to - from)) / span.days };
}

/** The position of a day, in percent; null outside the visible days. */
export function dayPlace(day: PlainDate, span: Span): number | null {
  const at = daysBetween(span.first, day);
  return at < 0 || at >= span.days ? null : (100 * at) / span.days;
}

/** The width of a week's name in languages with long names, in pixels. */
const NAME_PX = 60;

/** The weeks whose names fit next to each other and before the right edge: every one, every second, and so on. */
export function namedWeeks(span: Span, widthPx: number): readonly PlainDate[] {
  const weekPx = (7 * widthPx) / span.days;
  const step = Math.max(1, Math.ceil(NAME_PX / weekPx));
  return weeksOf(span).filter(
    (week, at) => at % step === 0 && (daysBetween(span.first, week) * weekPx) / 7 + NAME_PX <= widthPx,
  );
}

/** The Mondays in the span, for the lines and names of weeks. */
export function weeksOf(span: Span): readonly PlainDate[] {
  const weekday = new Date(`${span.first}T00:00:00Z`).getUTCDay();
  const firstMonday = addDays(span.first, (8 - weekday) % 7);
  const weeks: PlainDate[] = [];
  for (let day = firstMonday; daysBetween(span.first, day) < span.days; day = addDays(day, 7)) weeks.push(day);
  return weeks;
}
