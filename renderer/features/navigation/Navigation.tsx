import { useRovingIndex } from '@mantine/hooks';
import {
  IconBulb,
  IconChartLine,
  IconClockPlay,
  IconFileImport,
  IconFolders,
  IconInbox,
  IconLayoutDashboard,
  IconLibraryPhoto,
  IconPercentage,
  IconPhoto,
  IconPlus,
  IconRocket,
  IconSettings,
  IconVideo,
  type TablerIcon,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  type ComponentProps,
  memo,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { flushSync } from 'react-dom';
import type { Account } from '../../../shared/api/accounts.ts';
import type { WindowRow, WorkspaceSummary } from '../../../shared/api/workspace.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { useApi, useAppContext, useView, useViewOf } from '../../app/app-context.ts';
import { type CommandId, commandOf } from '../../app/commands.ts';
import { countText, plural, weekdayText } from '../../app/locale/numbers.ts';
import { CAMPAIGN_MARK } from '../../app/move-commands.ts';
import type { Place } from '../../app/store/navigation-slice.ts';
import { appTexts } from '../../app/texts.ts';
import { useCommandContext, useKeys } from '../../app/use-shortcuts.ts';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { StatusShape } from '../../components/StatusShape.tsx';
import ui from '../../components/ui.module.css';
import { useViewport } from '../../components/use-viewport.ts';
import { groupingOf, stateOf } from '../../grid/columns.ts';
import { useWindowSource } from '../../grid/use-window.ts';
import { type OpenView, wholeList } from '../../grid/window.ts';
import { AccountSwitcher } from './AccountSwitcher.tsx';
import styles from './navigation.module.css';

/** Components for accounts with a team. */
const PresenceDots = lazyComponent(async () => (await import('./Presence.tsx')).PresenceDots);
const TellPlace = lazyComponent(async () => (await import('./Presence.tsx')).TellPlace);

const texts = {
  overview: 'Overview',
  inbox: 'Inbox',
  suggestions: 'Suggestions',
  campaigns: 'Campaigns',
  all: 'All campaigns',
  loading: 'Loading…',
  creatives: 'Creatives',
  sbaProfile: 'SBA profiles',
  videoProfile: 'Video profiles',
  media: 'Media library',
  multipliers: 'Bid multipliers',
  launch: 'Launch',
  clock: 'Practice clock',
  clockAt: (day: string) => `Practice: ${day}`,
  settings: 'Settings',
  changes: (n: number) => plural(n, 'change'),
} as const;

interface NavigationProps {
  readonly account: Account;
  /** True while the sidebar is collapsed to icons. */
  readonly narrow: boolean;
  /** The progress of the first steps in a sample account. */
  readonly firstSteps: ReactNode;
}

/** Selects the place: the whole account, one campaign, or a screen. The tabs of the toolbar select what it shows. */
export const Navigation = memo(function Navigation({ account, narrow, firstSteps }: NavigationProps) {
  const { workspaceId } = account;
  const summary = useQuery(useApi().workspace.summary.queryOptions({ input: { workspaceId } })).data;
  const rows = summary === undefined ? undefined : { ...summary.rows, media: summary.files };
  const listed = (kind: Kind) => ({ kind, rows, workspaceId });
  return (
    <div className={narrow ? `${styles['nav']} ${styles['nav-narrow']}` : styles['nav']}>
      <AccountSwitcher account={account} />
      <PlaceRow place="overview" icon={IconLayoutDashboard} />
      <PlaceRow place="inbox" icon={IconInbox}>
        <InboxCount workspaceId={workspaceId} />
      </PlaceRow>
      <PlaceRow place="suggestions" icon={IconBulb} />
      <div className={styles['nav-title']}>
        <h2>{texts.campaigns}</h2>
        {!narrow && <CommandButton id="sheet.import" icon={IconFileImport} />}
        <CommandButton id="campaign.new" icon={IconPlus} />
      </div>
      <ListRow {...listed('campaign')} icon={IconFolders} name={texts.all} also={CAMPAIGN_KINDS} />
      <CampaignList workspaceId={workspaceId} hasTeam={account.hasTeam} />
      <div className={styles['nav-title']}>
        <h2>{texts.creatives}</h2>
      </div>
      <ListRow {...listed('sbaProfile')} icon={IconPhoto} name={texts.sbaProfile} />
      <ListRow {...listed('videoProfile')} icon={IconVideo} name={texts.videoProfile} />
      <ListRow {...listed('media')} icon={IconLibraryPhoto} name={texts.media} />
      <div className={styles['nav-gap']} />
      <ListRow
        {...listed('placementMultiplier')}
        icon={IconPercentage}
        name={texts.multipliers}
        also={['platformMultiplier']}
      />
      <PlaceRow place="launch" icon={IconRocket} />
      <PlaceRow place="reports" icon={IconChartLine} />
      <div className={styles['nav-end']}>
        {firstSteps}
        {account.practice && <PracticeClock workspaceId={workspaceId} />}
        <PlaceRow place="settings" icon={IconSettings} />
      </div>
    </div>
  );
});

/** Kinds that are tabs of the same place. */
const CAMPAIGN_KINDS: readonly Kind[] = ['adItem', 'keyword', 'adGroup'];

interface EntryProps {
  readonly icon: TablerIcon;
  readonly name: string;
  readonly current: boolean;
  readonly onClick: () => void;
  readonly onPress?: () => void;
  readonly children?: ReactNode;
}

function Entry({ icon: Icon, name, current, onClick, onPress, children }: EntryProps) {
  return (
    <button
      type="button"
      className={styles['nav-row']}
      aria-current={current ? 'true' : undefined}
      title={name}
      onPointerDown={onPress}
      onClick={onClick}
    >
      <Icon size={16} stroke={1.75} aria-hidden="true" />
      <span className={ui['nav-name']}>{name}</span>
      {children}
    </button>
  );
}

const PLACE_NAMES = {
  overview: texts.overview,
  inbox: texts.inbox,
  suggestions: texts.suggestions,
  launch: texts.launch,
  reports: appTexts.reports.title,
  settings: texts.settings,
} as const satisfies Partial<Record<Place, string>>;

interface PlaceRowProps {
  readonly place: keyof typeof PLACE_NAMES;
  readonly icon: TablerIcon;
  readonly children?: ReactNode;
}

function PlaceRow({ place, icon, children }: PlaceRowProps) {
  const { store } = useAppContext();
  const here = useView((s) => s.place === place);
  return (
    <Entry
      icon={icon}
      name={PLACE_NAMES[place]}
      current={here}
      onClick={() => {
        const { openPlace, openSettings, settings } = store.getState();
        if (place === 'settings') openSettings(settings.section);
        else openPlace(place);
      }}
    >
      {children}
    </Entry>
  );
}

/** The number of inbox entries that need the user. */
function InboxCount({ workspaceId }: { readonly workspaceId: string }) {
  const count = useQuery(useApi().inbox.list.queryOptions({ input: { workspaceId } })).data?.asking ?? 0;
  return count === 0 ? null : <span className={styles['nav-badge']}>{countText(count)}</span>;
}

interface ListRowProps {
  readonly workspaceId: string;
  readonly kind: Kind;
  readonly icon: TablerIcon;
  readonly name: string;
  readonly rows: WorkspaceSummary['rows'] | undefined;
  readonly also?: readonly Kind[];
}

/** A list of the whole account. It shows the number of its rows, those of all its kinds included. */
function ListRow({ workspaceId, kind, icon, name, rows, also = [] }: ListRowProps) {
  const { store, prefetchedView } = useAppContext();
  const here = useView(
    (s) => s.place === 'rows' && s.campaignId === null && (s.kind === kind || also.includes(s.kind)),
  );
  const kinds = kind === 'campaign' ? [kind] : [kind, ...also];
  const count = rows === undefined ? undefined : kinds.reduce((sum, each) => sum + (rows[each] ?? 0), 0);
  return (
    <Entry
      icon={icon}
      name={name}
      current={here}
      onPress={() =>
        prefetchedView.prepare(workspaceId, wholeList(kind, null, groupingOf(kind, null, store.getState().groupBy)))
      }
      onClick={() => store.getState().goTo({ kind, campaignId: null })}
    >
      {count !== undefined && count > 0 && <span className={styles['nav-count']}>{countText(count)}</span>}
    </Entry>
  );
}

function CommandButton({ id, icon: Icon }: { readonly id: CommandId; readonly icon: TablerIcon }) {
  const context = useCommandContext();
  const keys = useKeys(id);
  const { title: name, run } = commandOf(id);
  return (
    <button
      type="button"
      className={styles['nav-plus']}
      aria-label={name}
      title={keys === null ? name : `${name} (${keys})`}
      onClick={() => run(context)}
    >
      <Icon size={14} stroke={1.75} aria-hidden="true" />
    </button>
  );
}

/** The practice clock: its day, and a button to move it. */
function PracticeClock({ workspaceId }: { readonly workspaceId: string }) {
  const context = useCommandContext();
  const today = useQuery(useApi().reports.list.queryOptions({ input: { workspaceId } })).data?.today;
  return (
    <Entry
      icon={IconClockPlay}
      name={today === undefined ? texts.clock : texts.clockAt(weekdayText(today))}
      current={false}
      onClick={() => commandOf('practice.clock').run(context)}
    />
  );
}

const ROW = 28;
const OVERSCAN = 6;
const BY_NAME = [{ column: 'name', descending: false }];

/** The campaigns of the account by name. */
function CampaignList({ workspaceId, hasTeam }: { readonly workspaceId: string; readonly hasTeam: boolean }) {
  const hasPresence = useView((s) => s.presence) && hasTeam;
  const view = useWindowSource(workspaceId, {
    kind: 'campaign',
    campaignId: null,
    filter: '',
    only: 'all',
    sort: BY_NAME,
  });
  return (
    <>
      {hasPresence && <TellPlace workspaceId={workspaceId} />}
      {view === null ? (
        <div className={styles['nav-scroll']} />
      ) : (
        <Campaigns workspaceId={workspaceId} view={view} hasPresence={hasPresence} />
      )}
    </>
  );
}

interface CampaignsProps {
  readonly workspaceId: string;
  readonly view: OpenView;
  readonly hasPresence: boolean;
}

/**
 * One Tab stop: arrow keys, Home and End move the focus from campaign to campaign. Only the campaigns in view are
 * rendered, and the one at the Tab stop, wherever the list is scrolled to.
 */
function Campaigns({ workspaceId, view, hasPresence }: CampaignsProps) {
  const { store, prefetchedView } = useAppContext();
  const { source } = view;
  useSyncExternalStore(source.subscribe, source.version);
  const open = useViewOf((s) => ({ campaignId: s.campaignId, isRows: s.place === 'rows', kind: s.kind }));
  const scroller = useRef<HTMLDivElement>(null);
  const window_ = useViewport(scroller, { height: 600, width: 200 });
  const length = source.length();
  const from = Math.max(0, Math.floor(window_.top / ROW) - OVERSCAN);
  const to = Math.min(length, Math.ceil((window_.top + window_.height) / ROW) + OVERSCAN);
  const [lastStop, setStop] = useState(0);
  const stop = Math.max(0, Math.min(lastStop, length - 1));
  const { getItemProps } = useRovingIndex({
    total: length,
    orientation: 'vertical',
    loop: false,
    focusedIndex: stop,
    // The campaign is focused right after this, so it has to be rendered.
    onFocusChange: (at) => flushSync(() => setStop(at)),
  });
  const list = useRef<HTMLUListElement>(null);
  const hasFocus = useRef(false);

  useEffect(() => {
    source.want(from, to);
    if (stop < from || stop >= to) source.wantBeside(stop, stop + 1);
  });

  // The focused element goes once its campaign has loaded, or when the stop leaves it out of view: the stop is focused.
  useLayoutEffect(() => {
    if (!hasFocus.current || document.activeElement !== document.body) return;
    list.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  });

  // A campaign opened from the palette or another page may be out of view.
  useEffect(() => {
    if (open.campaignId === null) return;
    let isCurrent = true;
    const reveal = (at: number | null): void => {
      const box = scroller.current;
      if (!isCurrent || at === null || box === null) return;
      setStop(at);
      const top = at * ROW;
      const isShown = top >= box.scrollTop && top + ROW <= box.scrollTop + box.clientHeight;
      if (!isShown) box.scrollTop = top - (box.clientHeight - ROW) / 2;
    };
    // If main can't be reached, the list does not scroll.
    source.indexOf(open.campaignId as RowId).then(reveal, () => {});
    return () => {
      isCurrent = false;
    };
  }, [source, open.campaignId]);

  const places = Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  if (length > 0 && stop < from) places.unshift(stop);
  if (stop >= to && stop < length) places.push(stop);
  const changes = useChanges(
    workspaceId,
    places.flatMap((at) => source.rowAt(at)?.id ?? []),
  );
  /** The tab stays the same, to compare one campaign after another. */
  const kindThere = CAMPAIGN_KINDS.includes(open.kind) ? open.kind : 'campaign';
  const line = (at: number): ReactNode => {
    const row = source.rowAt(at);
    const place: ComponentProps<'li'> = {
      'aria-setsize': length,
      'aria-posinset': at + 1,
      style: at < from || at >= to ? { position: 'absolute', top: at * ROW, width: '100%' } : {},
    };
    if (row === undefined) {
      return (
        <li key={`at ${at}`} {...place}>
          <CampaignButton {...getItemProps({ index: at })} aria-busy="true">
            <span className={ui['nav-name']}>{texts.loading}</span>
          </CampaignButton>
        </li>
      );
    }
    return (
      <li key={row.id} {...place} {...{ [CAMPAIGN_MARK]: row.id }}>
        <LoadedCampaign
          {...getItemProps({
            index: at,
            onClick: () => store.getState().goTo({ kind: kindThere, campaignId: row.id }),
          })}
          row={row}
          changes={changes.get(row.id) ?? 0}
          aria-current={open.isRows && row.id === open.campaignId ? 'true' : undefined}
          onPointerDown={() =>
            prefetchedView.prepare(
              workspaceId,
              wholeList(kindThere, row.id, groupingOf(kindThere, row.id, store.getState().groupBy)),
            )
          }
        >
          {hasPresence && <PresenceDots workspaceId={workspaceId} campaignId={row.id} />}
        </LoadedCampaign>
      </li>
    );
  };
  return (
    <div ref={scroller} className={styles['nav-scroll']} data-scrolls="">
      <ul
        ref={list}
        className={styles['nav-list']}
        aria-label={texts.campaigns}
        style={{ paddingTop: from * ROW, paddingBottom: (length - to) * ROW }}
        onFocus={() => {
          hasFocus.current = true;
        }}
        onBlur={() => {
          hasFocus.current = false;
        }}
      >
        {places.map(line)}
      </ul>
    </div>
  );
}

function useChanges(workspaceId: string, ids: readonly RowId[]): ReadonlyMap<RowId, number> {
  const { data } = useQuery(
    useApi().workspace.campaignChanges.queryOptions({
      input: { workspaceId, ids: [...ids] },
      placeholderData: (before) => before,
    }),
  );
  return new Map(data?.campaigns.map(({ id, changes }) => [id, changes]));
}

/** Keys held with others are shortcuts, which the window handles. */
const CampaignButton = ({ onKeyDown, className = styles['nav-row'], ...rest }: ComponentProps<'button'>) => (
  <button
    {...rest}
    type="button"
    className={className}
    onKeyDown={(event) => {
      if (!event.altKey && !event.ctrlKey && !event.metaKey) onKeyDown?.(event);
    }}
  />
);

interface LoadedCampaignProps extends ComponentProps<'button'> {
  readonly row: WindowRow;
  readonly changes: number;
  /** The colleagues on this campaign. */
  readonly children: ReactNode;
}

function LoadedCampaign({ row, changes, children, ...rest }: LoadedCampaignProps) {
  const over = useView((s) => s.dropCampaignId === row.id);
  const { state, text } = stateOf(row);
  return (
    <CampaignButton
      {...rest}
      className={over ? `${styles['nav-row']} ${styles['nav-over']}` : styles['nav-row']}
      title={`${row.campaignName}: ${text}`}
    >
      <span className={styles['nav-shape']}>
        <StatusShape state={state} text="" />
      </span>
      <span className={ui['nav-name']}>{row.campaignName}</span>
      <span className={ui['spoken-only']}>, {text}</span>
      {children}
      {row.severity === 'error' && (
        <span className={`${ui['grid-mark']} ${ui['grid-mark-error']}`} title={appTexts.grid.mark.error}>
          !
        </span>
      )}
      {changes > 0 && (
        <span className={`${styles['nav-count']} ${styles['nav-changes']}`} title={texts.changes(changes)}>
          {countText(changes)}
        </span>
      )}
    </CampaignButton>
  );
}
