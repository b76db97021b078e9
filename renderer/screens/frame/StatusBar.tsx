import { useSyncExternalStore } from 'react';
import type { Account } from '../../../shared/contract/accounts.ts';
import { useAppContext } from '../../app/desk.ts';
import { appInfo, summary } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import type { OpenView } from '../../data/window-source.ts';
import { en } from '../../messages/en.ts';
import { countText, timeText } from '../../messages/numbers.ts';
import type { QuickFilter } from '../../store/navigation-slice.ts';
import { StatusDot } from '../../ui/StateDot.tsx';
import { useNow } from '../../ui/use-now.ts';
import { PendingSign } from './PendingSign.tsx';
import { SelectionSize } from './SelectionSize.tsx';
import { ServiceStatus } from './ServiceStanding.tsx';
import { TaskProgress } from './WorkSign.tsx';

/** The figures that are always on screen; each of them leads to what it counts. */
export function StatusBar({ account, view }: { readonly account: Account; readonly view: OpenView | null }) {
  const { workspaceId } = account;
  const { connection, store } = useAppContext();
  const now = useNow();
  const link = useSyncExternalStore(connection.onState, connection.state);
  const figures = useQuery(summary(workspaceId)).data;
  const info = useQuery(appInfo).data;
  const only = (narrow: QuickFilter) => () => store.getState().setOnly(narrow);
  return (
    <footer className="status-bar" data-pane role="contentinfo" aria-label={en.frame.status}>
      {link === 'open' ? (
        <span className="status-item">{en.status.saved}</span>
      ) : (
        <span className="status-item note-error" role="alert" title={en.status.lostText}>
          <StatusDot tone="bad" text={en.status.lost} />
        </span>
      )}
      {figures !== undefined && (
        <>
          <button type="button" className="status-item" onClick={only('changed')}>
            {en.status.changed(figures.changed)}
          </button>
          {figures.held > 0 && (
            <button type="button" className="status-item" onClick={only('held')}>
              {en.status.held(figures.held)}
            </button>
          )}
          <button type="button" className="status-item" onClick={() => store.getState().showTab('findings')}>
            <Count sign="!" tone="error" count={figures.findings.error} name={en.drawer.errors} />
            <Count sign="▲" tone="warning" count={figures.findings.warning} name={en.drawer.warnings} />
          </button>
          {figures.conflicts > 0 && (
            <button type="button" className="status-item" onClick={() => store.getState().showTab('sync')}>
              {en.status.conflicts(figures.conflicts)}
            </button>
          )}
          {figures.questions > 0 && (
            <button type="button" className="status-item" onClick={() => store.getState().showTab('sync')}>
              {en.status.questions(figures.questions)}
            </button>
          )}
          <span className="status-item">
            {figures.lastRefreshAt === null
              ? en.status.neverRefreshed
              : en.status.refreshed(timeText(figures.lastRefreshAt, now))}
          </span>
        </>
      )}
      <PendingSign workspaceId={workspaceId} />
      <TaskProgress workspaceId={workspaceId} />
      <ServiceStatus workspaceId={workspaceId} practice={account.practice} />
      <span className="toolbar-gap" />
      {view !== null && <SelectionSize view={view} />}
      {info !== undefined && <span className="status-item">{`${en.app} ${info.version}`}</span>}
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
    <span className={count > 0 ? `badge badge-${tone}` : 'badge badge-none'}>
      <span aria-hidden="true">{sign}</span>
      {countText(count)}
      <span className="spoken-only"> {name}</span>
    </span>
  );
}
