import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Account } from '../../../shared/api/accounts.ts';
import { sumsOf } from '../../../shared/model/decimal.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { useApi, useAppContext, useView, useViewOf } from '../../app/app-context.ts';
import { shownCell } from '../../app/locale/cells.ts';
import { countText, plural, timeText } from '../../app/locale/numbers.ts';
import type { QuickFilter } from '../../app/store/navigation-slice.ts';
import { rangeOf } from '../../app/store/selection-slice.ts';
import { appTexts } from '../../app/texts.ts';
import { Chip } from '../../components/Chip.tsx';
import { Dot } from '../../components/StatusShape.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import { shownColumns } from '../../grid/columns.ts';
import type { OpenView } from '../../grid/window.ts';
import styles from './shell.module.css';
import { shellTexts } from './text.ts';

const texts = {
  saved: 'All edits saved',
  lost: 'Reconnecting…',
  lostText: 'Adslate is not responding. If you closed it, start it again. Your edits are saved.',
  changed: (n: number) => plural(n, 'changed row', 'changed rows'),
  held: (n: number) => `${countText(n)} on hold`,
  conflicts: (n: number) => plural(n, 'conflict'),
  questions: (n: number) => plural(n, 'unresolved request'),
  refreshed: (time: string) => `Refreshed ${time}`,
  neverRefreshed: 'Never refreshed',
  sums: (sum: string, average: string) => `Sum ${sum} · Average ${average}`,
  selected: (rows: number, cols: number) => `${countText(rows)} × ${countText(cols)} selected`,
  status: 'Account status',
  sign: {
    paused: 'Sync paused',
    waiting: (time: string) => `Sync resumes at ${time}`,
    scheduled: (time: string) => `Sync scheduled, next check ${time}`,
  },
} as const;

/** The figures that are always on screen; each of them leads to what it counts. */
export function StatusBar({ account, view }: { readonly account: Account; readonly view: OpenView | null }) {
  const api = useApi();
  const { workspaceId } = account;
  const { connection, store } = useAppContext();
  const now = useNow();
  const link = useSyncExternalStore(connection.onState, connection.state);
  const figures = useQuery(api.workspace.summary.queryOptions({ input: { workspaceId } })).data;
  const info = useQuery(api.app.info.queryOptions()).data;
  const only = (narrow: QuickFilter) => () => store.getState().setOnly(narrow);
  return (
    <footer className={styles['status-bar']} data-pane role="contentinfo" aria-label={texts.status}>
      {link === 'open' ? (
        <span className={styles['status-item']}>{texts.saved}</span>
      ) : (
        <span className={`${styles['status-item']} ${ui['note-error']}`} role="alert" title={texts.lostText}>
          <Dot tone="bad" text={texts.lost} />
        </span>
      )}
      {figures !== undefined && (
        <>
          <button type="button" className={styles['status-item']} onClick={only('changed')}>
            {texts.changed(figures.changed)}
          </button>
          {figures.held > 0 && (
            <button type="button" className={styles['status-item']} onClick={only('held')}>
              {texts.held(figures.held)}
            </button>
          )}
          <button type="button" className={styles['status-item']} onClick={() => store.getState().showTab('findings')}>
            <Count sign="!" tone="error" count={figures.findings.error} name={appTexts.drawer.errors} />
            <Count sign="▲" tone="warning" count={figures.findings.warning} name={appTexts.drawer.warnings} />
          </button>
          {figures.conflicts > 0 && (
            <button type="button" className={styles['status-item']} onClick={() => store.getState().showTab('sync')}>
              {texts.conflicts(figures.conflicts)}
            </button>
          )}
          {figures.questions > 0 && (
            <button type="button" className={styles['status-item']} onClick={() => store.getState().showTab('sync')}>
              {texts.questions(figures.questions)}
            </button>
          )}
          <span className={styles['status-item']}>
            {figures.lastRefreshAt === null
              ? texts.neverRefreshed
              : texts.refreshed(timeText(figures.lastRefreshAt, now))}
          </span>
        </>
      )}
      <PendingSign workspaceId={workspaceId} />
      <TaskProgress workspaceId={workspaceId} />
      <ServiceStatus workspaceId={workspaceId} practice={account.practice} />
      <span className={ui['toolbar-gap']} />
      {view !== null && <SelectionSize view={view} />}
      {info !== undefined && <span className={styles['status-item']}>{`${appTexts.app} ${info.version}`}</span>}
    </footer>
  );
}

