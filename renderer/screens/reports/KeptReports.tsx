import type { ExportedFile } from '../../../shared/contract/exported-file.ts';
import type { ReportSnapshot } from '../../../shared/contract/reports.ts';
import { useAppContext } from '../../app/desk.ts';
import { saveFrom } from '../../app/save-text.ts';
import { enReports } from '../../messages/en-reports.ts';
import { timeText } from '../../messages/numbers.ts';
import { useNow } from '../../ui/use-now.ts';

interface KeptReportsProps {
  readonly snapshots: readonly ReportSnapshot[];
  readonly shown: ReportSnapshot;
  readonly busy: boolean;
  readonly onChoose: (id: string) => void;
  readonly onAgain: () => void;
}

const windowWord = (word: string): string => enReports.windowWords[word] ?? word;

/** Every report on this computer, and what can be done with the one on screen. */
export function SavedReports({ snapshots, shown, busy, onChoose, onAgain }: KeptReportsProps) {
  const { actions, store, notes } = useAppContext();
  const now = useNow();
  const remove = (): void =>
    store.getState().show({
      name: 'confirm',
      title: enReports.remove,
      text: enReports.removeText,
      keep: enReports.keepIt,
      button: enReports.remove,
      run: () => void actions.removeReport(shown.id),
    });
  const save = async (asked: Promise<ExportedFile | null>): Promise<void> => {
    const file = await asked;
    if (file === null) return;
    saveFrom(file.fileName, file.url);
    notes.offer(file);
  };
  return (
    <div className="reports-kept">
      <select
        className="input"
        aria-label={enReports.kept}
        title={enReports.keptHint}
        value={shown.id}
        onChange={(event) => onChoose(event.target.value)}
      >
        {snapshots.map((snapshot) => (
          <option key={snapshot.id} value={snapshot.id}>
            {enReports.name(
              enReports.types[snapshot.reportType] ?? snapshot.reportType,
              snapshot.startDate,
              snapshot.endDate,
            )}
            {snapshot.attributionWindow ? ` · ${windowWord(snapshot.attributionWindow)}` : ''}
            {` · ${enReports.asOf(timeText(snapshot.fetchedAt, now))}`}
          </option>
        ))}
      </select>
      <button type="button" className="chip" disabled={busy} onClick={onAgain}>
        {enReports.again}
      </button>
      <span className="toolbar-gap" />
      <button type="button" className="chip" onClick={() => void save(actions.reportCsv(shown.id))}>
        {enReports.export}
      </button>
      {shown.raw !== undefined && (
        <button
          type="button"
          className="chip"
          title={enReports.rawHint}
          onClick={() => void save(actions.reportRaw(shown.id))}
        >
          {enReports.exportRaw}
        </button>
      )}
      <button type="button" className="chip" onClick={() => window.print()}>
        {enReports.print}
      </button>
      <button type="button" className="chip" onClick={remove}>
        {enReports.remove}
      </button>
    </div>
  );
}
