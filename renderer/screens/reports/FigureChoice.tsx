import type { ReportMetric } from '../../../shared/contract/reports.ts';
import { enReports } from '../../messages/en-reports.ts';
import { figureName } from './figures.ts';

interface FigureChoiceProps {
  readonly label: string;
  readonly figures: readonly ReportMetric[];
  readonly value: string;
  readonly onChange: (column: string) => void;
  /** Also offers to draw nothing. */
  readonly none?: boolean;
}

/** Which figure an axis stands for. */
export function FigureChoice({ label, figures, value, onChange, none = false }: FigureChoiceProps) {
  return (
    <select
      className="input reports-inline"
      aria-label={label}
      title={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {none && <option value="">{enReports.nothing}</option>}
      {figures.map((figure) => (
        <option key={figure.column} value={figure.column}>
          {figureName(figure)}
        </option>
      ))}
    </select>
  );
}