interface CountProps {
  readonly sign: string;
  readonly tone: 'error' | 'warning';
  readonly count: number;
  readonly name: string;
}

/** A number with its severity as sign, colour and (spoken) word; the sign stays when there is none, or two zeros would look alike. */
function Count({ sign, tone, count, name }: CountProps) {
  return (
    <span className={count > 0 ? `${ui['badge']} ${ui[`badge-${tone}`]}` : `${ui['badge']} ${ui['badge-none']}`}>
      <span aria-hidden="true">{sign}</span>
      {countText(count)}
      <span className={ui['spoken-only']}> {name}</span>
    </span>
  );
}

/** Says in the status bar that a sync is paused, waits or is scheduled, and leads to it. */
function PendingSign({ workspaceId }: { readonly workspaceId: string }) {
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

/** Rows that are added up at most; more are not all here. */
const SUMMED_MAX = 2000;

/** How many cells are selected, and what amounts among them come to, as in any spreadsheet. */
function SelectionSize({ view }: { readonly view: OpenView }) {
  const { source } = view;
  const state = useViewOf((s) => ({
    active: s.active,
    anchor: s.anchor,
    wholeRows: s.wholeRows,
    columnShown: s.columnShown,
    columnOrder: s.columnOrder,
  }));
  useSyncExternalStore(source.subscribe, source.version);
  const { kind, campaignId } = source.request;
  const columns = shownColumns(kind, campaignId, state);
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
      {texts.selected(rows, across)}
      {column !== undefined && count > 1 && average !== null && (
        <span>{texts.sums(shownCell(kind, column.field, sum), shownCell(kind, column.field, average))}</span>
      )}
    </span>
  );
}

const serviceTexts = shellTexts.status;
const RENEW_MS = 15_000;

/**
 * Whether the service can be asked: `offline` without a network, `away` when it did not answer the last time it was
 * asked. The browser knows of the network's plug alone; whether the service is there, only its answers tell.
 */
type ServiceReachability = 'online' | 'offline' | 'away';

export function useServiceReachability(workspaceId: string): ServiceReachability {
  const isOnline = useSyncExternalStore(onNetwork, () => navigator.onLine);
  const reachable = useQuery(useApi().accountStatus.get.queryOptions({ input: { workspaceId } })).data?.reachable;
  return !isOnline ? 'offline' : reachable === false ? 'away' : 'online';
}

function onNetwork(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** The line to the service: network, what this hour still allows, when reviews are looked at next. */
function ServiceStatus({ workspaceId, practice }: { readonly workspaceId: string; readonly practice: boolean }) {
  const now = useNow();
  const state = useServiceReachability(workspaceId);
  // The budget fills up and looks come round without an event, so the figures are renewed with the clock.
  const { data } = useQuery(
    useApi().accountStatus.get.queryOptions({ input: { workspaceId }, refetchInterval: RENEW_MS }),
  );
  return (
    <>
      {practice ? (
        <span className={styles['status-item']} title={serviceTexts.practiceText}>
          <Dot tone="good" text={serviceTexts.practice} />
        </span>
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
            className={`${styles['status-item']} ${styles['status-wide']} ${ui['numeric']}`}
            title={serviceTexts.budgetText}
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

const taskProgressTexts = {
  import: 'Importing…',
  export: 'Exporting…',
  change: 'Changing rows…',
  copy: 'Copying to another account…',
  stop: 'Stop',
} as const;

/** What goes on in the account by itself and takes a while, until it is over. */
function TaskProgress({ workspaceId }: { readonly workspaceId: string }) {
  const { actions } = useAppContext();
  const tasks = useView((s) => s.tasks);
  const here = Object.values(tasks).filter((task) => task.workspaceId === workspaceId);
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
