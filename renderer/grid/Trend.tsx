import styles from './grid.module.css';

/** A line of days with its area, stretched over its place; the last day has a dot. In the cell it is spoken of in words. */
export function Trend({ values }: { readonly values: readonly number[] }) {
  const most = Math.max(...values, 1);
  const x = (at: number): number => (at / Math.max(1, values.length - 1)) * 100;
  const y = (value: number): number => 18 - (value / most) * 16;
  const points = values.map((value, at) => `${x(at).toFixed(2)},${y(value).toFixed(2)}`).join(' ');
  return (
    <span className={styles['trend']} aria-hidden="true">
      <svg viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true">
        <polygon points={`0,20 ${points} 100,20`} />
        <polyline points={points} vectorEffect="non-scaling-stroke" />
      </svg>
      <i style={{ top: `${(y(values.at(-1) ?? 0) / 20) * 100}%` }} />
    </span>
  );
}
