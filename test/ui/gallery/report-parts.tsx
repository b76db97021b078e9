import { Charts } from '../../../renderer/screens/reports/Charts.tsx';
import { Days } from '../../../renderer/screens/reports/Days.tsx';
import { FigureBar } from '../../../renderer/screens/reports/FigureBar.tsx';
import { FigureChoice } from '../../../renderer/screens/reports/FigureChoice.tsx';
import { FigurePicker } from '../../../renderer/screens/reports/FigurePicker.tsx';
import { FigureTable } from '../../../renderer/screens/reports/FigureTable.tsx';
import { Funnel } from '../../../renderer/screens/reports/Funnel.tsx';
import { KeptReports } from '../../../renderer/screens/reports/KeptReports.tsx';
import { Multiples } from '../../../renderer/screens/reports/Multiples.tsx';
import { PrintTitle } from '../../../renderer/screens/reports/PrintTitle.tsx';
import { ReportJobs } from '../../../renderer/screens/reports/ReportJobs.tsx';
import { ReportSheet } from '../../../renderer/screens/reports/ReportSheet.tsx';
import { ReportsScreen } from '../../../renderer/screens/reports/ReportsScreen.tsx';
import { RequestForm } from '../../../renderer/screens/reports/RequestForm.tsx';
import { RowMenu } from '../../../renderer/screens/reports/RowMenu.tsx';
import { Totals } from '../../../renderer/screens/reports/Totals.tsx';
import { TypeChoice } from '../../../renderer/screens/reports/TypeChoice.tsx';
import { WindowChoice } from '../../../renderer/screens/reports/WindowChoice.tsx';
import type { ReportFigure, ReportJob, ReportSnapshot, ReportView } from '../../../shared/contract/reports.ts';
import { plainDate } from '../../../shared/model/plain-date.ts';
import { FUNNEL } from '../../../shared/reports/metric.ts';
import { never, os } from './answers.ts';
import { NOON, WORKSPACE } from './examples.ts';
import type { Part } from './part.ts';
import { staged } from './Stage.tsx';

const SNAPSHOT: ReportSnapshot = {
  id: 'campaign-1',
  reportType: 'campaign',
  startDate: '2030-05-18',
  endDate: '2030-05-31',
  byDate: true,
  fetchedAt: NOON,
  fetchedOn: '2030-06-01',
  rows: 28,
};
const figure = (metric: string, unit: ReportFigure['unit'], window: ReportFigure['window'] = null): ReportFigure => ({
  column: window === null ? metric : `${metric}${window}`,
  metric,
  window,
  unit,
  derived: false,
  known: true,
});
const SPEND = figure('adSpend', 'money');
const CLICKS = figure('clicks', 'count');
const FIGURES = [figure('impressions', 'count'), CLICKS, SPEND, figure('attributedSales', 'money', '14days')];
const figures = { impressions: 120_000, clicks: 2400, adSpend: 154_321, attributedSales14days: 812_300 };
const days = Array.from({ length: 14 }, (_, i) => ({
  day: `2030-05-${18 + i}`,
  figures: { adSpend: 10_000 + ((i * 7) % 5) * 900, clicks: 150 + ((i * 3) % 7) * 12 },
}));
const NAMES = ['Kettles for every kitchen', 'Kitchen roll', 'Garden hoses'];
const VIEW: ReportView = {
  snapshot: SNAPSHOT,
  groupBy: 'campaignName',
  groupings: ['campaignName', 'date'],
  figures: FIGURES,
  unreadable: 0,
  groups: 3,
  page: NAMES.map((label, i) => ({ label, rows: 14, figures: { ...figures, adSpend: 90_000 - i * 20_000 } })),
  total: { rows: 42, figures },
  days,
  multiples: NAMES.map((label) => ({
    label,
    days: days.map((each) => ({ day: each.day, value: each.figures.adSpend })),
  })),
};
const LOOK = { groupBy: '', contains: '', sortBy: 'adSpend', descending: true, figure: 'adSpend', from: 0, count: 50 };
const JOB: ReportJob = {
  reportType: 'keyword',
  startDate: '2030-05-18',
  endDate: '2030-05-31',
  byDate: true,
  snapshotId: 'S1',
  askedAt: NOON,
  askedOn: '2030-06-01',
  state: 'waiting',
  status: 'processing',
  detail: '',
  reportId: null,
  endedAt: null,
};
const KEPT = { snapshots: [SNAPSHOT], damaged: 0, today: '2030-06-01' as const, jobs: [JOB], types: ['audience'] };
const today = plainDate('2030-06-01');
if (today === null) throw new Error('The first of June is a day.');
const reports = (view: ReportView, kept: Partial<typeof KEPT> = {}) => ({
  reports: { list: os.reports.list.handler(() => ({ ...KEPT, ...kept })), view: os.reports.view.handler(() => view) },
});
const nothing = () => {};
const screen = <ReportsScreen workspaceId={WORKSPACE} />;
const sheet = <ReportSheet workspaceId={WORKSPACE} snapshot={SNAPSHOT} />;
const withFigures: Parameters<typeof staged>[0]['arrange'] = (s) => {
  s.goTo({ kind: 'campaign', campaignId: null });
  s.showColumn('campaign.figure.adSpend', true);
};
const table = (view: ReportView) => (
  <FigureTable view={view} figures={FIGURES} look={LOOK} onLook={nothing} pageSize={50} />
);
const kept = (busy: boolean) => (
  <KeptReports snapshots={[SNAPSHOT]} shown={SNAPSHOT} busy={busy} onChoose={nothing} onAgain={nothing} />
);
const jobs = (list: readonly ReportJob[]) => (
  <ReportJobs jobs={list} busy={false} onChoose={nothing} onAgain={nothing} />
);
const charts = (part: Partial<ReportView>) => (
  <Charts view={{ ...VIEW, ...part }} figures={FIGURES} figure="adSpend" onFigure={nothing} />
);

