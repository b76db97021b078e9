import { enReports } from '../../messages/en-reports.ts';
import { countText, figureText } from '../../messages/numbers.ts';
import { funnelOf } from './figures.ts';

/** How many of those who saw a video watched it how far; nothing for a report without videos. */
export function Funnel({ total }: { readonly total: Readonly<Record<string, number>> }) {
  const steps = funnelOf(total);
  if (steps.length === 0) return null;
  return (
    <section className="reports-chart">
      <h2>{enReports.funnel}</h2>
      <ol className="funnel">
        {steps.map(({ step, count, share }) => (
          <li key={step}>
            <span>{enReports.names[step]}</span>
            <span className="funnel-track" aria-hidden="true">
              <span className="funnel-bar" style={{ width: `${Math.max(1, share * 100)}%` }} />
            </span>
            <span className="numeric funnel-count">{countText(count)}</span>
            <span className="numeric quiet funnel-count">{figureText('percent', Math.round(share * 10_000))}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
