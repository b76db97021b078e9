import { Checkbox, Popover } from '@mantine/core';
import { useState } from 'react';
import type { ReportMetric } from '../../../shared/contract/reports.ts';
import { enReports } from '../../messages/en-reports.ts';
import { figureName, SHOWN_MAX } from './figures.ts';

interface FigurePickerProps {
  readonly figures: readonly ReportMetric[];
  readonly shown: readonly string[];
  readonly onShow: (columns: readonly string[]) => void;
}

/** Which figures are shown, each with what it means; attributed ones once per window, side by side. */
export function FigurePicker({ figures, shown, onShow }: FigurePickerProps) {
  const [open, setOpen] = useState(false);
  const toggle = (column: string): void =>
    onShow(shown.includes(column) ? shown.filter((each) => each !== column) : [...shown, column]);
  const metrics = [...new Set(figures.map(({ metric }) => metric))];
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-start" width={520} trapFocus shadow="md">
      <Popover.Target>
        <button type="button" className="chip" aria-expanded={open} onClick={() => setOpen(!open)}>
          {enReports.metrics} <span className="badge">{shown.length}</span>
        </button>
      </Popover.Target>
      <Popover.Dropdown className="reports-choices">
        <p className="quiet">{enReports.metricsHint(SHOWN_MAX)}</p>
        <ul className="lines">
          {metrics.map((metric) => (
            <li key={metric} className="reports-choice">
              <div className="reports-meaning">
                <strong>{enReports.names[metric] ?? metric}</strong>
                <span className="quiet">{enReports.meanings[metric] ?? enReports.unknownMeaning}</span>
              </div>
              {figures
                .filter((figure) => figure.metric === metric)
                .map((figure) => (
                  <Checkbox
                    key={figure.column}
                    size="xs"
                    aria-label={figureName(figure)}
                    label={figure.window === null ? '' : enReports.windowNames[figure.window]}
                    checked={shown.includes(figure.column)}
                    disabled={!shown.includes(figure.column) && shown.length >= SHOWN_MAX}
                    onChange={() => toggle(figure.column)}
                  />
                ))}
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}
