import type { Found } from '../../../renderer/data/finding-questions.ts';
import { ChangesTab } from '../../../renderer/screens/drawer/ChangesTab.tsx';
import { CheckStrip } from '../../../renderer/screens/drawer/CheckStrip.tsx';
import { Drawer } from '../../../renderer/screens/drawer/Drawer.tsx';
import { FindingLine } from '../../../renderer/screens/drawer/FindingLine.tsx';
import { FindingsByRule } from '../../../renderer/screens/drawer/FindingsByRule.tsx';
import { FindingsBySeverity } from '../../../renderer/screens/drawer/FindingsBySeverity.tsx';
import { FindingsTab } from '../../../renderer/screens/drawer/FindingsTab.tsx';
import { HistoryTab } from '../../../renderer/screens/drawer/HistoryTab.tsx';
import { FixAll, Mute } from '../../../renderer/screens/drawer/KindActions.tsx';
import { SyncTab } from '../../../renderer/screens/drawer/SyncTab.tsx';
import { StepDialog } from '../../../renderer/screens/history/StepDialog.tsx';
import { asRowId } from '../../../shared/model/scalars.ts';
import { never, os } from './answers.ts';
import { ACCOUNT, NOON, WORKSPACE } from './examples.ts';
import { each, type Part } from './part.ts';
import { staged } from './Stage.tsx';

const TABS = { findings: true, changes: true, sync: true, history: true } as const;
const inWorkspace = { workspaceId: WORKSPACE };
const stagesAt = (service: number | null) =>
  os.rules.check.handler(() => ({
    stages: [
      { stage: 'row', rules: 120, at: NOON },
      { stage: 'across', rules: 45, at: NOON },
      { stage: 'service', rules: 34, at: service },
    ],
  }));
const STAGES_RUN = { rules: { check: stagesAt(NOON) } };
const NEVER_READ = { rules: { check: stagesAt(null), muted: os.rules.muted.handler(() => ['sba.headline-capitals']) } };
const away = { workspaceId: 'gone' };

const NO_LANES = { ready: 0, queued: 0, 'after-review': 0, blocked: 0, held: 0 };

const nothing = {
  workspace: {
    findings: os.workspace.findings.handler(() => ({
      total: 0,
      counts: { error: 0, warning: 0, advice: 0 },
      rules: [],
      findings: [],
    })),
    changes: os.workspace.changes.handler(() => ({ total: 0, lanes: NO_LANES, changes: [] })),
    history: os.workspace.history.handler(() => ({ total: 0, steps: [] })),
  },
};
const reading = {
  workspace: {
    findings: os.workspace.findings.handler(never),
    changes: os.workspace.changes.handler(never),
    history: os.workspace.history.handler(never),
  },
};
const failing = {
  workspace: {
    findings: os.workspace.findings.handler(({ errors }) => {
      throw errors.NO_WORKSPACE({ data: away });
    }),
    changes: os.workspace.changes.handler(({ errors }) => {
      throw errors.NO_WORKSPACE({ data: away });
    }),
    history: os.workspace.history.handler(({ errors }) => {
      throw errors.NO_WORKSPACE({ data: away });
    }),
  },
};

const place = { kind: 'keyword', id: asRowId(7), campaignId: asRowId(2), campaignName: 'Kettles' } as const;
const bid = { ...place, label: 'kettle 1', what: 'field', field: 'bid', before: 150, after: 165 } as const;
const ready = { held: false, lane: 'ready' } as const;
const whole = { field: null, before: null, after: null } as const;
const CHANGES = {
  workspace: {
    changes: os.workspace.changes.handler(() => ({
      total: 6,
      lanes: { ready: 2, queued: 1, 'after-review': 1, blocked: 1, held: 1 },
      changes: [
        { ...bid, ...ready },
        { ...bid, label: 'kettle 2', held: true, lane: 'held' },
        { ...bid, label: 'kettle 3', ...ready, lane: 'queued' },
        { ...bid, label: 'kettle 4', ...ready, lane: 'blocked' },
        { ...place, label: 'steel kettle', what: 'new', ...whole, ...ready },
        { ...place, label: 'tea pot', what: 'deleted', ...whole, ...ready, lane: 'after-review' },
      ],
    })),
  },
};
const KINDS_OF_FINDINGS = {
  workspace: {
    findings: os.workspace.findings.handler(() => ({
      total: 0,
      counts: { error: 2, warning: 14, advice: 1 },
      rules: [
        { rule: 'keyword.bid-required', severity: 'error', found: 2, fixable: 0 },
        { rule: 'keyword.text-blanks', severity: 'warning', found: 13, fixable: 11 },
        { rule: 'user.own', severity: 'warning', found: 1, fixable: 0 },
        { rule: 'campaign.name-blanks', severity: 'advice', found: 1, fixable: 1 },
      ],
      findings: [],
    })),
  },
};
const step = { rows: 12, source: 'user', who: 'ada', at: NOON } as const;
const STEPS = {
  workspace: {
    history: os.workspace.history.handler(() => ({
      total: 2,
      steps: [
        { ...step, id: 2, previous: 1, label: 'Calculate bids: +10%', undone: true },
        { ...step, id: 1, previous: 0, label: 'Import campaigns.csv', undone: false },
      ],
    })),
  },
};

