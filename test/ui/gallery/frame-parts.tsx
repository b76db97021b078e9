import type { ReactNode } from 'react';
import { Confirm } from '../../../renderer/screens/frame/Confirm.tsx';
import { DeskScreen } from '../../../renderer/screens/frame/DeskScreen.tsx';
import { GridMenu } from '../../../renderer/screens/frame/GridMenu.tsx';
import { NameDialog } from '../../../renderer/screens/frame/NameDialog.tsx';
import { NewsButton } from '../../../renderer/screens/frame/NewsButton.tsx';
import { PaneHandle } from '../../../renderer/screens/frame/PaneHandle.tsx';
import { QuietHours } from '../../../renderer/screens/frame/QuietHours.tsx';
import { RowCount } from '../../../renderer/screens/frame/RowCount.tsx';
import { RowsScreen } from '../../../renderer/screens/frame/RowsScreen.tsx';
import { SelectionSize } from '../../../renderer/screens/frame/SelectionSize.tsx';
import { ServiceStanding } from '../../../renderer/screens/frame/ServiceStanding.tsx';
import { StatusBar } from '../../../renderer/screens/frame/StatusBar.tsx';
import { Toolbar } from '../../../renderer/screens/frame/Toolbar.tsx';
import { ViewBar } from '../../../renderer/screens/frame/ViewBar.tsx';
import { ViewsMenu } from '../../../renderer/screens/frame/ViewsMenu.tsx';
import { WaitingForNetwork } from '../../../renderer/screens/frame/WaitingForNetwork.tsx';
import { WorkSign } from '../../../renderer/screens/frame/WorkSign.tsx';
import { ViewsDialog } from '../../../renderer/screens/views/ViewsDialog.tsx';
import type { Preferences } from '../../../shared/contract/app.ts';
import type { SavedView } from '../../../shared/contract/views.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { never, os } from './answers.ts';
import { ACCOUNT, NOON, rowsOf, WORKSPACE } from './examples.ts';
import { each, type Part } from './part.ts';
import { staged, Viewed } from './Stage.tsx';

const nothing = () => {};
const PLACES = { rows: nothing, reports: 'openReports', launch: 'openLaunch' } as const;
const keywords = (part: (view: Parameters<Parameters<typeof Viewed>[0]['children']>[0]) => ReactNode) => (
  <Viewed request={{ kind: 'keyword' }}>{part}</Viewed>
);

const news: Parameters<typeof staged>[0]['arrange'] = (s) => {
  const entry = { at: NOON, workspaceId: WORKSPACE, place: null };
  s.noteNews({ ...entry, tone: 'plain', text: 'kettle-spot.mp4 is being processed.' });
  s.noteNews({ ...entry, tone: 'bad', text: 'The review of Kettles was rejected.' });
  s.noteNews({ ...entry, tone: 'good', text: 'Kitchen roll is live.' });
};

const view: SavedView = {
  id: 1,
  name: 'Dear keywords',
  view: { kind: 'keyword', campaignId: null, filter: 'bid>1.70', only: 'all', sort: [] },
  layout: {},
};
const views = { views: { saved: os.views.saved.handler(() => [view]) } };

const FIGURES = {
  revision: 9,
  changed: 12,
  held: 2,
  conflicts: 1,
  questions: 1,
  findings: { error: 3, warning: 2, advice: 0 },
  undo: 'Edit bid',
  redo: null,
  lastRefreshAt: NOON,
};
const rows: Readonly<Record<Kind, number>> = {
  campaign: 4,
  adGroup: 4,
  adItem: 16,
  keyword: 12,
  sbaProfile: 1,
  videoProfile: 1,
  placementMultiplier: 0,
  platformMultiplier: 0,
  media: 3,
};
const busy = { workspace: { summary: os.workspace.summary.handler(() => ({ ...FIGURES, rows })) } };
const standing = (part: object) => ({
  standing: {
    get: os.standing.get.handler(() => ({
      budgetLeft: 2998,
      budgetPerHour: 3000,
      nextPollAt: NOON,
      reachable: true,
      limitedUntil: null,
      lowSpaceBytes: null,
      ...part,
    })),
  },
});
const service = (practice: boolean) => <ServiceStanding workspaceId={WORKSPACE} practice={practice} />;
const status = <StatusBar account={ACCOUNT} view={null} />;
const menu = (of: 'cells' | 'column') => (
  <div style={{ height: 420 }}>{staged({ arrange: (s) => s.openMenu({ of, x: 8, y: 8 }) }, <GridMenu />)}</div>
);
const desk = (
  <div style={{ height: 640, display: 'flex' }}>
    <DeskScreen account={ACCOUNT} />
  </div>
);
const screen = (
  <div className="desk-middle" style={{ height: 320 }}>
    <RowsScreen workspaceId={WORKSPACE} onView={nothing} />
  </div>
);

const BY_NIGHT: Preferences = {
  colorScheme: 'system',
  lastWorkspaceId: null,
  locale: null,
  quietHours: { from: '20:00', to: '07:00' },
  layout: {},
};

