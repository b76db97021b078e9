import {
  IconAlertCircle,
  IconAlertTriangle,
  IconArrowsSplit,
  IconCheck,
  IconHelpCircle,
  IconHistory,
  IconInfoCircle,
  IconPencil,
  IconRefresh,
  type TablerIcon,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment, memo, type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import type { Account } from '../../../shared/api/accounts.ts';
import type { TaskName } from '../../../shared/api/operation.ts';
import { sumsOf } from '../../../shared/model/decimal.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { useApi, useAppContext, useView, useViewOf } from '../../app/app-context.ts';
import { commandOf } from '../../app/commands.ts';
import { shownCell } from '../../app/locale/cells.ts';
import { bytesText, countText, plural, timeText } from '../../app/locale/numbers.ts';
import { useIssueCounts, useServiceReachability } from '../../app/shared-queries.ts';
import type { DrawerTab } from '../../app/store/layout-slice.ts';
import { rangeOf } from '../../app/store/selection-slice.ts';
import { appTexts } from '../../app/texts.ts';
import type { Connection } from '../../app/transport/connection.ts';
import { useCommandContext } from '../../app/use-shortcuts.ts';
import { Chip } from '../../components/Chip.tsx';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { Dot } from '../../components/StatusShape.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import { changingFields, layoutOf, shownColumns, withGhosts } from '../../grid/columns.ts';
import type { OpenView } from '../../grid/window.ts';
import styles from './shell.module.css';

const texts = {
  saved: 'All edits saved',
  readOnly: 'Read-only',
  changes: (n: number) => plural(n, 'change'),
  errors: (n: number) => plural(n, 'error'),
  warnings: (n: number) => plural(n, 'warning'),
  suggestions: (n: number) => plural(n, 'suggestion'),
  noIssues: 'No issues',
  held: (n: number) => `${countText(n)} on hold`,
  conflicts: (n: number) => plural(n, 'conflict'),
  questions: (n: number) => plural(n, 'unresolved request'),
  refreshed: (time: string) => `Refreshed ${time}`,
  neverRefreshed: 'Never refreshed',
  notRefreshedHere: 'Not refreshed here',
  sums: (sum: string, average: string) => `Sum ${sum} · Average ${average}`,
  selected: {
    rows: (n: number) => `${plural(n, 'row')} selected`,
    cells: (rows: number, columns: number) =>
      rows === 1 || columns === 1
        ? `${plural(rows * columns, 'cell')} selected`
        : `${plural(rows * columns, 'cell')} in ${plural(rows, 'row')} selected`,
  },
  status: 'Account status',
  sign: {
    paused: 'Sync paused',
    waiting: (time: string) => `Sync resumes at ${time}`,
    scheduled: (time: string) => `Sync scheduled, next check ${time}`,
  },
} as const;

const TeamMark = lazyComponent(async () => (await import('../team/TeamMark.tsx')).TeamMark);

interface StatusBarProps {
  readonly account: Account;
  readonly view: OpenView | null;
}

/**
 * The status bar: tabs of the closed lower panel and the state of the account. Each number opens what it counts. During a
 * long outage, the next step takes the place of what is read from main.
 */
export const StatusBar = memo(function StatusBar({ account, view }: StatusBarProps) {
  const { workspaceId } = account;
  const { store, connection } = useAppContext();
  const outage = useOutage(connection);
  const figures = useQuery(useApi().workspace.summary.queryOptions({ input: { workspaceId } })).data;
  const issues = useIssueCounts(workspaceId);
  const isRows = useView((s) => s.place === 'rows');
  const tab = (name: DrawerTab) => () => store.getState().showTab(name);
  const held = () => {
    store.getState().goTo({ kind: store.getState().kind, campaignId: null });
    store.getState().setOnly('held');
  };
  return (
    <footer className={styles['status-bar']} data-pane role="contentinfo" aria-label={texts.status}>
      {figures !== undefined && issues !== undefined && (
        <>
          <button type="button" className={styles['status-item']} onClick={tab('issues')}>
            <IssueCounts {...issues} />
          </button>
          <StripButton icon={IconPencil} onClick={tab('changes')}>
            {texts.changes(figures.changed)}
          </StripButton>
          {figures.held > 0 && <StripButton onClick={held}>{texts.held(figures.held)}</StripButton>}
          {figures.conflicts > 0 && (
            <StripButton icon={IconArrowsSplit} onClick={tab('sync')}>
              {texts.conflicts(figures.conflicts)}
            </StripButton>
          )}
          {figures.questions > 0 && (
            <StripButton icon={IconHelpCircle} onClick={tab('sync')}>
              {texts.questions(figures.questions)}
            </StripButton>
          )}
        </>
      )}
      <StripButton icon={IconHistory} onClick={tab('history')}>
        {appTexts.drawer.history}
      </StripButton>
      <PendingStatus workspaceId={workspaceId} />
      {account.hasTeam && <TeamMark workspaceId={workspaceId} />}
      <TaskProgress workspaceId={workspaceId} />
      <span className={ui['toolbar-gap']} />
      {isRows && view !== null && <SelectionSize view={view} />}
      <SavedStatus workspaceId={workspaceId} outage={outage} />
      {outage !== 'long' && (
        <>
          {figures !== undefined && (
            <LastRefresh workspaceId={workspaceId} at={figures.lastRefreshAt} hasTeam={account.hasTeam} />
          )}
          <ServiceStatus workspaceId={workspaceId} account={account} />
        </>
      )}
    </footer>
  );
});

interface StripButtonProps {
  readonly icon?: TablerIcon;
  readonly title?: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function StripButton({ icon: Icon, title, onClick, children }: StripButtonProps) {
  return (
    <button type="button" className={styles['status-item']} title={title} onClick={onClick}>
      {Icon !== undefined && <Icon size={14} stroke={1.75} aria-hidden="true" />}
      {children}
    </button>
  );
}

const SEVERITIES = [
  { severity: 'error', className: styles['status-error'], icon: IconAlertCircle, text: texts.errors },
  { severity: 'warning', className: styles['status-warning'], icon: IconAlertTriangle, text: texts.warnings },
  { severity: 'advice', className: styles['status-advice'], icon: IconInfoCircle, text: texts.suggestions },
] as const;

type IssueCountsProps = Readonly<Record<(typeof SEVERITIES)[number]['severity'], number>>;

/** Issues by severity with icon, text and color; without any, one short sentence. */
function IssueCounts(counts: IssueCountsProps) {
  const found = SEVERITIES.filter(({ severity }) => counts[severity] > 0);
  if (found.length === 0) return <span>{texts.noIssues}</span>;
  return found.map(({ severity, className, icon: Icon, text }, at) => (
    <Fragment key={severity}>
      {at > 0 && ' '}
      <span className={className}>
        <Icon size={14} stroke={1.75} aria-hidden="true" />
        {text(counts[severity])}
      </span>
    </Fragment>
  ));
}

interface SavedStatusProps {
  readonly workspaceId: string;
  readonly outage: ReturnType<typeof useOutage>;
}

/** Main responds to an edit once it is on the disk, so only a lost connection or a read-only account is shown. */
function SavedStatus({ workspaceId, outage }: SavedStatusProps) {
  const condition = useQuery(useApi().backups.condition.queryOptions({ input: { workspaceId } })).data;
  if (outage !== 'none') return <Reconnecting outage={outage} />;
  if (condition?.writable === false)
    return (
      <span className={styles['status-item']} title={appTexts.notWritable}>
        <Dot tone="bad" text={texts.readOnly} />
      </span>
    );
  return (
    <span className={styles['status-item']}>
      <IconCheck size={14} stroke={1.75} aria-hidden="true" />
      {texts.saved}
    </span>
  );
}

interface LastRefreshProps {
  readonly workspaceId: string;
  readonly at: number | null;
  readonly hasTeam: boolean;
}

function LastRefresh({ workspaceId, at, hasTeam }: LastRefreshProps) {
  const isRefreshing = useView((s) => s.refreshing.includes(workspaceId));
  const context = useCommandContext();
  const now = useNow();
  return (
    <StripButton
      icon={IconRefresh}
      title={commandOf('sync.refresh').title}
      onClick={() => commandOf('sync.refresh').run(context)}
    >
      {isRefreshing
        ? appTexts.sync.refreshing
        : at !== null
          ? texts.refreshed(timeText(at, now))
          : hasTeam
            ? texts.notRefreshedHere
            : texts.neverRefreshed}
    </StripButton>
  );
}

/** Shows that a sync is paused, waiting or scheduled; a click opens it. */
function PendingStatus({ workspaceId }: { readonly workspaceId: string }) {
  const { store } = useAppContext();
  const now = useNow();
  const pending = useQuery(useApi().sync.pending.queryOptions({ input: { workspaceId } })).data ?? null;
  if (pending === null) return null;
  const { state, nextAt } = pending;
  const sign = texts.sign[state];
  return (
    <button
      type="button"
      className={`${styles['status-item']} ${ui['note-warning']}`}
      onClick={() => store.getState().showTab('sync')}
    >
      {typeof sign === 'string' ? sign : sign(timeText(nextAt ?? now, now))}
    </button>
  );
}

/** The most rows that are added up; more are not loaded at once. */
const SUMMED_MAX = 2000;

/** The number of selected rows or cells, and the sum of amounts among them, as in spreadsheet programs. */
function SelectionSize({ view }: { readonly view: OpenView }) {
  const { source } = view;
  const state = useViewOf((s) => ({
    active: s.active,
    anchor: s.anchor,
    wholeRows: s.wholeRows,
    all: s.all,
    ghosts: s.ghosts,
    ...layoutOf(s),
  }));
  useSyncExternalStore(source.subscribe, source.version);
  const { kind, campaignId } = source.request;
  const columns = withGhosts(kind, shownColumns(kind, campaignId, state), changingFields(kind, state.ghosts));
  const range = rangeOf(state, columns.length);
  const bottom = Math.min(range.bottom, source.length() - 1);
  const rows = bottom - range.top + 1;
  const across = state.wholeRows ? 1 : range.right - range.left + 1;
  if (rows * across <= 1) return null;
  const column = range.left === range.right ? columns[range.left] : undefined;
  const isMoney = column?.spec?.type.is === 'money';
  const cells: Cell[] = [];
  if (column !== undefined && column.cell !== null && isMoney && rows <= SUMMED_MAX) {
    for (let i = range.top; i <= bottom; i += 1) cells.push(source.rowAt(i)?.cells[column.cell] ?? null);
  }
  const { count, sum, average } = sumsOf(cells);
  return (
    <span className={`${styles['status-item']} ${ui['numeric']}`}>
      {state.wholeRows ? texts.selected.rows(rows) : texts.selected.cells(rows, across)}
      {column !== undefined && count > 1 && average !== null && (
        <span>{texts.sums(shownCell(kind, column.field, sum), shownCell(kind, column.field, average))}</span>
      )}
    </span>
  );
}

const serviceTexts = {
  online: 'Online',
  offline: 'Offline',
  away: 'Service not responding',
  awayText: 'The service did not respond to the last request. You can keep working and sync later.',
  offlineText: "This computer is offline. You can keep working and sync when you're back online.",
  secrets: { none: 'Key and token missing', locked: 'Credentials locked' },
  secretsText: {
    none: 'Nothing can be synced or refreshed until you enter the key and token in Settings.',
    locked: 'Nothing can be synced or refreshed until you unlock the credentials in Settings.',
  },
  practice: 'Practice account',
  practiceText: 'This account uses a simulated service inside Adslate. It needs no network.',
  budget: (left: number, of: number) => `${countText(left)} of ${countText(of)} changes left this hour`,
  budgetText: (limit: string) => `${limit} A change counts for an hour after it was sent.`,
  nextPoll: (time: string) => `Next check ${time}`,
  nextPollText: 'Adslate checks reviews and videos automatically.',
  looking: 'Checking…',
  lowSpace: (bytes: number) => `Low disk space: ${bytesText(bytes)}`,
  lowSpaceText:
    'The disk of this account is almost full. Free up space so that edits, videos and backups can be saved.',
} as const;

const RENEW_MS = 15_000;

/** A narrow window hides the hourly change limit until half of it is used. */
const isScarce = ({ budgetLeft, budgetPerHour }: { readonly budgetLeft: number; readonly budgetPerHour: number }) =>
  budgetLeft * 2 < budgetPerHour;

/** The connection to the service: network, changes left this hour, and the next review check. */
function ServiceStatus({ workspaceId, account }: { readonly workspaceId: string; readonly account: Account }) {
  const { store } = useAppContext();
  const { practice, secrets } = account;
  const now = useNow();
  const state = useServiceReachability(workspaceId);
  // The change limit recovers and review checks run without an event, so the numbers are read at an interval.
  const { data } = useQuery(
    useApi().accountStatus.get.queryOptions({ input: { workspaceId }, refetchInterval: RENEW_MS }),
  );
  return (
    <>
      {practice ? (
        <span className={styles['status-item']} title={serviceTexts.practiceText}>
          <Dot tone="good" text={serviceTexts.practice} />
        </span>
      ) : state !== 'offline' && (secrets === 'none' || secrets === 'locked') ? (
        <button
          type="button"
          className={`${styles['status-item']} ${ui['note-warning']}`}
          title={serviceTexts.secretsText[secrets]}
          onClick={() => store.getState().openSettings('credentials')}
        >
          <Dot tone="off" text={serviceTexts.secrets[secrets]} />
        </button>
      ) : (
        <span
          className={state === 'online' ? styles['status-item'] : `${styles['status-item']} ${ui['note-warning']}`}
          title={state === 'online' ? undefined : serviceTexts[`${state}Text`]}
          role="status"
        >
          <Dot tone={state === 'online' ? 'good' : 'off'} text={serviceTexts[state]} />
        </span>
      )}
      {data !== undefined && data.lowSpaceBytes !== null && (
        <span
          className={`${styles['status-item']} ${ui['note-warning']}`}
          title={serviceTexts.lowSpaceText}
          role="status"
        >
          <Dot tone="bad" text={serviceTexts.lowSpace(data.lowSpaceBytes)} />
        </span>
      )}
      {data !== undefined && (
        <>
          <span
            className={`${styles['status-item']} ${isScarce(data) ? '' : styles['status-wide']} ${ui['numeric']}`}
            title={serviceTexts.budgetText(appTexts.changeLimit(data.changeLimit))}
          >
            {serviceTexts.budget(data.budgetLeft, data.budgetPerHour)}
          </span>
          <span className={`${styles['status-item']} ${styles['status-wide']}`} title={serviceTexts.nextPollText}>
            {data.nextPollAt === null ? serviceTexts.looking : serviceTexts.nextPoll(timeText(data.nextPollAt, now))}
          </span>
        </>
      )}
    </>
  );
}

const outageTexts = {
  lost: 'Reconnecting…',
  nextStep: 'Adslate is not responding. If you closed it, start it again. Your edits are saved.',
} as const;

/** After this time without a connection, in milliseconds, the next step is shown: a restarted Adslate is back sooner. */
export const NEXT_STEP_MS = 5000;

/** The connection to main: `long` after `NEXT_STEP_MS` without it. */
export function useOutage({ onState, state }: Pick<Connection, 'onState' | 'state'>): 'none' | 'short' | 'long' {
  const isOpen = useSyncExternalStore(onState, state) === 'open';
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (isOpen) return undefined;
    const timer = setTimeout(() => setLong(true), NEXT_STEP_MS);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [isOpen]);
  return isOpen ? 'none' : isLong ? 'long' : 'short';
}

/** Says that the connection is lost, and after a while what to do. */
export const Reconnecting = ({ outage }: { readonly outage: 'short' | 'long' }) => (
  <span
    className={`${styles['status-item']} ${styles['status-lost']} ${ui['note-error']}`}
    role="alert"
    title={outageTexts.nextStep}
  >
    <Dot tone="bad" text={outageTexts.lost} />
    {outage === 'long' && <span className={styles['status-step']}>{outageTexts.nextStep}</span>}
  </span>
);

const taskProgressTexts = {
  preview: 'Reading the file…',
  import: 'Importing…',
  export: 'Exporting…',
  prepare: 'Preparing the change…',
  change: 'Changing rows…',
  copy: 'Copying to another account…',
  trim: 'Trimming the video…',
  join: 'Joining the team…',
  undo: 'Undoing…',
  redo: 'Redoing…',
  launch: 'Loading the launch timeline…',
  plan: appTexts.sync.planning,
  stop: 'Stop',
} as const;

const onlyReads = ({ task }: { readonly task: TaskName }): boolean => task === 'launch' || task === 'plan';

/** Background tasks of the account, until they end. */
function TaskProgress({ workspaceId }: { readonly workspaceId: string }) {
  const { actions } = useAppContext();
  const tasks = useView((s) => s.tasks);
  // Tasks that change rows are listed before those that only read.
  const here = Object.values(tasks)
    .filter((task) => task.workspaceId === workspaceId)
    .toSorted((one, other) => Number(onlyReads(one)) - Number(onlyReads(other)));
  const [first] = here;
  if (first === undefined) return null;
  return (
    <span className={styles['status-item']} role="status">
      <progress
        className={styles['work-sign']}
        value={first.share ?? undefined}
        aria-label={taskProgressTexts[first.task]}
      />{' '}
      {taskProgressTexts[first.task]}
      {first.canCancel && <Chip onClick={() => void actions.cancelTask(first.taskId)}>{taskProgressTexts.stop}</Chip>}
      {here.length > 1 && <span className={ui['badge']}>+{here.length - 1}</span>}
    </span>
  );
}
