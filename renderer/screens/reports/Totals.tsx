import type { ReportMetric } from '../../../shared/contract/reports.ts';
import { enReports } from '../../messages/en-reports.ts';
import { Figures } from '../../ui/Figures.tsx';
import { figureName, shownFigure } from './figures.ts';

interface TotalsProps {
  readonly figures: readonly ReportMetric[];
  readonly total: Readonly<Record<string, number>>;
}

/** The chosen figures over the whole report; rates are those of the sums. */
export function Totals({ figures, total }: TotalsProps) {
  return (
    <Figures
      label={enReports.totals}
      className="reports-totals"
      figures={figures.map((figure) => ({
        name: figureName(figure),
        value: shownFigure(figure, total[figure.column]),
        meaning: enReports.meanings[figure.metric],
      }))}
    />
  );
}
