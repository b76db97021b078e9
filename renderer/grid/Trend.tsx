import { figureText } from '../app/locale/numbers.ts';
import styles from './grid.module.css';
import { gridTexts } from './text.ts';

/** Units of the drawing, which is stretched to the width of its cell. */
const WIDTH = 100;
const HEIGHT = 20;
const MARGIN = 2;

/**
 * Daily amounts as a line over its area, from zero up. A day without data leaves a gap; a single day between gaps is a
 * dot. Screen readers read the lowest and the highest amount.
 */
export function Trend({ values }: { readonly values: readonly (number | null)[] }) {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return <>{gridTexts.noMetric}</>;
  const most = Math.max(...known);
  const x = (at: number): number => (at / Math.max(1, values.length - 1)) * WIDTH;
  const y = (value: number): number => HEIGHT - MARGIN - (value / Math.max(most, 1)) * (HEIGHT - 2 * MARGIN);
  const runs: { readonly from: number; readonly points: string[] }[] = [];
  for (const [at, value] of values.entries()) {
    if (value === null) continue;
    if (at === 0 || values[at - 1] === null) runs.push({ from: at, points: [] });
    runs.at(-1)?.points.push(`${x(at).toFixed(2)},${y(value).toFixed(2)}`);
  }
  const last = values.at(-1) ?? null;
  const money = (value: number): string => figureText('money', value);
  return (
    <span className={styles['trend']} role="img" aria-label={gridTexts.trendOf(money(Math.min(...known)), money(most))}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {runs.map(({ from, points }) => (
          <g key={from}>
            <polygon points={`${x(from)},${HEIGHT} ${points.join(' ')} ${x(from + points.length - 1)},${HEIGHT}`} />
            <polyline
              points={points.length === 1 ? `${points[0]} ${points[0]}` : points.join(' ')}
              vectorEffect="non-scaling-stroke"
            />
          </g>
        ))}
      </svg>
      {last !== null && <i style={{ top: `${(y(last) / HEIGHT) * 100}%` }} />}
    </span>
  );
}
