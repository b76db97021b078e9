import type { ReportMetric } from '../../../shared/contract/reports.ts';
import { enReports } from '../../messages/en-reports.ts';
import { SHOWN_MAX, showsWindow, windowsOf, withWindow } from './figures.ts';

interface WindowChoiceProps {
  readonly figures: readonly ReportMetric[];
  readonly shown: readonly string[];
  readonly onShow: (columns: readonly string[]) => void;
}

/** In which windows purchases are counted, for all that is shown at once: one of them, or several side by side. */
export function AttributionWindowPicker({ figures, shown, onShow }: WindowChoiceProps) {
  const windows = windowsOf(figures);
  if (windows.length === 0) return null;
  return (
    <div role="group" aria-label={enReports.windows} className="reports-windows">
      <span className="quiet">{enReports.windows}</span>
      {windows.map((window) => {
        const next = withWindow(figures, shown, window);
        const isFull = next.length > SHOWN_MAX;
        return (
          <button
            key={window}
            type="button"
            className="chip"
            aria-pressed={showsWindow(figures, shown, window)}
            disabled={isFull}
            title={isFull ? enReports.metricsHint(SHOWN_MAX) : undefined}
            onClick={() => onShow(next)}
          >
            {enReports.windowNames[window]}
          </button>
        );
      })}
    </div>
  );
}
