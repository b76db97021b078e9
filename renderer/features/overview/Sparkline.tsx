import styles from './overview.module.css';

const WIDTH = 82;
const HEIGHT = 28;
const MARGIN = 3;

/** Days as a small line without axes; days that nobody knows are left open. */
export function Sparkline({ values }: { readonly values: readonly (number | null)[] }) {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return null;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const x = (at: number): number => MARGIN + (at * (WIDTH - 2 * MARGIN)) / (values.length - 1);
  const y = (value: number): number =>
    most === least ? HEIGHT / 2 : HEIGHT - MARGIN - ((value - least) * (HEIGHT - 2 * MARGIN)) / (most - least);
  const points = values.flatMap((value, at) => (value === null ? [] : [{ x: x(at), y: y(value) }]));
  const line = points.map((point) => `${point.x.toFixed(1)},${point.y.toFixed(1)}`).join(' ');
  const [first, last] = [points[0], points.at(-1)];
  return (
    <svg className={styles['spark']} width={WIDTH} height={HEIGHT} aria-hidden="true">
      <polygon points={`${first?.x},${HEIGHT} ${line} ${last?.x},${HEIGHT}`} className={styles['fill']} />
      <polyline points={line} className={styles['sales']} />
      <circle cx={last?.x} cy={last?.y} r={2} className={styles['dot']} />
    </svg>
  );
}
