import { useAppContext, useViewOf } from '../../app/app-context.ts';
import { toggleFigures } from '../../app/grid-commands.ts';
import { useFigureReport } from '../../app/shared-queries.ts';
import { useCommandContext } from '../../app/use-shortcuts.ts';
import { useNow } from '../../components/use-now.ts';
import { shownColumns } from '../../grid/columns.ts';
import { enFigures } from '../../texts/en-figures.ts';
import { enReports } from '../../texts/en-reports.ts';
import { timeText } from '../../texts/numbers.ts';

/** Above the rows while figures stand beside them: which report they are of, from when it is, and the others there are. */
export function FigureBar({ workspaceId }: { readonly workspaceId: string }) {
  const { store } = useAppContext();
  const context = useCommandContext();
  const now = useNow();
  const { kind, campaignId, ...layout } = useViewOf((s) => ({
    kind: s.kind,
    campaignId: s.campaignId,
    columnShown: s.columnShown,
    columnOrder: s.columnOrder,
  }));
  const wanted = shownColumns(kind, campaignId, layout).some(({ figure }) => figure !== null);
  const { kept, chosen, known } = useFigureReport(workspaceId, kind, wanted);
  if (!wanted || !known) return null;
  return (
    <section className="figure-bar" aria-label={enFigures.label}>
      {chosen === null ? (
        <>
          <span>{enFigures.none(enReports.types[kind] ?? kind)}</span>
          <button type="button" className="chip" onClick={() => store.getState().openReports()}>
            {enFigures.open}
          </button>
        </>
      ) : (
        <>
          <span className="quiet">{enFigures.from}</span>
          <select
            className="input figure-bar-choice"
            aria-label={enFigures.choose}
            value={chosen.id}
            onChange={(event) => store.getState().chooseFigureReport(kind, event.target.value)}
          >
            {kept.map(({ id, reportType, startDate, endDate, fetchedAt }) => (
              <option key={id} value={id}>
                {`${enReports.name(enReports.types[reportType] ?? reportType, startDate, endDate)} · ${enFigures.asOf(timeText(fetchedAt, now))}`}
              </option>
            ))}
          </select>
          <span className="quiet numeric">{enFigures.asOf(timeText(chosen.fetchedAt, now))}</span>
        </>
      )}
      <span className="toolbar-gap" />
      <button type="button" className="chip" onClick={() => toggleFigures(context)}>
        {enFigures.hide}
      </button>
    </section>
  );
}
