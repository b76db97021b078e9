import { Button, Checkbox, Popover } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ExportedFile } from '../../../shared/api/files.ts';
import {
  REPORT_TYPES,
  type ReportJob,
  type ReportMetric,
  type ReportPart,
  type ReportQuery,
  type ReportRequest,
  type ReportSnapshot,
  type ReportView,
} from '../../../shared/api/reports.ts';
import { addDays, plainDate } from '../../../shared/model/plain-date.ts';
import type { PlainDate } from '../../../shared/model/scalars.ts';
import { periodSpan } from '../../../shared/reports/period.ts';
import { ATTRIBUTION_WORDS, FORMAT_WORDS, REPORT_TYPE } from '../../../shared/reports/report-words.ts';
import { printSearch, type Query } from '../../../shared/search/query.ts';
import { type ActionContext, runAction } from '../../app/actions.ts';
import { useActions, useApi, useAppContext, useView } from '../../app/app-context.ts';
import { reportName } from '../../app/field-names.ts';
import { countText, fullDayText, plural, timeText } from '../../app/locale/numbers.ts';
import { Problem } from '../../app/Problem.tsx';
import { textOf } from '../../app/row-cells.ts';
import { saveFrom } from '../../app/save-text.ts';
import { useAccount, useRows } from '../../app/shared-queries.ts';
import { appTexts } from '../../app/texts.ts';
import { Chip } from '../../components/Chip.tsx';
import { ChipChoice } from '../../components/ChipChoice.tsx';
import { Choice, type Option } from '../../components/Choice.tsx';
import { DayInput } from '../../components/DayInput.tsx';
import { Empty } from '../../components/Empty.tsx';
import { Figures } from '../../components/Figures.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { useNow } from '../../components/use-now.ts';
import { Charts } from './Charts.tsx';
import {
  figureName,
  figureTexts,
  firstChoice,
  SHOWN_MAX,
  shownFigure,
  showsWindow,
  windowsOf,
  withWindow,
} from './figures.ts';
import { MetricTable } from './MetricTable.tsx';
import styles from './reports.module.css';
import { ReportFile, SavedMetrics } from './SavedMetrics.tsx';

const texts = {
  reportOf: (type: string, from: string, to: string) => `${type}, ${fullDayText(from)} to ${fullDayText(to)}`,
  form: 'New report',
  type: 'Report',
  from: 'Start date',
  to: 'End date',
  byDate: 'Daily breakdown',
  byDateHint: 'Required for charts over time.',
  spans: 'Days of the report',
  lastDays: (days: number) => `Last ${days} days`,
  request: 'Get report',
  asking: 'Waiting for the service…',
  again: 'Get latest data',
  wasKept: 'Showing the report saved today. Select Get latest data to request it again.',
  anotherType: 'Other type…',
  typeName: 'Name of the report type',
  typeNameHint: 'The name the service uses: letters, digits, _ and -. A type that returned a report is remembered.',
  windowWord: 'Attribution window of the report',
  windowHint: 'Days after a click or view in which a purchase counts.',
  windowWords: {
    '': 'Default window',
    days3: '3-day window',
    days14: '14-day window',
    days30: '30-day window',
  } as Readonly<Record<string, string>>,
  format: 'Format of the report',
  formatHint: 'How the service packs its response. Packed reports are smaller and can take minutes.',
  formatWords: { '': 'Default format', json: 'JSON', csv: 'CSV', gzip: 'gzip', zip: 'ZIP' } as Readonly<
    Record<string, string>
  >,
  goesOn: 'This report takes longer. It continues in the background, even if you close Adslate.',
  stillWaiting: 'The service is still preparing this report.',
  firstFile: (name: string) => `Reports are added one at a time. Only ${name} was read.`,
  jobs: 'Reports in progress',
  jobStates: { waiting: 'In progress', ready: 'Ready', failed: 'Failed', expired: 'Expired' },
  jobSince: (time: string) => `requested ${time}`,
  jobStatus: (status: string) => `service status: ${status}`,
  jobLook: 'Check now',
  jobShow: 'Show report',
  jobAgain: 'Request again',
  jobGiveUp: 'Stop waiting',
  jobForget: 'Remove from list',
  part: (name: string, rows: number) => `${name} (${plural(rows, 'row')})`,
  parts: (names: string) => `Combined from ${names}.`,
  partsLeft: (names: string) =>
    `Not included, because the columns differ from those of the files with the most rows: ${names}. "Save as received" has all files.`,
  unknownMeaning: "A metric that Adslate doesn't recognize, under the name the service uses.",
  shown: 'Shown report',
  kept: 'Saved reports',
  keptHint: 'Reports stay on this computer, even after the service deletes their data.',
  damaged: (n: number) => `${plural(n, 'saved report')} can't be read.`,
  none: 'No reports yet',
  noneText: 'Metrics are available from the day after a campaign goes live. Get a report above.',
  empty: 'No data for these days',
  emptyText: 'Choose other days. The metrics of a day are available on the next day.',
  asOf: (time: string) => `as of ${time}`,
  remove: 'Delete report',
  askRemove: {
    title: 'Delete report',
    text: "The service might no longer have this data. You can't undo this.",
    keep: 'Keep report',
    button: 'Delete report',
  },
  unreadable: (n: number) =>
    `${plural(n, 'value')} from the service couldn't be read and ${n === 1 ? 'is' : 'are'} treated as missing.`,
  export: 'Export as CSV',
  exportRaw: 'Save as received',
  rawHint: 'The file exactly as the service sent it.',
  print: 'Print or PDF',
  metrics: 'Metrics',
  metricsHint: (max: number) => `Shows up to ${countText(max)} at once.`,
  windows: 'Attribution window',
  totals: 'Totals',
} as const;

