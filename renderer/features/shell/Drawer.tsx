import { ActionIcon, Tabs } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account } from '../../../shared/api/accounts.ts';
import { useApi, useAppContext, useView } from '../../app/app-context.ts';
import { countText } from '../../app/locale/numbers.ts';
import { useIssueCounts } from '../../app/shared-queries.ts';
import type { DrawerTab } from '../../app/store/layout-slice.ts';
import { appTexts } from '../../app/texts.ts';
import { lazyComponent } from '../../components/lazy-component.tsx';
import ui from '../../components/ui.module.css';

const texts = { close: 'Close panel' } as const;

/** The panel is closed at first; each tab is loaded when it is first opened. */
const IssuesTab = lazyComponent(async () => (await import('../issues/IssuesTab.tsx')).IssuesTab);
const IssuesBar = lazyComponent(async () => (await import('../issues/IssuesTab.tsx')).IssuesBar);
const ChangesTab = lazyComponent(async () => (await import('../sync/ChangesTab.tsx')).ChangesTab);
const SyncTab = lazyComponent(async () => (await import('../sync/SyncTab.tsx')).SyncTab);
const HistoryTab = lazyComponent(async () => (await import('../history/HistoryTab.tsx')).HistoryTab);

const TABS: readonly DrawerTab[] = ['issues', 'changes', 'sync', 'history'];
const isTab = (value: string | null): value is DrawerTab => TABS.some((tab) => tab === value);

/** The lower panel: issues, changes, syncs and history. */
export function Drawer({ workspaceId, account }: { readonly workspaceId: string; readonly account: Account }) {
  const { store } = useAppContext();
  const tab = useView((s) => s.drawerTab);
  const [here, setHere] = useState(false);
  const api = useApi();
  const figures = useQuery(api.workspace.summary.queryOptions({ input: { workspaceId } })).data;
  const found = useIssueCounts(workspaceId);
  const counts: Readonly<Record<DrawerTab, number>> = {
    issues: (found?.error ?? 0) + (found?.warning ?? 0) + (found?.advice ?? 0),
    changes: figures?.changed ?? 0,
    sync: (figures?.questions ?? 0) + (figures?.conflicts ?? 0),
    history: 0,
  };
  return (
    <Tabs
      value={tab}
      onChange={(next) => {
        if (isTab(next)) store.getState().showTab(next);
      }}
      keepMounted={false}
      className={ui['drawer-tabs']}
    >
      <div className={ui['drawer-head']}>
        <Tabs.List>
          {TABS.map((each) => (
            <Tabs.Tab
              key={each}
              value={each}
              rightSection={counts[each] > 0 && <span className={ui['counter']}>{countText(counts[each])}</span>}
            >
              {appTexts.drawer[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <span className={ui['toolbar-gap']} />
        {tab === 'issues' && <IssuesBar workspaceId={workspaceId} here={here} onHere={setHere} />}
        <ActionIcon
          size={24}
          variant="subtle"
          aria-label={texts.close}
          title={texts.close}
          onClick={() => store.getState().togglePane('drawer')}
        >
          <IconChevronDown size={16} stroke={1.75} aria-hidden />
        </ActionIcon>
      </div>
      <Tabs.Panel value="issues">
        <IssuesTab workspaceId={workspaceId} here={here} />
      </Tabs.Panel>
      <Tabs.Panel value="changes">
        <ChangesTab workspaceId={workspaceId} />
      </Tabs.Panel>
      <Tabs.Panel value="sync">
        <SyncTab account={account} />
      </Tabs.Panel>
      <Tabs.Panel value="history">
        <HistoryTab workspaceId={workspaceId} />
      </Tabs.Panel>
    </Tabs>
  );
}
