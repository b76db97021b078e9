import { Tabs } from '@mantine/core';
import type { Account } from '../../../shared/contract/accounts.ts';
import { useAppContext, useView } from '../../app/desk.ts';
import { summary } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { countText } from '../../messages/numbers.ts';
import type { DrawerTab } from '../../store/pane-slice.ts';
import { lazyComponent } from '../../ui/later.tsx';
import { FindingsTab } from './FindingsTab.tsx';

/** Findings are what the drawer begins with; the other tabs come when they are first opened. */
const ChangesTab = lazyComponent(async () => (await import('./ChangesTab.tsx')).ChangesTab);
const SyncTab = lazyComponent(async () => (await import('./SyncTab.tsx')).SyncTab);
const HistoryTab = lazyComponent(async () => (await import('./HistoryTab.tsx')).HistoryTab);

const TABS: readonly DrawerTab[] = ['findings', 'changes', 'sync', 'history'];
const isTab = (value: string | null): value is DrawerTab => TABS.some((tab) => tab === value);

/** The lower panel: what is wrong, what differs, what was sent, what was done. */
export function Drawer({ workspaceId, account }: { readonly workspaceId: string; readonly account: Account }) {
  const { store } = useAppContext();
  const tab = useView((s) => s.drawerTab);
  const figures = useQuery(summary(workspaceId)).data;
  const counts: Readonly<Record<DrawerTab, number>> = {
    findings: (figures?.findings.error ?? 0) + (figures?.findings.warning ?? 0) + (figures?.findings.advice ?? 0),
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
      className="drawer-tabs"
    >
      <Tabs.List>
        {TABS.map((each) => (
          <Tabs.Tab
            key={each}
            value={each}
            rightSection={counts[each] > 0 && <span className="badge">{countText(counts[each])}</span>}
          >
            {en.drawer[each]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="findings">
        <FindingsTab workspaceId={workspaceId} />
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