/** The same request again. It names all options of the earlier one, because the account's settings may have changed. */
const requestOf = ({
  reportType,
  startDate,
  endDate,
  byDate,
  attributionWindow,
  format,
}: ReportRequest): ReportRequest => ({
  reportType,
  startDate,
  endDate,
  byDate,
  attributionWindow: attributionWindow ?? null,
  format: format ?? null,
});

/** The reports page: request a report, select a saved one, and view it. */
export function ReportsScreen({ workspaceId }: { readonly workspaceId: string }) {
  const { toasts } = useAppContext();
  const actions = useActions(reportActions);
  const kept = useQuery(useApi().reports.list.queryOptions({ input: { workspaceId } }));
  const [chosen, setChosen] = useState<string | null>(null);
  const [dropped, setDropped] = useState<File | null>(null);
  const [busy, during] = useBusy();
  const request = async (wish: ReportRequest, again: boolean): Promise<void> => {
    const snapshot = await during(actions.requestReport(wish, again));
    if (snapshot !== null) setChosen(snapshot.id);
  };
  const snapshots = kept.data?.snapshots ?? [];
  const today = plainDate(kept.data?.today ?? '');
  const shown = snapshots.find(({ id }) => id === chosen) ?? snapshots[0];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button for a report from a file does the same.
    <div
      className={styles['reports']}
      data-own-drop=""
      onDragOver={(event) => event.preventDefault()}
      onDrop={({ dataTransfer: { files } }) => {
        const [first = null] = files;
        setDropped(first);
        if (first !== null && files.length > 1) toasts.tell(texts.firstFile(first.name));
      }}
    >
      <header className={styles['reports-bar']}>
        <h1 className={ui['spoken-only']}>{appTexts.reports.title}</h1>
        {today !== null && (
          <RequestForm
            today={today}
            key={today}
            types={kept.data?.types ?? []}
            busy={busy}
            isPrimary={dropped === null}
            onRequest={(wish) => void request(wish, false)}
          />
        )}
        <SavedMetrics workspaceId={workspaceId} onFile={setDropped} />
      </header>
      {dropped !== null && (
        <ReportFile
          key={`${dropped.name} ${dropped.lastModified}`}
          workspaceId={workspaceId}
          file={dropped}
          onClose={() => setDropped(null)}
        />
      )}
      <Problem of={kept.error} />
      {kept.data !== undefined && kept.data.damaged > 0 && (
        <p className={ui['note-warning']}>{texts.damaged(kept.data.damaged)}</p>
      )}
      <ReportJobs
        jobs={kept.data?.jobs ?? []}
        busy={busy}
        onChoose={setChosen}
        onAgain={(job) => void request(requestOf(job), true)}
      />
      {shown === undefined ? (
        kept.data !== undefined && <Empty title={texts.none} text={texts.noneText} />
      ) : (
        <>
          <SavedReports
            snapshots={snapshots}
            shown={shown}
            busy={busy}
            onChoose={setChosen}
            onAgain={() => void request(requestOf(shown), true)}
          />
          <ReportSheet key={shown.id} workspaceId={workspaceId} snapshot={shown} />
        </>
      )}
    </div>
  );
}

