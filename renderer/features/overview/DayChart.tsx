import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import type { Overview } from '../../../shared/api/overview.ts';
import { quotient } from '../../../shared/reports/metric.ts';
import { locale } from '../../app/locale/current.ts';
import { dayText, weekdayText, wholeMoneyText } from '../../app/locale/numbers.ts';
import styles from './overview.module.css';
import { overviewTexts as texts } from './text.ts';

interface DayChartProps {
  readonly data: Overview | undefined;
  readonly onDay: (day: string) => void;
}

const LEFT = 44;
const TOP = 12;
const BOTTOM = 26;
/** The width of a label of the time axis, in pixels. */
const LABEL_PX = 90;
const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 7.5, 10];
const LINES = 3;
const GRID = [0, 1, 2, 3];

/** The end of an axis that includes `most` cents, chosen so that its grid lines are at round amounts. */
function axisEnd(most: number): number {
  if (most <= 0) return 100 * LINES;
  const step = most / LINES;
  const power = 10 ** Math.floor(Math.log10(step));
  return LINES * power * (STEPS.find((each) => each * power >= step) ?? 10);
}

/**
 * Sales as a line and spend as bars on one axis, and sales of the period before as a dashed line. The day under the
 * pointer, or the one selected with arrow keys, is described as text; a click or Enter shows its rows.
 */
export function DayChart({ data, onDay }: DayChartProps) {
  const { ref, width, height } = useElementSize<HTMLDivElement>();
  const [at, setAt] = useState<number | null>(null);
  const days = data?.days ?? [];
  const end = axisEnd(
    Math.max(...days.flatMap(({ sales, spend, before }) => [sales ?? 0, spend ?? 0, before ?? 0]), 0),
  );
  const step = days.length === 0 ? 0 : (width - LEFT) / days.length;
  const x = (index: number): number => LEFT + step * (index + 0.5);
  const y = (cents: number): number => TOP + (height - TOP - BOTTOM) * (1 - cents / end);
  const lineOf = (values: readonly (number | null)[]): string =>
    values
      .flatMap((value, index) => (value === null ? [] : [`${x(index).toFixed(1)},${y(value).toFixed(1)}`]))
      .join(' ');
  const sales = lineOf(days.map((day) => day.sales));
  const young = days.findIndex((day) => !day.isSettled);
  /** The line up to the first day whose sales are still incomplete, and from there on. */
  const solid = young < 0 ? sales : lineOf(days.map((day, index) => (index < young ? day.sales : null)));
  const light = young < 0 ? '' : lineOf(days.map((day, index) => (index >= young - 1 ? day.sales : null)));
  const isKnown = days.some(({ sales: sold, spend }) => sold !== null || spend !== null);
  // Without any amount there is no scale; the grid lines then show without labels.
  const hasNumbers = days.some((day) => [day.sales, day.spend, day.before].some((cents) => (cents ?? 0) !== 0));
  const every = Math.max(1, Math.ceil((days.length * LABEL_PX) / Math.max(1, width - LEFT)));
  const shown = at === null ? undefined : days[Math.min(at, days.length - 1)];
  const pointed = (event: PointerEvent<HTMLElement>): void => {
    const left = event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT;
    setAt(Math.max(0, Math.min(days.length - 1, Math.floor(left / step))));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = days.length - 1;
    const from = at ?? last;
    const to: Partial<Record<string, number>> = {
      ArrowLeft: Math.max(0, from - 1),
      ArrowRight: Math.min(last, from + 1),
      Home: 0,
      End: last,
    };
    const next = to[event.key];
    if (next !== undefined) setAt(next);
    else if ((event.key === 'Enter' || event.key === ' ') && shown !== undefined) onDay(shown.day);
    else return;
    event.preventDefault();
  };
  return (
    <section className={`${styles['card']} ${styles['chart']}`} aria-label={texts.chart} aria-busy={data === undefined}>
      <header className={styles['card-head']}>
        <h2>{texts.chart}</h2>
        <span className={styles['gap']} />
        {hasNumbers && (
          <>
            <Legend is="line" name={texts.sales} />
            {young >= 0 && <Legend is="light" name={texts.notSettled} />}
            <Legend is="bar" name={texts.spend} />
            <Legend is="dashed" name={texts.salesBefore(days.length)} />
          </>
        )}
      </header>
      <div
        ref={ref}
        className={styles['plot']}
        role="slider"
        tabIndex={0}
        aria-label={texts.chartDay}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, days.length - 1)}
        aria-valuenow={Math.min(at ?? days.length - 1, Math.max(0, days.length - 1))}
        aria-valuetext={dayWords((shown ?? days.at(-1)) as Overview['days'][number] | undefined)}
        onPointerMove={pointed}
        onPointerLeave={() => setAt(null)}
        onKeyDown={onKeyDown}
        onBlur={() => setAt(null)}
        onClick={() => shown !== undefined && onDay(shown.day)}
      >
        {width > 0 && height > 0 && (
          <svg width={width} height={height} aria-hidden="true">
            {GRID.map((line) => (
              <g key={line}>
                <line
                  x1={LEFT}
                  x2={width}
                  y1={y((end * line) / LINES)}
                  y2={y((end * line) / LINES)}
                  className={styles['grid']}
                />
                {hasNumbers && (
                  <text x={LEFT - 8} y={y((end * line) / LINES) + 4} textAnchor="end" className={styles['tick']}>
                    {locale().axisMoney((end * line) / LINES)}
                  </text>
                )}
              </g>
            ))}
            {days.map(({ day, spend }, index) => (
              <rect
                key={day}
                x={x(index) - step * 0.3}
                width={Math.max(1, step * 0.6)}
                y={y(spend ?? 0)}
                height={Math.max(0, y(0) - y(spend ?? 0))}
                rx={step > 8 ? 2 : 0}
                className={styles['spend']}
              />
            ))}
            {days.map(({ day }, index) =>
              index % every !== 0 ? null : (
                <text
                  key={day}
                  x={x(index)}
                  y={height - 8}
                  textAnchor={index === 0 ? 'start' : 'middle'}
                  className={styles['tick']}
                >
                  {dayText(day)}
                </text>
              ),
            )}
            <polyline points={lineOf(days.map((day) => day.before))} className={styles['before']} />
            {sales !== '' && <polygon points={areaOf(sales, y(0))} className={styles['fill']} />}
            <polyline points={solid} className={styles['sales']} />
            {light !== '' && <polyline points={light} className={`${styles['sales']} ${styles['not-settled']}`} />}
            {shown !== undefined && at !== null && (
              <>
                <line x1={x(at)} x2={x(at)} y1={TOP} y2={y(0)} className={styles['cross']} />
                {shown.sales !== null && <circle cx={x(at)} cy={y(shown.sales)} r={4} className={styles['dot']} />}
              </>
            )}
          </svg>
        )}
        {data !== undefined && !hasNumbers && (
          <p className={styles['plot-none']}>
            {isKnown ? texts.noSales : data.through === null ? texts.noChart : texts.noMetrics}
          </p>
        )}
        {shown !== undefined && at !== null && <Tip day={shown} isRight={at > days.length / 2} x={x(at)} />}
      </div>
    </section>
  );
}