/** Figures as charts and tables. */
export const REPORT_PARTS: readonly Part[] = [
  {
    name: 'ReportsScreen',
    isWide: true,
    states: {
      none: staged({ answers: reports(VIEW, { snapshots: [] }) }, screen),
      'a report': staged({ answers: reports(VIEW) }, screen),
      'some are damaged': staged({ answers: reports(VIEW, { snapshots: [], damaged: 2 }) }, screen),
    },
  },
  {
    name: 'ReportSheet',
    isWide: true,
    states: {
      reading: staged({ answers: { reports: { view: os.reports.view.handler(never) } } }, sheet),
      gone: staged({}, sheet),
      'without rows': staged({ answers: reports({ ...VIEW, snapshot: { ...SNAPSHOT, rows: 0 } }) }, sheet),
      'from several files': staged(
        { answers: reports(VIEW) },
        <ReportSheet
          workspaceId={WORKSPACE}
          snapshot={{
            ...SNAPSHOT,
            parts: [
              { name: 'may.csv', rows: 28, used: true },
              { name: 'notes.csv', rows: 3, used: false },
            ],
          }}
        />,
      ),
      'with cells nobody can read': staged({ answers: reports({ ...VIEW, unreadable: 3 }) }, sheet),
    },
  },
  {
    name: 'RequestForm',
    isWide: true,
    states: {
      free: <RequestForm today={today} types={['audience']} busy={false} onRequest={nothing} />,
      busy: <RequestForm today={today} types={[]} busy onRequest={nothing} />,
    },
  },
  {
    name: 'TypeChoice',
    states: {
      documented: <TypeChoice value="keyword" further={['audience']} onChange={nothing} />,
      typed: <TypeChoice value="not a word" further={[]} onChange={nothing} />,
    },
  },
  {
    name: 'ReportJobs',
    isWide: true,
    states: {
      none: staged({}, jobs([])),
      'each as it may stand': staged(
        {},
        jobs([
          JOB,
          { ...JOB, snapshotId: 'S2', state: 'ready', status: 'done', reportId: SNAPSHOT.id, endedAt: NOON },
          { ...JOB, snapshotId: 'S3', state: 'failed', detail: 'it is an encrypted ZIP archive', endedAt: NOON },
          { ...JOB, snapshotId: 'S4', reportType: 'audience', state: 'expired', endedAt: NOON },
        ]),
      ),
    },
  },
  { name: 'KeptReports', isWide: true, states: { free: kept(false), busy: kept(true) } },
  { name: 'Charts', isWide: true, states: { days: charts({}), 'without days': charts({ days: [], multiples: [] }) } },
  {
    name: 'Days',
    isWide: true,
    states: {
      one: <Days days={days} left={SPEND} right={null} form="line" />,
      two: <Days days={days} left={SPEND} right={CLICKS} form="line" />,
      bars: <Days days={days} left={SPEND} right={CLICKS} form="bar" />,
    },
  },
  { name: 'Multiples', isWide: true, states: { three: <Multiples campaigns={VIEW.multiples} figure={SPEND} /> } },
  {
    name: 'Funnel',
    states: { steps: <Funnel total={Object.fromEntries(FUNNEL.map((step, i) => [step, 1000 - i * 180]))} /> },
  },
  {
    name: 'FigureChoice',
    states: {
      one: <FigureChoice label="Drawn" figures={FIGURES} value="clicks" onChange={nothing} />,
      'or none': <FigureChoice label="Drawn as well" figures={FIGURES} value="" onChange={nothing} none />,
    },
  },
  {
    name: 'FigurePicker',
    isWide: true,
    states: {
      closed: staged({}, <FigurePicker figures={FIGURES} shown={['clicks']} onShow={nothing} />),
      open: staged({ press: ['Figures'] }, <FigurePicker figures={FIGURES} shown={['clicks']} onShow={nothing} />),
    },
  },
  {
    name: 'FigureTable',
    isWide: true,
    states: { rows: staged({}, table(VIEW)), 'none match': staged({}, table({ ...VIEW, groups: 0, page: [] })) },
  },
  { name: 'PrintTitle', states: { some: staged({}, <PrintTitle workspaceId={WORKSPACE} snapshot={SNAPSHOT} />) } },
  {
    name: 'WindowChoice',
    states: { one: <WindowChoice figures={FIGURES} shown={['attributedSales14days']} onShow={nothing} /> },
  },
  { name: 'Totals', states: { some: <Totals figures={FIGURES} total={figures} /> } },
  {
    name: 'RowMenu',
    states: {
      closed: staged({}, <RowMenu groupBy="campaignName" label="Kitchen roll" />),
      open: staged({ press: ['What to do'] }, <RowMenu groupBy="keywordText" label="kitchen roll" />),
      'names no rows': staged({}, <RowMenu groupBy="date" label="2030-05-18" />),
    },
  },
  {
    name: 'FigureBar',
    isWide: true,
    states: {
      'no report': staged({ arrange: withFigures }, <FigureBar workspaceId={WORKSPACE} />),
      'a report': staged({ arrange: withFigures, answers: reports(VIEW) }, <FigureBar workspaceId={WORKSPACE} />),
    },
  },
];
