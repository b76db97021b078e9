import type { ReportFigure } from '../../../shared/contract/reports.ts';
import { enReports } from '../../messages/en-reports.ts';
import { figureName, shownFigure } from './figures.ts';

interface TotalsProps {
  readonly figures: readonly ReportFigure[];
  readonly total: Readonly<Record<string, number>>;
}

/** The chosen figures over the whole report; rates are those of the sums. */
export function Totals({ figures, total }: TotalsProps) {
  return (
    <ul className="figures reports-totals" aria-label={enReports.totals}>
      {figures.map((figure) => (
        <li key={figure.column} title={enReports.meanings[figure.metric]}>
          <strong className="numeric">{shownFigure(figure, total[figure.column])}</strong>
          <span className="quiet">{figureName(figure)}</span>
        </li>
      ))}
    </ul>
  );
}