interface ReportJobsProps {
  readonly jobs: readonly ReportJob[];
  readonly busy: boolean;
  readonly onChoose: (id: string) => void;
  readonly onAgain: (job: ReportJob) => void;
}

const BADGES = {
  waiting: ui['badge'],
  ready: `${ui['badge']} ${ui['badge-good']}`,
  failed: `${ui['badge']} ${ui['badge-error']}`,
  expired: `${ui['badge']} ${ui['badge-error']}`,
} as const;

/** Reports that the service creates in the background: their state and actions. */
function ReportJobs({ jobs, busy, onChoose, onAgain }: ReportJobsProps) {
  const actions = useActions(reportActions);
  const now = useNow();
  if (jobs.length === 0) return null;
  return (
    <ul className={ui['lines']} aria-label={texts.jobs}>
      {jobs.map((job) => {
        const { snapshotId, state, status, detail, reportId } = job;
        const name = texts.reportOf(reportName(job.reportType), job.startDate, job.endDate);
        const button = (text: string, run: () => void) => (
          <Chip disabled={busy} aria-label={`${text}: ${name}`} onClick={run}>
            {text}
          </Chip>
        );
        return (
          <li key={snapshotId} className={styles['reports-kept']}>
            <span className={BADGES[state]}>{texts.jobStates[state]}</span>
            <span>{name}</span>
            <span className={ui['quiet']}>{texts.jobSince(timeText(job.askedAt, now))}</span>
            {state === 'waiting' && status !== '' && <span className={ui['quiet']}>{texts.jobStatus(status)}</span>}
            {detail !== '' && <span className={ui['quiet']}>{detail}</span>}
            <span className={ui['toolbar-gap']} />
            {state === 'waiting' && button(texts.jobLook, () => void actions.lookAtJob(snapshotId))}
            {state === 'ready' && reportId !== null && button(texts.jobShow, () => onChoose(reportId))}
            {(state === 'failed' || state === 'expired') && button(texts.jobAgain, () => onAgain(job))}
            {button(state === 'waiting' ? texts.jobGiveUp : texts.jobForget, () => void actions.giveUpJob(snapshotId))}
          </li>
        );
      })}
    </ul>
  );
}

interface KeptReportsProps {
  readonly snapshots: readonly ReportSnapshot[];
  readonly shown: ReportSnapshot;
  readonly busy: boolean;
  readonly onChoose: (id: string) => void;
  readonly onAgain: () => void;
}

const windowWord = (word: string): string => texts.windowWords[word] ?? word;

