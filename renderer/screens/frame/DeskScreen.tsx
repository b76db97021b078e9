import { useState } from 'react';
import type { Account } from '../../../shared/contract/accounts.ts';
import { useViewOf } from '../../app/desk.ts';
import { useLimitsOf } from '../../data/use-limits.ts';
import type { OpenView } from '../../data/window-source.ts';
import { en } from '../../messages/en.ts';
import { lazyComponent } from '../../ui/later.tsx';
import { MoveBar } from '../carry/CarryBar.tsx';
import { RowDrag } from '../carry/RowDrag.tsx';
import { Drawer } from '../drawer/Drawer.tsx';
import { Inspector } from '../inspector/Inspector.tsx';
import { Navigation } from '../navigation/Navigation.tsx';
import { DropOverlay } from './DropVeil.tsx';
import { PaneHandle } from './PaneHandle.tsx';
import { RowsScreen } from './RowsScreen.tsx';
import { StatusBar } from './StatusBar.tsx';
import { Toolbar } from './Toolbar.tsx';

const LOADING = <div className="empty">{en.grid.loading}</div>;

/** Its charts are as large as the rest of the window, so they come when they are first wanted. */
const LaunchScreen = lazyComponent(async () => (await import('../launch/LaunchScreen.tsx')).LaunchScreen, LOADING);
const ReportsScreen = lazyComponent(async () => (await import('../reports/ReportsScreen.tsx')).ReportsScreen, LOADING);

/** The desk of one account: tree, grid, details, lower panel. */
export function MainScreen({ account }: { readonly account: Account }) {
  const { sizes, hidden, place } = useViewOf((s) => ({ sizes: s.sizes, hidden: s.hidden, place: s.place }));
  const [view, setView] = useState<OpenView | null>(null);
  const { workspaceId } = account;
  useLimitsOf(workspaceId);
  const colour: Record<string, string> = { '--account': account.color };
  return (
    <div className="desk" style={colour}>
      <Toolbar account={account} />
      <div className="desk-body">
        {!hidden.navigation && (
          <nav className="pane-with-handle" data-pane aria-label={en.frame.navigation}>
            <div className="pane" style={{ width: sizes.navigation }}>
              <Navigation workspaceId={workspaceId} />
            </div>
            <PaneHandle pane="navigation" grows="right" />
          </nav>
        )}
        <div className="desk-middle">
          <main className="desk-middle" data-pane tabIndex={-1} aria-label={en.frame.main[place]}>
            {place === 'reports' && <ReportsScreen workspaceId={workspaceId} />}
            {place === 'launch' && <LaunchScreen workspaceId={workspaceId} />}
            {place === 'rows' && <RowsScreen workspaceId={workspaceId} onView={setView} />}
          </main>
          {!hidden.drawer && place === 'rows' && (
            <section data-pane aria-label={en.frame.drawer}>
              <PaneHandle pane="drawer" grows="up" />
              <div className="pane" style={{ height: sizes.drawer }}>
                <Drawer workspaceId={workspaceId} account={account} />
              </div>
            </section>
          )}
        </div>
        {!hidden.inspector && place === 'rows' && (
          <aside className="pane-with-handle" data-pane aria-label={en.frame.inspector}>
            <PaneHandle pane="inspector" grows="left" />
            <div className="pane" style={{ width: sizes.inspector }}>
              <Inspector workspaceId={workspaceId} view={view} />
            </div>
          </aside>
        )}
      </div>
      <MoveBar workspaceId={workspaceId} view={view} />
      <StatusBar account={account} view={view} />
      <DropOverlay />
      <RowDrag />
    </div>
  );
}
