import { useState } from 'react';
import type { ReportMetric, ReportQuery, ReportView } from '../../../shared/contract/reports.ts';
import { enReports } from '../../messages/en-reports.ts';
import { figureName, groupingName, shownFigure } from './figures.ts';
import { RowMenu } from './RowMenu.tsx';

interface FigureTableProps {
  readonly view: ReportView;
  readonly figures: readonly ReportMetric[];
  readonly look: ReportQuery;
  readonly onLook: (part: Partial<ReportQuery>) => void;
  readonly pageSize: number;
}

/** Typing narrows the rows when Enter is pressed or the field is left. */
export function MetricTable({ view, figures, look, onLook, pageSize }: FigureTableProps) {
  const [text, setText] = useState(look.contains);
  const narrow = (): void => {
    if (text !== look.contains) onLook({ contains: text });
  };
  const last = Math.min(view.groups, look.from + view.page.length);
  return (
    <section>
      <div className="reports-kept">
        <label className="reports-by quiet">
          {enReports.groupBy}
          <select
            className="input reports-inline"
            value={view.groupBy}
            onChange={(event) => onLook({ groupBy: event.target.value })}
          >
            {view.groupings.map((column) => (
              <option key={column} value={column}>
                {groupingName(column)}
              </option>
            ))}
          </select>
        </label>
        <input
          className="input reports-inline"
          type="search"
          placeholder={enReports.filter}
          aria-label={enReports.filter}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={narrow}
          onKeyDown={(event) => {
            if (event.key === 'Enter') narrow();
          }}
        />
        <span className="quiet">{enReports.rows(view.groups, view.total.rows)}</span>
      </div>
      <div className="reports-table">
        <table>
          <thead>
            <tr>
              <th scope="col">{groupingName(view.groupBy)}</th>
              {figures.map((figure) => (
                <SortHeader key={figure.column} figure={figure} look={look} onLook={onLook} />
              ))}
            </tr>
          </thead>
          <tbody>
            {view.page.map((group) => (
              <tr key={group.label}>
                <th scope="row">
                  <RowMenu groupBy={view.groupBy} label={group.label} />
                </th>
                {figures.map((figure) => (
                  <td key={figure.column}>{shownFigure(figure, group.figures[figure.column])}</td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{enReports.all}</th>
              {figures.map((figure) => (
                <td key={figure.column}>{shownFigure(figure, view.total.figures[figure.column])}</td>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
      {view.groups > pageSize && (
        <div className="reports-kept">
          <button
            type="button"
            className="chip"
            disabled={look.from === 0}
            onClick={() => onLook({ from: Math.max(0, look.from - pageSize) })}
          >
            {enReports.previous}
          </button>
          <span className="quiet numeric">{enReports.range(look.from + 1, last, view.groups)}</span>
          <button
            type="button"
            className="chip"
            disabled={last >= view.groups}
            onClick={() => onLook({ from: look.from + pageSize })}
          >
            {enReports.next}
          </button>
        </div>
      )}
    </section>
  );
}

interface SortHeaderProps {
  readonly figure: ReportMetric;
  readonly look: ReportQuery;
  readonly onLook: (part: Partial<ReportQuery>) => void;
}

function SortHeader({ figure, look, onLook }: SortHeaderProps) {
  const name = figureName(figure);
  const active = look.sortBy === figure.column;
  return (
    <th scope="col" aria-sort={active ? (look.descending ? 'descending' : 'ascending') : 'none'}>
      <button
        type="button"
        title={enReports.meanings[figure.metric]}
        aria-label={enReports.sortBy(name)}
        onClick={() => onLook({ sortBy: figure.column, descending: active ? !look.descending : true })}
      >
        {name}
        <span aria-hidden="true">{active ? (look.descending ? ' ▾' : ' ▴') : ''}</span>
      </button>
    </th>
  );
}