/** The saved reports on this computer, and actions for the one shown. */
function SavedReports({ snapshots, shown, busy, onChoose, onAgain }: KeptReportsProps) {
  const { store, toasts } = useAppContext();
  const actions = useActions(reportActions);
  const now = useNow();
  const remove = (): void =>
    store.getState().show({ name: 'confirm', ...texts.askRemove, run: () => void actions.removeReport(shown.id) });
  const save = async (asked: Promise<ExportedFile | null>): Promise<void> => {
    const file = await asked;
    if (file === null) return;
    saveFrom(file.fileName, file.url);
    toasts.offer(file);
  };
  return (
    <div className={styles['reports-kept']}>
      <h2 className={styles['reports-label']}>{texts.shown}</h2>
      <Choice
        aria-label={texts.kept}
        title={texts.keptHint}
        options={snapshots.map(({ id, reportType, startDate, endDate, attributionWindow, fetchedAt }) => [
          id,
          [
            texts.reportOf(reportName(reportType), startDate, endDate),
            ...(attributionWindow ? [windowWord(attributionWindow)] : []),
            texts.asOf(timeText(fetchedAt, now)),
          ].join(' · '),
        ])}
        value={shown.id}
        onChoose={onChoose}
      />
      <Chip disabled={busy} onClick={onAgain}>
        {texts.again}
      </Chip>
      <span className={ui['toolbar-gap']} />
      <Chip onClick={() => void save(actions.reportCsv(shown.id))}>{texts.export}</Chip>
      {shown.raw !== undefined && (
        <Chip title={texts.rawHint} onClick={() => void save(actions.reportRaw(shown.id))}>
          {texts.exportRaw}
        </Chip>
      )}
      <Chip onClick={() => window.print()}>{texts.print}</Chip>
      <Chip onClick={remove}>{texts.remove}</Chip>
    </div>
  );
}

interface RequestFormProps {
  /** Today in the time zone of the account; a practice account may be years ahead. */
  readonly today: PlainDate;
  /** Report types besides those of the documentation. */
  readonly types: readonly string[];
  readonly busy: boolean;
  /** False while a file is previewed, which then has the primary button. */
  readonly isPrimary: boolean;
  readonly onRequest: (wish: ReportRequest) => void;
}

const SPANS = [7, 30, 90] as const;

/** The last `days` full days up to yesterday: metrics of a day arrive on the next one. */
const lastFullDays = (today: PlainDate, days: number) => ({
  startDate: addDays(today, -days),
  endDate: addDays(today, -1),
});

const isSpan = (wish: Pick<ReportRequest, 'startDate' | 'endDate'>, span: ReturnType<typeof lastFullDays>): boolean =>
  wish.startDate === span.startDate && wish.endDate === span.endDate;

function RequestForm({ today, types, busy, isPrimary, onRequest }: RequestFormProps) {
  const period = useView((s) => s.period);
  const { from, to } = periodSpan(period, today);
  const [wish, setWish] = useState<ReportRequest>({
    reportType: 'campaign',
    byDate: true,
    startDate: from,
    endDate: to,
  });
  const change = (part: Partial<ReportRequest>): void => setWish({ ...wish, ...part });
  const inOrder =
    plainDate(wish.startDate) !== null && plainDate(wish.endDate) !== null && wish.startDate <= wish.endDate;
  const isWhole = inOrder && REPORT_TYPE.test(wish.reportType);
  return (
    <form
      className={styles['reports-form']}
      aria-label={texts.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (isWhole && !busy) onRequest(wish);
      }}
    >
      <h2 className={styles['reports-label']}>{texts.form}</h2>
      <TypeChoice value={wish.reportType} further={types} onChange={(reportType) => change({ reportType })} />
      <ChipChoice<number | null>
        label={texts.spans}
        choices={SPANS.map((days) => ({ value: days, name: texts.lastDays(days) }))}
        chosen={SPANS.find((days) => isSpan(wish, lastFullDays(today, days))) ?? null}
        onChoose={(days) => days !== null && change(lastFullDays(today, days))}
      />
      <span className={styles['reports-days']}>
        <DayInput
          aria-label={texts.from}
          aria-invalid={!inOrder}
          value={wish.startDate}
          onChange={(startDate) => change({ startDate })}
        />
        <span aria-hidden="true">–</span>
        <DayInput
          aria-label={texts.to}
          aria-invalid={!inOrder}
          value={wish.endDate}
          onChange={(endDate) => change({ endDate })}
        />
      </span>
      <Checkbox
        checked={wish.byDate}
        label={texts.byDate}
        title={texts.byDateHint}
        onChange={(event) => change({ byDate: event.currentTarget.checked })}
      />
      <div className={styles['reports-ask']}>
        {WORD_CHOICES.map(({ name, label, hint, words, names }) => (
          <Choice
            key={name}
            aria-label={label}
            title={hint}
            options={['', ...words].map((word) => [word, names[word] ?? word])}
            value={wish[name] ?? ''}
            onChoose={(word) => setWish(withWord(wish, name, word))}
          />
        ))}
        <Button type="submit" variant={isPrimary ? 'filled' : 'default'} disabled={!isWhole || busy}>
          {busy ? texts.asking : texts.request}
        </Button>
      </div>
    </form>
  );
}