/** The frame around the rows, and the small questions it asks. */
export const FRAME_PARTS: readonly Part[] = [
  {
    name: 'DeskScreen',
    isWide: true,
    states: each(PLACES, (place) =>
      staged(
        {
          arrange: (s) => {
            if (place === 'reports') s.openReports();
            if (place === 'launch') s.openLaunch();
          },
        },
        desk,
      ),
    ),
  },
  {
    name: 'RowsScreen',
    isWide: true,
    states: {
      rows: staged({}, screen),
      'nothing matches': staged({ arrange: (s) => s.setFilter('no such text') }, screen),
      'nothing there': staged({ arrange: (s) => s.goTo({ kind: 'placementMultiplier', campaignId: null }) }, screen),
      reading: staged({ answers: { workspace: { openView: os.workspace.openView.handler(never) } } }, screen),
      matrix: staged(
        {
          arrange: (s) => {
            s.goTo({ kind: 'keyword', campaignId: rowsOf('keyword')[0]?.campaignId ?? null });
            s.showMatrix(true);
          },
        },
        screen,
      ),
    },
  },
  {
    name: 'Toolbar',
    isWide: true,
    states: {
      practice: staged({}, <Toolbar account={{ ...ACCOUNT, practice: true }} />),
      'much to do': staged({ answers: busy }, <Toolbar account={ACCOUNT} />),
    },
  },
  {
    name: 'ViewBar',
    isWide: true,
    states: {
      'no view': staged({}, <ViewBar workspaceId={WORKSPACE} view={null} />),
      view: staged(
        {},
        keywords((open) => <ViewBar workspaceId={WORKSPACE} view={open} />),
      ),
      narrowed: staged(
        {
          arrange: (s) => {
            s.setFilter('kettle');
            s.setOnly('errors');
          },
        },
        keywords((open) => <ViewBar workspaceId={WORKSPACE} view={open} />),
      ),
    },
  },
  {
    name: 'ViewsDialog',
    isWide: true,
    states: { 'before a file': staged({ answers: views }, <ViewsDialog workspaceId={WORKSPACE} />) },
  },
  {
    name: 'ViewsMenu',
    states: {
      closed: staged({}, <ViewsMenu workspaceId={WORKSPACE} />),
      none: staged({ press: ['Saved views'] }, <ViewsMenu workspaceId={WORKSPACE} />),
      some: staged({ answers: views, press: ['Saved views'] }, <ViewsMenu workspaceId={WORKSPACE} />),
    },
  },
  {
    name: 'StatusBar',
    isWide: true,
    states: { quiet: staged({}, status), 'much to do': staged({ answers: busy }, status) },
  },
  {
    name: 'ServiceStanding',
    isWide: true,
    states: {
      practice: staged({}, service(true)),
      'next look is known': staged({ answers: standing({}) }, service(false)),
      'service does not answer': staged({ answers: standing({ reachable: false }) }, service(false)),
      'disk nearly full': staged({ answers: standing({ lowSpaceBytes: 300 * 2 ** 20 }) }, service(false)),
      'used up': staged({ answers: standing({ budgetLeft: 0, nextPollAt: null }) }, service(false)),
    },
  },
  {
    name: 'WaitingForNetwork',
    states: {
      'service does not answer': staged(
        {
          answers: {
            ...standing({ reachable: false }),
            accounts: { list: os.accounts.list.handler(() => [{ ...ACCOUNT, practice: false }]) },
          },
        },
        <WaitingForNetwork />,
      ),
      'practice waits for nothing': staged({}, <WaitingForNetwork />),
    },
  },
  {
    name: 'SelectionSize',
    states: {
      'one cell': staged(
        {},
        keywords((open) => <SelectionSize view={open} />),
      ),
      rows: staged(
        { arrange: (s) => s.selectRows(0, 5) },
        keywords((open) => <SelectionSize view={open} />),
      ),
    },
  },
  {
    name: 'RowCount',
    states: {
      none: <RowCount view={null} />,
      some: staged(
        {},
        keywords((open) => <RowCount view={open} />),
      ),
    },
  },
  { name: 'GridMenu', states: { cells: menu('cells'), column: menu('column') } },
  {
    name: 'NewsButton',
    isWide: true,
    states: {
      'nothing new': staged({}, <NewsButton />),
      unread: staged({ arrange: news }, <NewsButton />),
      'open, empty': staged({ press: ['What happened'] }, <NewsButton />),
      open: staged({ arrange: news, press: ['What happened'] }, <NewsButton />),
    },
  },
  {
    name: 'WorkSign',
    states: {
      importing: staged(
        {
          arrange: ({ noteTask }) => {
            const work = {
              type: 'task.progress',
              workspaceId: ACCOUNT.workspaceId,
              share: 0.4,
              canCancel: true,
              rows: null,
              isOver: false,
            } as const;
            noteTask({ ...work, taskId: 'a', task: 'import' });
            noteTask({ ...work, taskId: 'b', task: 'export' });
          },
        },
        <WorkSign workspaceId={WORKSPACE} />,
      ),
    },
  },
  {
    name: 'QuietHours',
    states: {
      none: staged({}, <QuietHours />),
      'by night': staged(
        { answers: { app: { preferences: { get: os.app.preferences.get.handler(() => BY_NIGHT) } } } },
        <QuietHours />,
      ),
    },
  },
  {
    name: 'PaneHandle',
    states: {
      beside: staged({}, <PaneHandle pane="navigation" grows="right" />),
      below: staged({}, <PaneHandle pane="drawer" grows="up" />),
    },
  },
  {
    name: 'Confirm',
    isWide: true,
    states: {
      question: staged(
        {},
        <Confirm
          title="Delete 3 rows?"
          text="They go with the next sync."
          keep="Keep them"
          button="Delete"
          run={nothing}
        />,
      ),
    },
  },
  {
    name: 'NameDialog',
    isWide: true,
    states: {
      empty: staged(
        {},
        <NameDialog title="Save this view" label="Name" hint="" value="" button="Save" run={nothing} />,
      ),
      filled: staged(
        {},
        <NameDialog title="Save this view" label="Name" hint="" value="Dear" button="Save" run={nothing} />,
      ),
    },
  },
];