/** The area between a line and the axis. */
function areaOf(line: string, base: number): string {
  const points = line.split(' ');
  const [first = '', last = ''] = [points[0]?.split(',')[0], points.at(-1)?.split(',')[0]];
  return `${first},${base} ${line} ${last},${base}`;
}

const roasText = (sales: number | null, spend: number | null): string => {
  const value = sales === null || spend === null ? null : quotient('ratio', sales, spend);
  return value === null ? '–' : locale().amount(value);
};
const amountText = (cents: number | null): string => (cents === null ? '–' : wholeMoneyText(cents));

const dayWords = (day: Overview['days'][number] | undefined): string =>
  day === undefined
    ? texts.noChart
    : `${texts.dayOf(weekdayText(day.day), amountText(day.sales), amountText(day.spend), roasText(day.sales, day.spend))}${day.isSettled ? '' : `. ${texts.notSettledHint}`}`;

interface TipProps {
  readonly day: Overview['days'][number];
  readonly isRight: boolean;
  readonly x: number;
}

function Tip({ day, isRight, x }: TipProps) {
  return (
    <div
      className={styles['tip']}
      style={{ left: x, transform: `translateX(${isRight ? 'calc(-100% - 12px)' : '12px'})` }}
      aria-hidden="true"
      data-rows={day.campaigns}
    >
      <div className={styles['tip-day']}>{weekdayText(day.day)}</div>
      <dl>
        <dt>{texts.sales}</dt>
        <dd>{amountText(day.sales)}</dd>
        <dt>{texts.spend}</dt>
        <dd>{amountText(day.spend)}</dd>
        <dt>{texts.roas}</dt>
        <dd>{roasText(day.sales, day.spend)}</dd>
      </dl>
      {!day.isSettled && <div className={styles['tip-note']}>{texts.notSettledHint}</div>}
    </div>
  );
}

const Legend = ({ is, name }: { readonly is: 'line' | 'light' | 'bar' | 'dashed'; readonly name: string }) => (
  <span className={styles['legend']}>
    <span data-is={is} aria-hidden="true" />
    {name}
  </span>
);