/** An empty word leaves the option to the settings of the account. */
function withWord(wish: ReportRequest, name: WordOptions['name'], word: string): ReportRequest {
  const { [name]: _, ...others } = wish;
  return word === '' ? others : { ...others, [name]: word };
}

interface WordOptions {
  readonly name: 'attributionWindow' | 'format';
  readonly label: string;
  readonly hint: string;
  readonly words: readonly string[];
  readonly names: Readonly<Record<string, string>>;
}
const WORD_CHOICES: readonly WordOptions[] = [
  {
    name: 'attributionWindow',
    label: texts.windowWord,
    hint: texts.windowHint,
    words: ATTRIBUTION_WORDS,
    names: texts.windowWords,
  },
  {
    name: 'format',
    label: texts.format,
    hint: texts.formatHint,
    words: FORMAT_WORDS,
    names: texts.formatWords,
  },
];

interface TypeChoiceProps {
  readonly value: string;
  /** Report types besides those of the documentation. */
  readonly further: readonly string[];
  readonly onChange: (type: string) => void;
}

const ANOTHER = '';

/** The type of a report: one of the documentation, one of the deployment, or one that is typed. */
function TypeChoice({ value, further, onChange }: TypeChoiceProps) {
  const known: readonly string[] = [...new Set([...REPORT_TYPES, ...further])];
  const [isTyped, setTyped] = useState(!known.includes(value));
  const choose = (type: string): void => {
    setTyped(type === ANOTHER);
    onChange(type);
  };
  return (
    <>
      <Choice
        aria-label={texts.type}
        options={[...known.map((type): Option<string> => [type, reportName(type)]), [ANOTHER, texts.anotherType]]}
        value={isTyped ? ANOTHER : value}
        onChoose={choose}
      />
      {isTyped && (
        <input
          className={ui['input']}
          aria-label={texts.typeName}
          title={texts.typeNameHint}
          aria-invalid={!REPORT_TYPE.test(value)}
          value={value}
          onChange={(event) => onChange(event.target.value.trim())}
        />
      )}
    </>
  );
}

const PAGE = 100;

/** How a report is first shown: by campaign, with the highest spend first. */
const FIRST_LOOK: ReportQuery = {
  groupBy: 'campaignName',
  contains: '',
  sortBy: 'adSpend',
  descending: true,
  figure: 'adSpend',
  from: 0,
  count: PAGE,
};

