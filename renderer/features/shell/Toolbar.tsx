import { ActionIcon, Button, Kbd, Menu, Popover, SegmentedControl } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconChevronDown,
  IconDeviceDesktop,
  IconLayoutBottombar,
  IconLayoutSidebar,
  IconLayoutSidebarRight,
  IconMinus,
  IconMoon,
  IconPhoto,
  IconPlus,
  IconSearch,
  IconSun,
  IconThermometer,
  IconTrafficLights,
  IconZoomIn,
  type TablerIcon,
} from '@tabler/icons-react';
import { skipToken, useQueries, useQuery } from '@tanstack/react-query';
import { memo, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Account } from '../../../shared/api/accounts.ts';
import { campaignParts } from '../../../shared/model/campaign-tree.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { useApi, useAppContext, useView, useViewOf } from '../../app/app-context.ts';
import { type CommandId, commandOf } from '../../app/commands.ts';
import { KIND_NAMES } from '../../app/field-names.ts';
import { countText, plural } from '../../app/locale/numbers.ts';
import { textOf } from '../../app/row-cells.ts';
import type { SettingsSection } from '../../app/settings-list.ts';
import { rowsOf, useReadOnly, useRow } from '../../app/shared-queries.ts';
import { DENSITY_NAMES } from '../../app/store/grid-slice.ts';
import type { Pane } from '../../app/store/layout-slice.ts';
import { PLACE_NAMES, type Place } from '../../app/store/navigation-slice.ts';
import { useCommandContext, useKeys } from '../../app/use-shortcuts.ts';
import { Tab, TabList } from '../../components/TabList.tsx';
import { groupingOf } from '../../grid/columns.ts';
import { wholeList } from '../../grid/window.ts';
import styles from './shell.module.css';

const texts = {
  toolbar: 'Main toolbar',
  tabs: 'Kinds of rows',
  search: 'Search or run…',
  undo: 'Undo',
  redo: 'Redo',
  view: 'View',
  show: 'Show',
  panes: {
    navigation: 'Sidebar',
    inspector: 'Details and tools',
    drawer: 'Issues, changes, history',
  } satisfies Record<Pane, string>,
  rows: 'Rows',
  density: { compact: 'Compact', regular: 'Regular', roomy: 'Roomy' },
  itemPictures: 'Item pictures',
  metricColors: 'Color metrics',
  impactLens: 'Impact of edits',
  colors: 'Colors',
  size: 'Size',
  larger: 'Zoom in',
  smaller: 'Zoom out',
  themes: { 'theme.system': 'System', 'theme.light': 'Light', 'theme.dark': 'Dark' },
  sync: (n: number) => `Sync ${plural(n, 'change')}`,
  notIncluded: (n: number) => `${countText(n)} not included: the sync plan has the reasons`,
  syncPlan: 'Sync plan',
  upToDate: 'Up to date',
  sending: (done: number, all: number) => (all === 0 ? 'Sending…' : `Sending ${countText(done)} of ${countText(all)}`),
  more: 'More ways to sync',
  /** Shorter than in sentences, to fit beside each other. */
  kind: {
    adItem: 'Items',
    media: 'Media library',
    placementMultiplier: 'Placement',
    platformMultiplier: 'Platform',
  } as Readonly<Partial<Record<Kind, string>>>,
} as const;

/** Pages that have their own title next to their buttons. */
const OWN_TITLE: ReadonlySet<Place> = new Set<Place>(['rows', 'new-campaign', 'add-rows']);

/** Places with their own primary button; the sync button is outlined there. */
const OWN_PRIMARY: ReadonlySet<Place> = new Set<Place>([
  'sync',
  'new-campaign',
  'add-rows',
  'inbox',
  'suggestions',
  'reports',
  'compare',
  'time-machine',
  'video',
]);
const SECTION_PRIMARY: ReadonlySet<SettingsSection> = new Set(['rules', 'team', 'data-safety']);

/** The title or tabs of the screen, the palette, undo, the view menu, and sync. */
export const Toolbar = memo(function Toolbar({ account }: { readonly account: Account }) {
  const { workspaceId } = account;
  const place = useView((s) => s.place);
  const isInSection = useView((s) => s.place === 'settings' && SECTION_PRIMARY.has(s.settings.section));
  const isToolOpen = useView((s) => s.place === 'rows' && !s.hidden.inspector && s.paneTab !== 'details');
  const figures = useQuery(useApi().workspace.summary.queryOptions({ input: { workspaceId } })).data;
  return (
    <section className={styles['toolbar']} data-pane aria-label={texts.toolbar}>
      {place === 'rows' ? (
        <KindTabs workspaceId={workspaceId} />
      ) : (
        <strong className={styles['page-title']}>{OWN_TITLE.has(place) ? '' : PLACE_NAMES[place]}</strong>
      )}
      <span className={styles['toolbar-gap']} />
      <SearchButton />
      <StepButton id="edit.undo" icon={IconArrowBackUp} word={texts.undo} step={figures?.undo ?? null} />
      {figures !== undefined && figures.redo !== null && (
        <StepButton id="edit.redo" icon={IconArrowForwardUp} word={texts.redo} step={figures.redo} />
      )}
      <ViewMenu />
      <SyncButton account={account} outlined={isToolOpen || isInSection || OWN_PRIMARY.has(place)} />
    </section>
  );
});

