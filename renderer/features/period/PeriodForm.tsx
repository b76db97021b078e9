import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { MetricsDay } from '../../../shared/api/metrics.ts';
import { plainDate } from '../../../shared/model/plain-date.ts';
import type { PlainDate } from '../../../shared/model/scalars.ts';
import { WINDOW_DAYS } from '../../../shared/reports/account-metrics.ts';
import {
  COMPARISONS,
  comparedSpan,
  customPeriod,
  type DaySpan,
  isPeriod,
  PERIODS,
  type Period,
  periodSpan,
  stepPeriod,
} from '../../../shared/reports/period.ts';
import { type ActionContext, runAction } from '../../app/actions.ts';
import { useActions, useApi, useAppContext, useView, useViewOf } from '../../app/app-context.ts';
import { countText, dayText, fullDayText, periodName, plural, timeText } from '../../app/locale/numbers.ts';
import { appTexts } from '../../app/texts.ts';
import { Chip } from '../../components/Chip.tsx';
import { ChipChoice } from '../../components/ChipChoice.tsx';
import { Choice } from '../../components/Choice.tsx';
import { DayInput } from '../../components/DayInput.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import styles from './period.module.css';

const texts = {
  periods: 'Period',
  custom: 'Custom',
  from: 'Start date',
  to: 'End date',
  apply: 'Show these days',
  span: (from: string, to: string) => `${from} – ${to}`,
  earlier: 'Earlier period ([)',
  later: 'Later period (])',
  compare: 'Compare with',
  compared: (from: string, to: string) => `Compared with ${from} – ${to}`,
  window: 'Attribution window',
  windowDays: (days: number) => plural(days, 'day'),
  settledOnly: 'Settled days only',
  settledHint: 'Excludes days whose orders are not all counted.',
  days: 'Days of the period',
  states: {
    settled: 'Settled',
    'not-settled': 'Not settled',
    restated: 'Restated',
    gap: 'Gap',
    'held-back': 'Not used yet',
    none: 'No report yet',
  } satisfies Readonly<Record<DayState, string>>,
  day: (day: string, state: string, why: string) => [day, state, why].filter((part) => part !== '').join(': '),
  asOf: (time: string) => `As of ${time}`,
  heldBack: (days: number) => `The latest report for ${plural(days, 'day')} is much smaller than before.`,
  take: 'Use the new report',
  keep: 'Keep the old metrics',
} as const;

type DayState = MetricsDay['state'];

interface PeriodFormProps {
  readonly workspaceId: string;
  readonly today: PlainDate;
  /** Says whether the form is there: its code is loaded after the popover has opened. */
  readonly onReady: (isReady: boolean) => void;
}

/** Period, comparison and attribution window, with the data state of each day. */
export function PeriodForm({ workspaceId, today, onReady }: PeriodFormProps) {
  const { store } = useAppContext();
  const { period, comparison, attribution, settledOnly } = useViewOf((s) => ({
    period: s.period,
    comparison: s.comparison,
    attribution: s.attribution,
    settledOnly: s.settledOnly,
  }));
  const { choosePeriod, adjustPeriod } = store.getState();
  const span = periodSpan(period, today);
  const before = comparedSpan(span, comparison);
  useEffect(() => {
    onReady(true);
    return () => onReady(false);
  }, [onReady]);
  return (
    <>
      <fieldset className={styles['periods']}>
        <legend className={ui['spoken-only']}>{texts.periods}</legend>
        {PERIODS.map((each) => (
          <button
            key={each}
            type="button"
            className={styles['choice']}
            aria-pressed={each === period}
            data-autofocus={each === period || undefined}
            onClick={() => choosePeriod(each)}
          >
            {periodName(each)}
          </button>
        ))}
        <CustomDays key={`${span.from} ${span.to}`} first={span} onChoose={choosePeriod} />
      </fieldset>
      <div className={styles['adjust']}>
        <div className={styles['span']}>
          <Step label={texts.earlier} onClick={() => choosePeriod(stepPeriod(period, -1, today))}>
            <IconChevronLeft size={16} stroke={1.5} aria-hidden="true" />
          </Step>
          <b>{texts.span(fullDayText(span.from), fullDayText(span.to))}</b>
          <Step
            label={texts.later}
            isOff={stepPeriod(period, 1, today) === period}
            onClick={() => choosePeriod(stepPeriod(period, 1, today))}
          >
            <IconChevronRight size={16} stroke={1.5} aria-hidden="true" />
          </Step>
        </div>
        <div className={styles['field']}>
          <span>{texts.compare}</span>
          <Choice
            aria-label={texts.compare}
            options={COMPARISONS.map((each) => [each, appTexts.period.comparisons[each]])}
            value={comparison}
            onChoose={(next) => adjustPeriod({ comparison: next })}
          />
        </div>
        <div className={styles['field']}>
          <span>{texts.window}</span>
          <ChipChoice
            label={texts.window}
            choices={WINDOW_DAYS.map((days) => ({ value: days, name: texts.windowDays(days) }))}
            chosen={attribution}
            onChoose={(days) => adjustPeriod({ attribution: days })}
          />
        </div>
        <label className={styles['check']}>
          <input
            type="checkbox"
            checked={settledOnly}
            onChange={({ target }) => adjustPeriod({ settledOnly: target.checked })}
          />
          <span>
            {texts.settledOnly}
            <small>{texts.settledHint}</small>
          </span>
        </label>
        {before !== null && (
          <p className={ui['quiet']}>{texts.compared(fullDayText(before.from), fullDayText(before.to))}</p>
        )}
      </div>
      <Calendar workspaceId={workspaceId} span={span} />
    </>
  );
}