/** One report: totals, charts, table. This component holds filter and order; main computes the metrics. */
function ReportSheet({ workspaceId, snapshot }: { readonly workspaceId: string; readonly snapshot: ReportSnapshot }) {
  const [look, setLook] = useState<ReportQuery>(FIRST_LOOK);
  const [columns, setColumns] = useState<readonly string[] | null>(null);
  const answer = useQuery(useApi().reports.view.queryOptions({ input: { workspaceId, id: snapshot.id, look } }));
  // The last data stays on screen while other data is loading, and if that fails, with its own order and filter.
  const [last, setLast] = useState<{ readonly view: ReportView; readonly look: ReportQuery } | null>(null);
  if (answer.data !== undefined && answer.data !== last?.view) setLast({ view: answer.data, look });
  const view = answer.data ?? last?.view;
  const problem =
    answer.error === null ? null : (
      <div className={styles['reports-kept']}>
        <Problem of={answer.error} />
        <Chip onClick={() => void answer.refetch()}>{appTexts.tryAgain}</Chip>
      </div>
    );

  const names = useCampaignNames(workspaceId, view);
  if (view === undefined) return problem;
  if (view.snapshot.rows === 0) return <Empty title={texts.empty} text={texts.emptyText} />;
  const shown = columns ?? firstChoice(view.figures);
  const figures = view.figures.filter(({ column }) => shown.includes(column));
  const change = (part: Partial<ReportQuery>): void => setLook((before) => ({ ...before, from: 0, ...part }));
  return (
    <div className={styles['reports-sheet']}>
      <PrintTitle workspaceId={workspaceId} snapshot={snapshot} />
      {view.unreadable > 0 && <p className={ui['note-warning']}>{texts.unreadable(view.unreadable)}</p>}
      <Parts parts={snapshot.parts ?? []} />
      <div className={styles['reports-figures']}>
        <FigurePicker figures={view.figures} shown={shown} onShow={setColumns} />
        <AttributionWindowPicker figures={view.figures} shown={shown} onShow={setColumns} />
      </div>
      <Totals figures={figures} total={view.total.figures} />
      <Charts
        names={names}
        view={view}
        figures={figures}
        figure={look.figure}
        onFigure={(figure) => change({ figure })}
      />
      {problem}
      <MetricTable
        view={view}
        figures={figures}
        look={answer.error === null ? look : (last?.look ?? look)}
        onLook={change}
        pageSize={PAGE}
        names={names}
      />
    </div>
  );
}

/** The names of the account's campaigns that a report shows by their IDs. */
function useCampaignNames(workspaceId: string, view: ReportView | undefined): ReadonlyMap<string, string> {
  const groups = view?.groupBy === 'campaignId' ? [...view.page, ...view.top] : [];
  const parts = [...new Set(groups.map(({ label }) => label))].map((id): Query => ({ is: 'id', id }));
  const filter = parts.length === 0 ? null : printSearch({ is: 'or', parts }, 'campaign');
  const rows = useRows(workspaceId, filter === null ? null : { kind: 'campaign', filter }).data?.rows ?? [];
  return new Map(rows.map((row) => [row.remoteId ?? '', textOf('campaign', row, 'name')]));
}

/** The files of an archive that the rows come from, and those skipped because they have other columns. */
function Parts({ parts }: { readonly parts: readonly ReportPart[] }) {
  if (parts.length === 0) return null;
  const names = (used: boolean): string =>
    parts
      .filter((part) => part.used === used)
      .map(({ name, rows }) => texts.part(name, rows))
      .join(', ');
  const left = names(false);
  return (
    <>
      <p className={ui['quiet']}>{texts.parts(names(true))}</p>
      {left !== '' && <p className={ui['note-warning']}>{texts.partsLeft(left)}</p>}
    </>
  );
}

interface FigurePickerProps {
  readonly figures: readonly ReportMetric[];
  readonly shown: readonly string[];
  readonly onShow: (columns: readonly string[]) => void;
}

