import { useState } from 'react';
import type { Account } from '../../../shared/contract/accounts.ts';
import { useViewOf } from '../../app/desk.ts';
import type { OpenView } from '../../data/use-window-source.ts';
import { en } from '../../messages/en.ts';
import { Drawer } from '../drawer/Drawer.tsx';
import { Inspector } from '../inspector/Inspector.tsx';
import { Navigation } from '../navigation/Navigation.tsx';
import { DropVeil } from './DropVeil.tsx';
import { PaneHandle } from './PaneHandle.tsx';
import { RowsScreen } from './RowsScreen.tsx';
import { StatusBar } from './StatusBar.tsx';
import { Toolbar } from './Toolbar.tsx';

/** The desk of one account: tree, grid, details, lower panel. */
export function DeskScreen({ account }: { readonly account: Account }) {
  const { sizes, hidden } = useViewOf((s) => ({ sizes: s.sizes, hidden: s.hidden }));
  const [view, setView] = useState<OpenView | null>(null);
  const { workspaceId } = account;
  const colour: Record<string, string> = { '--account': account.color };
  return (
    <div className="desk" style={colour}>
      <Toolbar account={account} />
      <div className="desk-body">
        {!hidden.navigation && (
          <>
            <nav className="pane" style={{ width: sizes.navigation }} aria-label={en.frame.navigation}>
              <Navigation workspaceId={workspaceId} />
            </nav>
            <PaneHandle pane="navigation" grows="right" />
          </>
        )}
        <div className="desk-middle">
          <main className="desk-middle" aria-label={en.frame.main}>
            <RowsScreen workspaceId={workspaceId} onView={setView} />
          </main>
          {!hidden.drawer && (
            <>
              <PaneHandle pane="drawer" grows="up" />
              <section className="pane" style={{ height: sizes.drawer }} aria-label={en.frame.drawer}>
                <Drawer workspaceId={workspaceId} account={account} />
              </section>
            </>
          )}
        </div>
        {!hidden.inspector && (
          <>
            <PaneHandle pane="inspector" grows="left" />
            <aside className="pane" style={{ width: sizes.inspector }} aria-label={en.frame.inspector}>
              <Inspector workspaceId={workspaceId} view={view} />
            </aside>
          </>
        )}
      </div>
      <StatusBar workspaceId={workspaceId} view={view} />
      <DropVeil />
    </div>
  );
}
