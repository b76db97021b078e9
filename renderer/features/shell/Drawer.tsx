import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account } from '../../../shared/api/accounts.ts';
import type { Severity } from '../../../shared/rules/rule.ts';
import { useApi, useAppContext, useView } from '../../app/app-context.ts';
import { countText, plural, timeText } from '../../app/locale/numbers.ts';
import { Waiting } from '../../app/Problem.tsx';
import { usePages } from '../../app/pages.ts';
import type { DrawerTab } from '../../app/store/layout-slice.ts';
import { appTexts } from '../../app/texts.ts';
import { Chip } from '../../components/Chip.tsx';
import { ChipChoice } from '../../components/ChipChoice.tsx';
import { Empty } from '../../components/Empty.tsx';
import { lazyComponent } from '../../components/lazy-component.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { useNow } from '../../components/use-now.ts';
import { VirtualList } from '../../components/VirtualList.tsx';
import { FindingLine, FindingsByRule, SEVERITY_SIGNS } from '../issues/FindingsByRule.tsx';
import styles from './shell.module.css';

const texts = {
  scopeAll: 'All campaigns',
  scopeHere: 'This campaign',
  scope: 'Show issues in',
  label: 'Last checks',
  stages: { row: 'Single rows', across: 'Across rows', service: 'Against the service' },
  rules: (n: number) => plural(n, 'rule'),
  never: 'not checked yet',
  asOf: (time: string) => `as of ${time}`,
  run: 'Check now',
  runText: 'Runs all remaining checks and reads what they need from the service.',
  byRule: 'Group by rule',
  byRuleText: 'Groups issues by rule, with a count and one button to fix them all.',
  muted: (n: number) => `${plural(n, 'rule')} muted`,
  unmute: (rule: string) => `Unmute: ${rule}`,
} as const;

/** Findings are what the drawer begins with; the other tabs come when they are first opened. */
const ChangesTab = lazyComponent(async () => (await import('../sync/ChangesTab.tsx')).ChangesTab);
const SyncTab = lazyComponent(async () => (await import('../sync/SyncTab.tsx')).SyncTab);
const HistoryTab = lazyComponent(async () => (await import('../history/HistoryTab.tsx')).HistoryTab);

const TABS: readonly DrawerTab[] = ['findings', 'changes', 'sync', 'history'];
const isTab = (value: string | null): value is DrawerTab => TABS.some((tab) => tab === value);