/** Selects the metrics shown, each with an explanation; those with attribution once per window, side by side. */
function FigurePicker({ figures, shown, onShow }: FigurePickerProps) {
  const [open, setOpen] = useState(false);
  const toggle = (column: string): void =>
    onShow(shown.includes(column) ? shown.filter((each) => each !== column) : [...shown, column]);
  const metrics = [...new Set(figures.map(({ metric }) => metric))];
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-start" width={520} trapFocus shadow="md">
      <Popover.Target>
        <Chip aria-expanded={open} onClick={() => setOpen(!open)}>
          {texts.metrics} <span className={ui['badge']}>{shown.length}</span>
        </Chip>
      </Popover.Target>
      <Popover.Dropdown className={styles['reports-choices']}>
        <p className={ui['quiet']}>{texts.metricsHint(SHOWN_MAX)}</p>
        <ul className={ui['lines']}>
          {metrics.map((metric) => (
            <li key={metric} className={styles['reports-choice']}>
              <div className={styles['reports-meaning']}>
                <strong>{appTexts.reports.names[metric] ?? metric}</strong>
                <span className={ui['quiet']}>{figureTexts.meanings[metric] ?? texts.unknownMeaning}</span>
              </div>
              {figures
                .filter((figure) => figure.metric === metric)
                .map((figure) => (
                  <Checkbox
                    key={figure.column}
                    aria-label={figureName(figure)}
                    label={figure.window === null ? '' : appTexts.reports.windowNames[figure.window]}
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

/** The title of a printed report: account, type, period and date. On screen the toolbars show these. */
function PrintTitle({ workspaceId, snapshot }: { readonly workspaceId: string; readonly snapshot: ReportSnapshot }) {
  const account = useAccount(workspaceId);
  const { reportType, startDate, endDate, fetchedOn } = snapshot;
  return (
    <div className={styles['print-title']}>
      <h2>{account?.name ?? appTexts.reports.title}</h2>
      <p>
        {texts.reportOf(reportName(reportType), startDate, endDate)} · {texts.asOf(fullDayText(fetchedOn))}
      </p>
    </div>
  );
}

interface TotalsProps {
  readonly figures: readonly ReportMetric[];
  readonly total: Readonly<Record<string, number>>;
}

/** The selected metrics of the whole report; rates are computed from the sums. */
function Totals({ figures, total }: TotalsProps) {
  return (
    <Figures
      label={texts.totals}
      className={styles['reports-totals']}
      figures={figures.map((figure) => ({
        name: figureName(figure),
        value: shownFigure(figure, total[figure.column]),
        meaning: figureTexts.meanings[figure.metric],
      }))}
    />
  );
}

interface WindowChoiceProps {
  readonly figures: readonly ReportMetric[];
  readonly shown: readonly string[];
  readonly onShow: (columns: readonly string[]) => void;
}

/** The attribution windows of all metrics shown: one, or several side by side. */
function AttributionWindowPicker({ figures, shown, onShow }: WindowChoiceProps) {
  const windows = windowsOf(figures);
  if (windows.length === 0) return null;
  return (
    <div role="group" aria-label={texts.windows} className={styles['reports-windows']}>
      <span className={ui['quiet']}>{texts.windows}</span>
      {windows.map((window) => {
        const next = withWindow(figures, shown, window);
        const isFull = next.length > SHOWN_MAX;
        return (
          <Chip
            key={window}
            aria-pressed={showsWindow(figures, shown, window)}
            disabled={isFull}
            title={isFull ? texts.metricsHint(SHOWN_MAX) : undefined}
            onClick={() => onShow(next)}
          >
            {appTexts.reports.windowNames[window]}
          </Chip>
        );
      })}
    </div>
  );
}

function reportActions(context: ActionContext) {
  const { client } = context.connection;
  return {
    /** @returns the report to show; null when there is none (yet), which a message has explained */
    requestReport: async (wish: ReportRequest, again: boolean) => {
      const answer = await runAction(context, (workspaceId) => client.reports.request({ workspaceId, wish, again }));
      if (answer === null) return null;
      if (answer.is === 'job') {
        context.toasts.tell(texts.goesOn);
        return null;
      }
      if (answer.kept) context.toasts.tell(texts.wasKept);
      return answer.snapshot;
    },
    /** The unchanged response of the service, byte for byte. */
    reportRaw: (id: string) => runAction(context, (workspaceId) => client.reports.raw({ workspaceId, id })),
    lookAtJob: async (snapshotId: string) => {
      const job = await runAction(context, (workspaceId) => client.reports.poll({ workspaceId, snapshotId }));
      if (job?.state === 'waiting') context.toasts.tell(texts.stillWaiting);
    },
    giveUpJob: async (snapshotId: string) => {
      await runAction(context, (workspaceId) => client.reports.stopWaiting({ workspaceId, snapshotId }));
    },
    reportCsv: (id: string) => runAction(context, (workspaceId) => client.reports.csv({ workspaceId, id })),
    removeReport: async (id: string) => {
      const removed = await runAction(context, (workspaceId) => client.reports.remove({ workspaceId, id }));
      return removed !== null;
    },
  };
}