const CAMPAIGN_TABS: readonly Kind[] = ['campaign', 'adItem', 'keyword', 'adGroup'];
const OTHER_TABS: readonly (readonly Kind[])[] = [
  ['sbaProfile', 'videoProfile', 'media'],
  ['placementMultiplier', 'platformMultiplier'],
];

/** Tabs for the kinds of rows of the selected place. A campaign also has tabs for its creatives and multipliers. */
function KindTabs({ workspaceId }: { readonly workspaceId: string }) {
  const { store, prefetchedView } = useAppContext();
  const api = useApi();
  const { kind, campaignId } = useViewOf((s) => ({ kind: s.kind, campaignId: s.campaignId }));
  const all = useQuery(api.workspace.summary.queryOptions({ input: { workspaceId } })).data;
  const campaign = useRow(workspaceId, campaignId === null ? null : { kind: 'campaign', id: campaignId })?.row;
  const parts =
    campaignId === null
      ? []
      : campaignParts(campaign === undefined ? '' : textOf('campaign', campaign, 'campaignType'));
  const extra = parts.filter((part) => !CAMPAIGN_TABS.includes(part));
  const group = OTHER_TABS.find((kinds) => kinds.includes(kind));
  const tabs = campaignId === null ? (group ?? CAMPAIGN_TABS) : [...CAMPAIGN_TABS, ...extra];
  const own = campaignId === null ? [] : tabs.slice(1);
  const counts = useQueries({ queries: own.map((part) => rowsOf(api, workspaceId, { kind: part, campaignId }, 0)) });
  const countOf = (each: Kind): number | undefined => {
    if (campaignId === null) return each === 'media' ? all?.files : all?.rows[each];
    return each === 'campaign' ? 1 : counts[own.indexOf(each)]?.data?.total;
  };
  const list = useRef<HTMLDivElement>(null);
  // The tab may be out of view if it was selected elsewhere or the window became narrower.
  useEffect(() => {
    const show = (): void =>
      list.current?.querySelector(`[data-kind="${kind}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    show();
    window.addEventListener('resize', show);
    return () => window.removeEventListener('resize', show);
  }, [kind]);
  return (
    <TabList ref={list} label={texts.tabs} className={styles['tabs']}>
      {tabs.map((each) => {
        const count = countOf(each);
        return (
          <Tab
            key={each}
            data-kind={each}
            isOpen={each === kind}
            className={styles['tab']}
            onPointerDown={() =>
              prefetchedView.prepare(
                workspaceId,
                wholeList(each, campaignId, groupingOf(each, campaignId, store.getState().groupBy)),
              )
            }
            onClick={() => store.getState().goTo({ kind: each, campaignId })}
          >
            {texts.kind[each] ?? KIND_NAMES[each].many}
            {count !== undefined && <span className={styles['tab-count']}>{countText(count)}</span>}
          </Tab>
        );
      })}
    </TabList>
  );
}

function SearchButton() {
  const context = useCommandContext();
  const keys = useKeys('app.palette');
  return (
    <button type="button" className={styles['search']} onClick={() => commandOf('app.palette').run(context)}>
      <IconSearch size={16} stroke={1.75} aria-hidden="true" />
      <span>{texts.search}</span>
      {keys !== null && <kbd>{keys}</kbd>}
    </button>
  );
}

interface StepButtonProps {
  readonly id: CommandId;
  readonly icon: TablerIcon;
  readonly word: string;
  /** The step that is undone or redone; null when there is none. */
  readonly step: string | null;
}

/** The name of a step after "Undo": its first letter in lower case, names inside unchanged. */
const startedLow = (step: string): string => step.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase());

function StepButton({ id, icon: Icon, word, step }: StepButtonProps) {
  const context = useCommandContext();
  const keys = useKeys(id);
  const name = step === null ? word : `${word}: ${step}`;
  return (
    <button
      type="button"
      className={`${styles['tool']} ${styles['step']}`}
      aria-label={name}
      title={keys === null ? name : `${name} (${keys})`}
      disabled={step === null}
      onClick={() => commandOf(id).run(context)}
    >
      <Icon size={16} stroke={1.75} aria-hidden="true" />
      <span className={styles['tool-word']}>{word}</span>
      {/* Rendered by CSS: the button's label has the name already. Redo leaves the space to it. */}
      {step !== null && id === 'edit.undo' && (
        <span className={styles['step-what']} data-step={startedLow(step)} aria-hidden="true" />
      )}
    </button>
  );
}

const PANE_ROWS: readonly { readonly pane: Pane; readonly id: CommandId; readonly icon: TablerIcon }[] = [
  { pane: 'navigation', id: 'pane.navigation', icon: IconLayoutSidebar },
  { pane: 'inspector', id: 'pane.inspector', icon: IconLayoutSidebarRight },
  { pane: 'drawer', id: 'pane.drawer', icon: IconLayoutBottombar },
];
const THEME_ICONS = { 'theme.system': IconDeviceDesktop, 'theme.light': IconSun, 'theme.dark': IconMoon } as const;
type ThemeCommand = keyof typeof THEME_ICONS;
const THEMES: readonly ThemeCommand[] = ['theme.system', 'theme.light', 'theme.dark'];

/** The appearance of the window: panes, rows and colors. */
function ViewMenu() {
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={268} trapFocus returnFocus shadow="xl">
      <Popover.Target>
        <button
          type="button"
          className={styles['tool']}
          aria-expanded={opened}
          aria-haspopup="dialog"
          onClick={() => setOpened(!opened)}
        >
          {texts.view}
          <IconChevronDown size={14} stroke={1.75} aria-hidden="true" />
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.view} className={styles['view-menu']}>
        <h2>{texts.show}</h2>
        {PANE_ROWS.map((row) => (
          <PaneSwitch key={row.pane} {...row} />
        ))}
        <hr />
        <h2>{texts.rows}</h2>
        <RowLooks />
        <hr />
        <h2>{texts.colors}</h2>
        <ThemeChoice />
        <SizeRow />
      </Popover.Dropdown>
    </Popover>
  );
}

interface ViewSwitchProps {
  readonly icon: TablerIcon;
  readonly text: string;
  readonly isOn: boolean;
  readonly keys?: string | null;
  readonly toggle: () => void;
}

function ViewSwitch({ icon: Icon, text, isOn, keys = null, toggle }: ViewSwitchProps) {
  return (
    <button type="button" role="switch" aria-checked={isOn} className={styles['view-row']} onClick={toggle}>
      <Icon size={16} stroke={1.75} aria-hidden="true" />
      <span>{text}</span>
      {keys !== null && <Kbd size="xs">{keys}</Kbd>}
      <span className={styles['view-tick']} aria-hidden="true">
        {isOn ? '✓' : ''}
      </span>
    </button>
  );
}

function PaneSwitch({ pane, id, icon }: (typeof PANE_ROWS)[number]) {
  const { store } = useAppContext();
  const isShown = useView((s) => !s.hidden[pane]);
  const toggle = (): void => store.getState().togglePane(pane);
  return <ViewSwitch icon={icon} text={texts.panes[pane]} isOn={isShown} keys={useKeys(id)} toggle={toggle} />;
}

function RowLooks() {
  const { store } = useAppContext();
  const look = useViewOf((s) => ({
    density: s.density,
    itemPictures: s.itemPictures,
    metricColors: s.metricColors,
    impactLens: s.impactLens,
  }));
  const { adjustLook } = store.getState();
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label={texts.rows}
        value={look.density}
        onChange={(density) => adjustLook({ density })}
        data={DENSITY_NAMES.map((each) => ({ value: each, label: texts.density[each] }))}
      />
      {LOOKS.map(([icon, what]) => (
        <ViewSwitch
          key={what}
          icon={icon}
          text={texts[what]}
          isOn={look[what]}
          toggle={() => adjustLook({ [what]: !look[what] })}
        />
      ))}
    </>
  );
}

const LOOKS = [
  [IconPhoto, 'itemPictures'],
  [IconThermometer, 'metricColors'],
  [IconTrafficLights, 'impactLens'],
] as const;

function ThemeChoice() {
  const context = useCommandContext();
  const stored = useQuery(useApi().app.preferences.get.queryOptions()).data?.colorScheme ?? 'system';
  return (
    <SegmentedControl
      fullWidth
      aria-label={texts.colors}
      value={`theme.${stored}`}
      onChange={(id) => commandOf(THEMES.find((each) => each === id) ?? 'theme.system').run(context)}
      data={THEMES.map((id) => {
        const Icon = THEME_ICONS[id];
        return {
          value: id,
          label: (
            <span className={styles['view-theme']}>
              <Icon size={16} stroke={1.75} aria-hidden="true" />
              {texts.themes[id]}
            </span>
          ),
        };
      })}
    />
  );
}

/** The zoom steps of Chromium from 50% to 200%. */
const SIZES = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200] as const;

/** The zoom of the window, unless a browser has its own buttons for it. */
function SizeRow() {
  const zoom = useAppContext().connection.place?.zoom ?? null;
  const [percent, setPercent] = useState(() => zoom?.percent() ?? 100);
  if (zoom === null) return null;
  const step = (Icon: TablerIcon, label: string, to: number | undefined): ReactNode => (
    <ActionIcon
      variant="default"
      aria-label={label}
      disabled={to === undefined}
      onClick={() => {
        if (to === undefined) return;
        zoom.set(to);
        setPercent(to);
      }}
    >
      <Icon size={14} stroke={1.75} aria-hidden="true" />
    </ActionIcon>
  );
  return (
    <div className={styles['view-row']} role="group" aria-label={texts.size}>
      <IconZoomIn size={16} stroke={1.75} aria-hidden="true" />
      <span>{texts.size}</span>
      {step(
        IconMinus,
        texts.smaller,
        SIZES.findLast((size) => size < percent),
      )}
      <output className={styles['view-size']}>{`${countText(percent)}%`}</output>
      {step(
        IconPlus,
        texts.larger,
        SIZES.find((size) => size > percent),
      )}
    </div>
  );
}

const SYNC_MENU: readonly CommandId[] = [
  'sync.plan-selected',
  'sync.refresh',
  'sync.refresh-outdated',
  'sync.take-back',
];

/** Shows how many changes are ready to sync, the progress, or that all are sent; opens the sync plan. */
function SyncButton({ account, outlined }: { readonly account: Account; readonly outlined: boolean }) {
  const { workspaceId } = account;
  const api = useApi();
  const context = useCommandContext();
  const keys = useKeys('sync.plan');
  const figures = useQuery(api.workspace.summary.queryOptions({ input: { workspaceId } })).data;
  const report = useQuery(api.sync.report.queryOptions({ input: { workspaceId } })).data;
  const progress = useView((s) => s.syncs[workspaceId]);
  const changed = figures?.changed ?? 0;
  // A read-only account can still open the plan; other entries of the menu only read.
  const readOnly = useReadOnly(account);
  const isReadOnly = readOnly !== null;
  const counted = useReady(workspaceId, changed);
  // Where changes need sign-offs, only the plan knows which of them have theirs.
  const team = useQuery(api.team.status.queryOptions({ input: account.hasTeam ? { workspaceId } : skipToken })).data;
  const ready = account.hasTeam && team?.approvals !== 0 ? null : counted;
  const text =
    report?.state === 'running'
      ? texts.sending(progress?.changes?.sent ?? 0, progress?.changes?.total ?? 0)
      : ready !== null && ready > 0 && !isReadOnly
        ? texts.sync(ready)
        : figures === undefined || changed > 0
          ? texts.syncPlan
          : texts.upToDate;
  // The status bar counts every change; this button counts those that are sent.
  const left = ready === null || figures === undefined ? 0 : changed - ready;
  const hints = [readOnly ?? keys ?? '', left > 0 && !isReadOnly ? texts.notIncluded(left) : ''];
  const variant = outlined || ready === 0 || isReadOnly ? 'default' : 'filled';
  return (
    <Button.Group>
      <Button
        variant={variant}
        size="xs"
        classNames={{ root: styles['sync'] }}
        onClick={() => commandOf('sync.plan').run(context)}
        title={hints.filter((hint) => hint !== '').join('\n') || undefined}
      >
        {text}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant={variant} size="xs" classNames={{ root: styles['sync-more'] }} aria-label={texts.more}>
            <IconChevronDown size={14} stroke={1.75} aria-hidden="true" />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {SYNC_MENU.map((id) => (
            <MenuRow key={id} id={id} />
          ))}
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  );
}

/** Up to this many changed rows are checked after each edit; beyond, only the sync plan counts those that are ready. */
const CHECKED_MAX = 20_000;

/** How many changed rows the next sync would send: without errors, conflicts and holds; null if not counted. */
function useReady(workspaceId: string, changed: number): number | null {
  const { data } = useQuery(
    useApi().workspace.changes.queryOptions({
      input: { workspaceId, from: 0, count: 1 },
      enabled: changed > 0 && changed <= CHECKED_MAX,
      placeholderData: (before) => before,
    }),
  );
  if (changed > CHECKED_MAX) return null;
  return changed === 0 ? 0 : (data?.lanes.ready ?? changed);
}

function MenuRow({ id }: { readonly id: CommandId }) {
  const context = useCommandContext();
  const keys = useKeys(id);
  const command = commandOf(id);
  return (
    <Menu.Item
      onClick={() => command.run(context)}
      disabled={!command.when(context)}
      rightSection={keys === null ? null : <kbd>{keys}</kbd>}
    >
      {command.title}
    </Menu.Item>
  );
}