const entry = {
  ...place,
  ...{ stepId: 2, step: 'Calculate bids: +10%', source: 'user', who: 'ada', at: NOON, undone: false },
};
const LOG = {
  history: {
    log: os.history.log.handler(() => ({
      total: 2,
      entries: [
        { ...entry, label: 'kettle 1', what: 'field', field: 'bid', before: 150, after: 165 },
        { ...entry, label: 'steel kettle', what: 'made', field: null, before: null, after: null },
      ],
    })),
  },
};
const stepDialog = (
  <StepDialog {...inWorkspace} step={{ id: 2, previous: 1, label: 'Calculate bids: +10%', who: 'ada', at: NOON }} />
);

const MENDS = { mendable: { field: 'bid', value: 150 }, 'with no single way out': null } as const;
const SEVERITIES = { error: true, warning: true, advice: true } as const;
const found = (fix: Found['fix']): Found => ({
  ...place,
  ...{ rule: 'keyword.bid-floor-video', severity: 'warning', field: 'bid', label: 'kettle 1' },
  ...{ params: { label: 'kettle 1', bid: 20, floor: 150 }, fix },
});

const AllBySeverity = () => <FindingsBySeverity {...inWorkspace} campaignId={null} />;
const AllByRule = () => <FindingsByRule {...inWorkspace} campaignId={null} />;
const tab = (Tab: typeof FindingsTab) => <Tab {...inWorkspace} />;
const lists = (Tab: typeof FindingsTab, some: Parameters<typeof staged>[0]) => ({
  some: staged(some, tab(Tab)),
  none: staged({ answers: nothing }, tab(Tab)),
  reading: staged({ answers: reading }, tab(Tab)),
  failed: staged({ answers: failing }, tab(Tab)),
});

/** What stands under the rows. */
export const DRAWER_PARTS: readonly Part[] = [
  {
    name: 'Drawer',
    states: each(TABS, (name) =>
      staged({ arrange: (s) => s.showTab(name) }, <Drawer {...inWorkspace} account={ACCOUNT} />),
    ),
  },
  { name: 'FindingsTab', states: lists(FindingsTab, { arrange: (s) => s.goTo({ kind: 'keyword', campaignId: 1 }) }) },
  { name: 'FindingsBySeverity', states: lists(AllBySeverity, {}) },
  {
    name: 'FindingsByRule',
    states: { ...lists(AllByRule, {}), 'of every severity': staged({ answers: KINDS_OF_FINDINGS }, tab(AllByRule)) },
  },
  {
    name: 'FindingLine',
    states: {
      ...each(MENDS, (name) => staged({}, <FindingLine finding={found(MENDS[name])} />)),
      'below its rule': staged({}, <FindingLine isGrouped finding={found(MENDS.mendable)} />),
      'not arrived': staged({}, <FindingLine finding={undefined} />),
    },
  },
  {
    name: 'FixAll',
    states: { 'at rest': staged({}, <FixAll rule="keyword.text-blanks" campaignId={null} name="Fix all 12" />) },
  },
  {
    name: 'Mute',
    states: each(SEVERITIES, (severity) =>
      staged({}, <Mute rule="keyword.text-blanks" severity={severity} text="…" />),
    ),
  },
  {
    name: 'CheckStrip',
    states: {
      checked: staged({ answers: STAGES_RUN }, <CheckStrip {...inWorkspace} />),
      'never read, some muted': staged({ answers: NEVER_READ }, <CheckStrip {...inWorkspace} />),
    },
  },
  { name: 'ChangesTab', states: lists(ChangesTab, { answers: CHANGES }) },
  { name: 'HistoryTab', states: lists(HistoryTab, { answers: STEPS }) },
  {
    name: 'StepDialog',
    isWide: true,
    states: {
      some: staged({ answers: LOG }, stepDialog),
      none: staged({}, stepDialog),
      reading: staged({ answers: { history: { log: os.history.log.handler(never) } } }, stepDialog),
    },
  },
  { name: 'SyncTab', states: { 'never sent': staged({}, <SyncTab account={ACCOUNT} />) } },
];