interface StepProps {
  readonly label: string;
  readonly isOff?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

const Step = ({ label, isOff = false, onClick, children }: StepProps) => (
  <button type="button" className={styles['step']} aria-label={label} title={label} disabled={isOff} onClick={onClick}>
    {children}
  </button>
);

const periodActions = (context: ActionContext) => ({
  decide: (days: readonly string[], take: boolean) =>
    runAction(context, (workspaceId) =>
      context.connection.client.metrics.decide({ workspaceId, reportType: 'campaign', days: [...days], take }),
    ),
});

/** Every day of the period with its data state, one line per month. */
function Calendar({ workspaceId, span }: { readonly workspaceId: string; readonly span: DaySpan }) {
  const actions = useActions(periodActions);
  const now = useNow();
  const window = useView((s) => s.attribution);
  const query = useApi().metrics.days.queryOptions({ input: { workspaceId, ...span, window } });
  const { data } = useQuery({ ...query, placeholderData: keepPreviousData });
  const days = data?.days ?? [];
  const months = [...Map.groupBy(days, ({ day }) => day.slice(0, 7))];
  const counts = STATES.map((state) => ({ state, days: days.filter((each) => each.state === state).length }));
  const newest = Math.max(0, ...days.map(({ fetchedAt }) => fetchedAt ?? 0));
  const held = days.filter(({ state }) => state === 'held-back').map(({ day }) => day);
  return (
    <section className={styles['calendar']} aria-label={texts.days} aria-busy={data === undefined}>
      <div className={styles['months']} aria-hidden="true">
        {months.map(([month, own]) => (
          <div key={month} className={styles['month']}>
            <span>{monthText(month)}</span>
            {own.map((each) => (
              <span key={each.day} style={{ gridColumn: Number(each.day.slice(8)) + 1 }} title={dayHint(each)}>
                <DayShape state={each.state} />
              </span>
            ))}
          </div>
        ))}
      </div>
      <ul className={styles['legend']}>
        {counts
          .filter((each) => each.days > 0)
          .map((each) => (
            <li key={each.state}>
              <DayShape state={each.state} />
              {texts.states[each.state]} <b>{countText(each.days)}</b>
            </li>
          ))}
        {newest > 0 && <li className={styles['as-of']}>{texts.asOf(timeText(newest, now))}</li>}
      </ul>
      {held.length > 0 && (
        <div className={styles['held']} role="alert">
          <p>{texts.heldBack(held.length)}</p>
          <Chip onClick={() => void actions.decide(held, true)}>{texts.take}</Chip>
          <Chip onClick={() => void actions.decide(held, false)}>{texts.keep}</Chip>
        </div>
      )}
    </section>
  );
}

const STATES = ['settled', 'restated', 'not-settled', 'gap', 'held-back', 'none'] as const;

const monthText = (month: string): string => dayText(`${month}-01`).replace(/\W*\b0?1\b\W*/, '');

const dayHint = ({ day, state, why }: MetricsDay): string => texts.day(dayText(day), texts.states[state], why);

/** The data state of a day as a shape: full, full with a cut corner, half, crossed out, a bar, or empty. */
function DayShape({ state }: { readonly state: DayState }) {
  return (
    <svg className={styles['day']} data-state={state} width={12} height={12} viewBox="0 0 12 12" aria-hidden="true">
      <rect className={styles['day-frame']} x={0.75} y={0.75} width={10.5} height={10.5} rx={2} />
      <path className={styles['day-mark']} d={SHAPES[state]} />
    </svg>
  );
}

const SHAPES: Readonly<Record<DayState, string>> = {
  settled: 'M2 2h8v8h-8z',
  restated: 'M2 2h4l4 4v4h-8z',
  'not-settled': 'M2 6h8v4h-8z',
  gap: 'M2.5 2.5l7 7M9.5 2.5l-7 7',
  'held-back': 'M6 2.5v4.5M6 9v.8',
  none: '',
};

interface CustomDaysProps {
  readonly first: DaySpan;
  readonly onChoose: (period: Period) => void;
}

function CustomDays({ first, onChoose }: CustomDaysProps) {
  const [{ from, to }, setDays] = useState<{ readonly from: string; readonly to: string }>(first);
  const [start, end] = [plainDate(from), plainDate(to)];
  const chosen = start === null || end === null ? '' : customPeriod({ from: start, to: end });
  const isWhole = isPeriod(chosen);
  return (
    <form
      className={styles['custom']}
      aria-label={texts.custom}
      onSubmit={(event) => {
        event.preventDefault();
        if (isWhole) onChoose(chosen);
      }}
    >
      <DayInput
        aria-label={texts.from}
        aria-invalid={!isWhole}
        value={from}
        onChange={(value) => setDays({ from: value, to })}
      />
      <DayInput
        aria-label={texts.to}
        aria-invalid={!isWhole}
        value={to}
        onChange={(value) => setDays({ from, to: value })}
      />
      {/* Of a form with several fields, Enter presses the button. */}
      <button type="submit" className={ui['chip']} disabled={!isWhole}>
        {texts.apply}
      </button>
    </form>
  );
}