/** The lower panel: what is wrong, what differs, what was sent, what was done. */
export function Drawer({ workspaceId, account }: { readonly workspaceId: string; readonly account: Account }) {
  const { store } = useAppContext();
  const tab = useView((s) => s.drawerTab);
  const figures = useQuery(useApi().workspace.summary.queryOptions({ input: { workspaceId } })).data;
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
      className={ui['drawer-tabs']}
    >
      <Tabs.List>
        {TABS.map((each) => (
          <Tabs.Tab
            key={each}
            value={each}
            rightSection={counts[each] > 0 && <span className={ui['badge']}>{countText(counts[each])}</span>}
          >
            {appTexts.drawer[each]}
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

/** What the rules say: of the account or the open campaign, by how grave it is or by what finds it. */
function FindingsTab({ workspaceId }: { readonly workspaceId: string }) {
  const { store } = useAppContext();
  const open = useView((s) => s.campaignId);
  const by = useView((s) => s.findingsBy);
  const [here, setHere] = useState(false);
  const campaignId = here ? open : null;
  return (
    <div className={ui['drawer-body']}>
      <div className={ui['drawer-bar']}>
        {open !== null && (
          <ChipChoice
            label={texts.scope}
            choices={[
              { value: false, name: texts.scopeAll },
              { value: true, name: texts.scopeHere },
            ]}
            chosen={here}
            onChoose={setHere}
          />
        )}
        <Chip
          aria-pressed={by === 'rule'}
          title={texts.byRuleText}
          onClick={() => store.getState().groupFindings(by === 'rule' ? 'severity' : 'rule')}
        >
          {texts.byRule}
        </Chip>
        <CheckStrip workspaceId={workspaceId} />
      </div>
      {by === 'severity' ? (
        <FindingsBySeverity workspaceId={workspaceId} campaignId={campaignId} />
      ) : (
        <FindingsByRule key={`${workspaceId} ${campaignId}`} workspaceId={workspaceId} campaignId={campaignId} />
      )}
    </div>
  );
}

/** Which of the three stages of the check ran when, the check itself, and the rules that are silent. */
function CheckStrip({ workspaceId }: { readonly workspaceId: string }) {
  const api = useApi();
  const { actions } = useAppContext();
  const now = useNow();
  const [isBusy, during] = useBusy();
  const [isOpen, setOpen] = useState(false);
  const stages = useQuery(api.rules.check.queryOptions({ input: { workspaceId } })).data?.stages ?? [];
  const muted = useQuery(api.rules.muted.queryOptions({ input: { workspaceId } })).data ?? [];
  const check = async (): Promise<void> => {
    await during(actions.check());
  };
  return (
    <>
      <ul className={styles['check-stages']} aria-label={texts.label}>
        {stages.map(({ stage, rules, at }) => (
          <li key={stage} title={texts.rules(rules)}>
            <span aria-hidden="true">{at === null ? '○' : '✓'}</span> {texts.stages[stage]}{' '}
            <span className={ui['quiet']}>{at === null ? texts.never : texts.asOf(timeText(at, now))}</span>
          </li>
        ))}
      </ul>
      <Chip title={texts.runText} disabled={isBusy} onClick={() => void check()}>
        {texts.run}
      </Chip>
      {muted.length > 0 && (
        <Chip aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {texts.muted(muted.length)}
        </Chip>
      )}
      {isOpen &&
        muted.map((rule) => (
          <Chip key={rule} onClick={() => void actions.muteRule(rule, false)}>
            {texts.unmute(rule)}
          </Chip>
        ))}
    </>
  );
}

interface FindingsListProps {
  readonly workspaceId: string;
  /** Only of this campaign; null for the whole account. */
  readonly campaignId: number | null;
}

/** All findings, gravest first, however many there are. */
function FindingsBySeverity({ workspaceId, campaignId }: FindingsListProps) {
  const api = useApi();
  const list = usePages(
    (from, count) =>
      api.workspace.findings.queryOptions({ input: { workspaceId, from, count, campaignId, rule: null } }),
    ({ findings }) => findings,
  );
  const { newest } = list;
  if (newest === undefined) return <Waiting error={list.error} />;
  if (newest.total === 0) return <Empty title={appTexts.drawer.noFindings} text={appTexts.drawer.noFindingsText} />;
  const { counts } = newest;
  return (
    <VirtualList
      count={newest.total + groupsOf(counts).length}
      label={appTexts.drawer.findings}
      resetOn={String(campaignId)}
      onWant={(from, to) => list.want(from - SEVERITY_SIGNS.length, to)}
      line={(index) => {
        const place = placeOf(counts, index);
        return typeof place === 'number' ? <FindingLine finding={list.at(place)} /> : <Title {...place} />;
      }}
    />
  );
}

type Group = (typeof SEVERITY_SIGNS)[number];

function Title({ group, count }: { readonly group: Group; readonly count: number }) {
  return (
    <h2 className={`${ui['group-title']} ${ui[`note-${group.severity}`]}`}>
      <span aria-hidden="true">{group.sign}</span> {group.name} <span className={ui['badge']}>{countText(count)}</span>
    </h2>
  );
}

type FindingCounts = Readonly<Record<Severity, number>>;

const groupsOf = (counts: FindingCounts): readonly Group[] =>
  SEVERITY_SIGNS.filter(({ severity }) => counts[severity] > 0);

/** What stands in a line: the title of a group with its count, or the finding at a place of the list. */
function placeOf(counts: FindingCounts, index: number): { readonly group: Group; readonly count: number } | number {
  let line = index;
  let before = 0;
  for (const group of groupsOf(counts)) {
    const count = counts[group.severity];
    if (line === 0) return { group, count };
    if (line <= count) return before + line - 1;
    line -= count + 1;
    before += count;
  }
  return before;
}
