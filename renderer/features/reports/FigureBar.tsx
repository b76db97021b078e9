import { useAppContext, useViewOf } from '../../app/app-context.ts';
import { toggleFigures } from '../../app/grid-commands.ts';
import { timeText } from '../../app/locale/numbers.ts';
import { useFigureReport } from '../../app/shared-queries.ts';
import { useCommandContext } from '../../app/use-shortcuts.ts';
import { Chip } from '../../components/Chip.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import { layoutOf, shownColumns } from '../../grid/columns.ts';
import styles from './reports.module.css';
import { reportsTexts } from './text.ts';

const texts = {
  label: 'Report metrics',
  from: 'Metrics from',
  asOf: (time: string) => `as of ${time}`,
  choose: 'Report to show metrics from',
  none: (types: string) => `No saved "${types}" report, so there are no metrics to show.`,
  open: 'Get report',
  hide: 'Hide metrics',
} as const;

/** Above the rows while figures stand beside them: which report they are of, from when it is, and the others there are. */
export function FigureBar({ workspaceId }: { readonly workspaceId: string }) {
  const { store } = useAppContext();
  const context = useCommandContext();
  const now = useNow();
  const { kind, campaignId, ...layout } = useViewOf((s) => ({
    kind: s.kind,
    campaignId: s.campaignId,
    ...layoutOf(s),
  }));
  const wanted = shownColumns(kind, campaignId, layout).some(({ figure }) => figure !== null);
  const { kept, chosen, known } = useFigureReport(workspaceId, kind, wanted);
  if (!wanted || !known) return null;
  return (
    <section className={styles['figure-bar']} aria-label={texts.label}>
      {chosen === null ? (
        <>
          <span>{texts.none(reportsTexts.types[kind] ?? kind)}</span>
          <Chip onClick={() => store.getState().openPlace('reports')}>{texts.open}</Chip>
        </>
      ) : (
        <>
          <span className={ui['quiet']}>{texts.from}</span>
          <select
            className={`${ui['input']} ${styles['figure-bar-choice']}`}
            aria-label={texts.choose}
            value={chosen.id}
            onChange={(event) => store.getState().chooseFigureReport(kind, event.target.value)}
          >
            {kept.map(({ id, reportType, startDate, endDate, fetchedAt }) => (
              <option key={id} value={id}>
                {`${reportsTexts.name(reportsTexts.types[reportType] ?? reportType, startDate, endDate)} · ${texts.asOf(timeText(fetchedAt, now))}`}
              </option>
            ))}
          </select>
          <span className={`${ui['quiet']} ${ui['numeric']}`}>{texts.asOf(timeText(chosen.fetchedAt, now))}</span>
        </>
      )}
      <span className={ui['toolbar-gap']} />
      <Chip onClick={() => toggleFigures(context)}>{texts.hide}</Chip>
    </section>
  );
}
