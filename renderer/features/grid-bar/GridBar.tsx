import { Menu, TextInput } from '@mantine/core';
import { IconChevronDown, IconColumns3, IconFilter, IconPlus, IconSearch, IconStack2 } from '@tabler/icons-react';
import { skipToken, useQuery } from '@tanstack/react-query';
import { type ComponentProps, memo, useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { SavedView } from '../../../shared/api/views.ts';
import type { ViewSpec } from '../../../shared/api/workspace.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { plainDate } from '../../../shared/model/plain-date.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { isReported } from '../../../shared/reports/metric.ts';
import { useApi, useAppContext, useView, useViewOf } from '../../app/app-context.ts';
import { FILTER_TEXT_ID, GROUP_BUTTON_ID, SAVE_VIEW_BUTTON_ID } from '../../app/command-handlers.ts';
import { KIND_NAMES } from '../../app/field-names.ts';
import { countText } from '../../app/locale/numbers.ts';
import { plainSearch } from '../../app/locale/plain-search.ts';
import { saveText } from '../../app/save-text.ts';
import { FILES_SHOWN, useRows } from '../../app/shared-queries.ts';
import type { QuickFilter } from '../../app/store/navigation-slice.ts';
import { Chip } from '../../components/Chip.tsx';
import { ChipChoice } from '../../components/ChipChoice.tsx';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { Tab, TabList } from '../../components/TabList.tsx';
import ui from '../../components/ui.module.css';
import { useTypedText } from '../../components/use-typed-text.ts';
import { groupingOf, hasMatrix, layoutOf, orderedColumns, shownColumns } from '../../grid/columns.ts';
import type { OpenView } from '../../grid/window.ts';
import styles from './grid-bar.module.css';
import { groupingsOf, groupingTexts } from './groupings.ts';
import { isHidden, useChangeView, useSaveView } from './save-view.ts';

const texts = {
  filter: 'Filter rows',
  filterHint: 'Text, or bid<1.50',
  asChips: 'Show as chips',
  filterButton: 'Filter',
  group: 'Group',
  groupedBy: (what: string) => `Group: ${what}`,
  noGroups: 'No groups',
  columns: 'Columns',
  reorder: 'Sort again: the order is outdated',
  views: 'Views',
  all: 'All',
  live: 'Live',
  videos: 'Videos',
  logos: 'Logos',
  changed: 'Changed',
  attention: 'Needs attention',
  more: 'More views',
  saveView: 'Save view',
  renameView: (name: string) => `Rename view "${name}"…`,
  removeView: (name: string) => `Delete view "${name}"…`,
  edited: 'edited',
  asTable: 'Table',
  asMatrix: 'Matrix',
  asGallery: 'Gallery',
  asBanners: 'Banners',
  addFiles: 'Add files',
  show: 'Show rows as',
  viewsSave: 'Export all views…',
  fileName: 'adslate-views.json',
  open: 'Import views…',
} as const;

const FilterRow = lazyComponent(async () => (await import('./FilterRow.tsx')).FilterRow);
const PeriodPicker = lazyComponent(async () => (await import('../period/PeriodPicker.tsx')).PeriodPicker);

interface GridBarProps {
  readonly workspaceId: string;
  readonly view: OpenView | null;
}

/** The bar above the rows: views, period, filters, groups and columns. */
export const GridBar = memo(function GridBar({ workspaceId, view }: GridBarProps) {
  const { store } = useAppContext();
  const { kind, campaignId, matrix, filterAs, hasFilter } = useViewOf((s) => ({
    kind: s.kind,
    campaignId: s.campaignId,
    matrix: s.matrix,
    filterAs: s.filterAs,
    hasFilter: s.filter !== '' || s.filterForm !== null || isHidden(s.only),
  }));
  const isGallery = useView((s) => s.gallery[kind] === true);
  const canMatrix = campaignId !== null && hasMatrix(kind);
  // The matrix shows the whole campaign: views, filters and columns apply to the table only.
  const isMatrix = matrix && canMatrix;
  return (
    <>
      <div className={styles['bar']}>
        <Heading workspaceId={workspaceId} kind={kind} campaignId={campaignId} />
        {!isMatrix && <ViewTabs workspaceId={workspaceId} />}
        {!isMatrix && view !== null && <Reorder view={view} />}
        <span className={ui['toolbar-gap']} />
        {canMatrix && (
          <ChipChoice
            label={texts.show}
            choices={[
              { value: false, name: texts.asTable },
              { value: true, name: texts.asMatrix },
            ]}
            chosen={matrix}
            onChoose={(value) => store.getState().showMatrix(value)}
          />
        )}
        {(kind === 'media' || kind === 'sbaProfile' || kind === 'videoProfile') && <GallerySwitch kind={kind} />}
        {!isMatrix && (
          <>
            <Period workspaceId={workspaceId} kind={kind} />
            <BarButton
              word={texts.filterButton}
              aria-pressed={hasFilter || filterAs === 'text'}
              onClick={() => store.getState().openFilterForm('new')}
            >
              <IconFilter size={16} stroke={1.5} aria-hidden="true" />
            </BarButton>
            {!isGallery && <GroupMenu kind={kind} campaignId={campaignId} />}
            {!isGallery && <ColumnMenu />}
            {kind === 'media' && (
              <BarButton word={texts.addFiles} onClick={() => store.getState().show({ name: 'media', files: [] })}>
                <IconPlus size={16} stroke={1.5} aria-hidden="true" />
              </BarButton>
            )}
          </>
        )}
      </div>
      {!isMatrix && filterAs === 'text' && <FilterText key={`${kind} ${campaignId}`} kind={kind} />}
      {!isMatrix && filterAs === 'chips' && hasFilter && <FilterRow workspaceId={workspaceId} />}
    </>
  );
});

/** Switches creatives between cards with pictures and rows. */
function GallerySwitch({ kind }: { readonly kind: Kind }) {
  const { store } = useAppContext();
  return (
    <ChipChoice
      label={texts.show}
      choices={[
        { value: true, name: kind === 'sbaProfile' ? texts.asBanners : texts.asGallery },
        { value: false, name: texts.asTable },
      ]}
      chosen={useView((s) => s.gallery[kind] === true)}
      onChoose={(shown) => store.getState().showGallery(kind, shown)}
    />
  );
}

/** The list's name for screen readers; on screen, the tabs and the campaign list show it. */
function Heading({ workspaceId, kind, campaignId }: PlaceProps) {
  const campaigns = useRows(workspaceId, campaignId === null ? null : { kind: 'campaign', campaignId });
  const campaign = campaigns.data?.rows[0]?.campaignName ?? '';
  const many = KIND_NAMES[kind].many;
  return <h1 className={ui['spoken-only']}>{campaignId === null ? many : `${campaign} › ${many}`}</h1>;
}

interface PlaceProps {
  readonly workspaceId: string;
  readonly kind: Kind;
  readonly campaignId: number | null;
}

function Period({ workspaceId, kind }: Pick<PlaceProps, 'workspaceId' | 'kind'>) {
  const input = isReported(kind) ? { workspaceId } : skipToken;
  const today = plainDate(useQuery(useApi().reports.list.queryOptions({ input })).data?.today ?? '');
  return today === null ? null : <PeriodPicker workspaceId={workspaceId} today={today} />;
}

interface BarButtonProps extends ComponentProps<'button'> {
  readonly word: string;
}

/** A button with icon and text; a narrow bar hides the text, which is then only a tooltip. */
export const BarButton = ({ word, children, ...rest }: BarButtonProps) => (
  <button type="button" title={word} {...rest} className={styles['bar-button']}>
    {children}
    <span className={styles['word']}>{word}</span>
  </button>
);

interface ViewTab {
  readonly key: string;
  readonly name: string;
  /** Number of rows in the view; null until the count has loaded. */
  readonly size: number | null;
  readonly isOpen: boolean;
  /** True for the open saved view if it has another filter now: its number of rows is not that of the list. */
  readonly isEdited?: boolean;
  readonly open: () => void;
}

/** Filters with their own tab beside the saved views. */
const NAMED: Readonly<Partial<Record<Kind, readonly { readonly name: string; readonly filter: string }[]>>> = {
  campaign: [{ name: texts.live, filter: 'campaignState=live' }],
  media: [
    { name: texts.videos, filter: 'mediaType=video' },
    { name: texts.logos, filter: 'mediaType=logo' },
  ],
};
const FIXED = ['all', 'changed', 'attention'] as const;
const NO_VIEWS: readonly SavedView[] = [];
/** Most tabs in the bar; the others are in `More views`. */
const TABS_MAX = 7;
/** Characters of a name that a tab always shows. */
const NAME_WIDE = 16;

/** Tabs of the built-in views, then of the user's saved views, each with its number of rows. */
function useTabs(workspaceId: string): { readonly tabs: readonly ViewTab[]; readonly saved: readonly SavedView[] } {
  const api = useApi();
  const { store } = useAppContext();
  const place = useViewOf((s) => ({
    kind: s.kind,
    campaignId: s.campaignId,
    filter: s.filter,
    only: s.only,
    savedView: s.savedView,
  }));
  const { kind, campaignId, filter, only } = place;
  const isGallery = useView((s) => s.gallery[kind] === true);
  const saved = useQuery(api.views.saved.queryOptions({ input: { workspaceId } })).data ?? NO_VIEWS;
  // A deleted view can no longer be open.
  const savedView = saved.find(({ id }) => id === place.savedView)?.id ?? null;
  const counts = useQuery(api.views.counts.queryOptions({ input: { workspaceId, kind, campaignId } })).data;
  const own = useMemo(
    () =>
      saved.filter(({ view }) => view.kind === kind && (view.campaignId === null || view.campaignId === campaignId)),
    [saved, kind, campaignId],
  );
  const within = campaignId === null ? null : asRowId(campaignId);
  const named = (campaignId === null ? NAMED[kind] : undefined) ?? [];
  const spec = (of: string, which: QuickFilter): ViewSpec => ({
    kind,
    campaignId: within,
    filter: of,
    only: which,
    sort: [],
  });
  const shown = own.filter(({ id }, i) => i < TABS_MAX || id === savedView);
  // The gallery shows fewer creatives than the kind has rows, so it has its own counts.
  const cards = isGallery && kind === FILES_SHOWN.kind ? FIXED.map((which) => spec(FILES_SHOWN.filter, which)) : [];
  const views = [
    ...cards,
    ...named.map((each) => spec(each.filter, 'all')),
    ...shown.map(({ view }) => ({ ...view, campaignId: within, sort: [] })),
  ];
  const sizes = useQuery(
    api.views.sizes.queryOptions({ input: views.length === 0 ? skipToken : { workspaceId, views } }),
  ).data?.sizes;
  const isNamed = (of: string): boolean => savedView === null && filter === of && only === 'all';
  const narrow = (wanted: QuickFilter, text: string) => (): void => {
    const { kind: now, campaignId: of, goTo, setFilter, setOnly } = store.getState();
    if (store.getState().savedView !== null) goTo({ kind: now, campaignId: of });
    setFilter(text);
    setOnly(wanted);
  };
  const fixed = (key: (typeof FIXED)[number]): ViewTab => ({
    key,
    name: texts[key],
    size: (cards.length > 0 ? sizes?.[FIXED.indexOf(key)] : counts?.[key]) ?? null,
    isOpen:
      savedView === null &&
      !named.some((each) => isNamed(each.filter)) &&
      (only === key || (key === 'all' && isHidden(only))),
    open: narrow(key, ''),
  });
  const ofSaved = (each: SavedView, i: number): ViewTab => ({
    key: String(each.id),
    name: each.name,
    size: sizes?.[cards.length + named.length + i] ?? null,
    isOpen: savedView === each.id,
    isEdited: savedView === each.id && (each.view.filter !== filter || each.view.only !== only),
    open: () => openSaved(store.getState(), each),
  });
  const hasRows = ({ isOpen, size }: ViewTab): boolean => isOpen || (size ?? 0) > 0;
  const tabs = [
    fixed('all'),
    ...named.map(
      (each, i): ViewTab => ({
        key: each.filter,
        name: each.name,
        size: sizes?.[cards.length + i] ?? null,
        isOpen: isNamed(each.filter),
        open: narrow('all', each.filter),
      }),
    ),
    ...[fixed('changed'), fixed('attention')].filter(hasRows),
    ...shown.map(ofSaved),
  ];
  const fitting = tabs.slice(0, TABS_MAX);
  const open = tabs.find(({ isOpen }) => isOpen);
  // The open tab is always included: Tab stops only at the selected tab.
  return { tabs: open === undefined || fitting.includes(open) ? fitting : fitting.with(-1, open), saved };
}

type State = ReturnType<ReturnType<typeof useAppContext>['store']['getState']>;

function openSaved(state: State, saved: SavedView): void {
  state.openSavedView(saved);
  state.restoreKind(saved.view.kind, saved.layout);
}

/** Ctrl+Alt+1 to 9 open the tabs by position, wherever the focus is, but behind no dialog. */
function useTabKeys(tabs: readonly ViewTab[]): void {
  const { store } = useAppContext();
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || !event.altKey || event.shiftKey) return;
      if (store.getState().dialog !== null) return;
      const tab = /^Digit[1-9]$/.test(event.code) ? tabs[Number(event.code.slice(5)) - 1] : undefined;
      if (tab === undefined) return;
      event.preventDefault();
      tab.open();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [tabs, store]);
}

function ViewTabs({ workspaceId }: { readonly workspaceId: string }) {
  const { tabs, saved } = useTabs(workspaceId);
  useTabKeys(tabs);
  return (
    <div className={styles['views']}>
      <TabList label={texts.views} className={styles['tabs']}>
        {tabs.map(({ key, name, size, isOpen, isEdited = false, open }, i) => (
          <Tab
            key={key}
            isOpen={isOpen}
            aria-keyshortcuts={`Control+Alt+${i + 1}`}
            className={styles['tab']}
            onClick={open}
          >
            <span className={styles['tab-name']} title={name.length > NAME_WIDE ? name : undefined}>
              {name}
            </span>
            {(isEdited || size !== null) && (
              <span className={styles['count']}> {isEdited ? texts.edited : countText(size ?? 0)}</span>
            )}
          </Tab>
        ))}
      </TabList>
      <SaveView saved={saved} />
      <MoreViews saved={saved} />
    </div>
  );
}

function SaveView({ saved }: { readonly saved: readonly SavedView[] }) {
  const save = useSaveView(saved);
  return (
    <button
      id={SAVE_VIEW_BUTTON_ID}
      type="button"
      className={styles['icon']}
      aria-label={texts.saveView}
      title={texts.saveView}
      onClick={() => save()}
    >
      <IconPlus size={16} stroke={1.5} aria-hidden="true" />
    </button>
  );
}

/** All saved views, of other lists too, with the commands for them. */
function MoreViews({ saved }: { readonly saved: readonly SavedView[] }) {
  const { store } = useAppContext();
  const { rename, remove } = useChangeView();
  const openId = useViewOf((s) => s.savedView);
  const open = saved.find(({ id }) => id === openId);
  // The file format is loaded on demand: its schemas would delay the first screen.
  const saveAll = async (): Promise<void> => {
    const { printViews } = await import('../../../shared/api/views-file.ts');
    saveText(texts.fileName, printViews(saved), 'application/json');
  };
  return (
    <Menu position="bottom-start" width={260} classNames={{ dropdown: styles['tall'] }}>
      <Menu.Target>
        <button type="button" className={styles['icon']} aria-label={texts.more} title={texts.more}>
          <IconChevronDown size={14} stroke={1.5} aria-hidden="true" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {saved.map((each) => (
          <Menu.Item
            key={each.id}
            onClick={() => openSaved(store.getState(), each)}
            rightSection={<span className={ui['quiet']}>{KIND_NAMES[each.view.kind].many}</span>}
          >
            {each.name}
          </Menu.Item>
        ))}
        {saved.length > 0 && <Menu.Divider />}
        {saved.length > 0 && <Menu.Item onClick={() => void saveAll()}>{texts.viewsSave}</Menu.Item>}
        <Menu.Item onClick={() => store.getState().show({ name: 'views' })}>{texts.open}</Menu.Item>
        {saved.length > 0 && <Menu.Divider />}
        {open !== undefined && <Menu.Item onClick={() => rename(open)}>{texts.renameView(open.name)}</Menu.Item>}
        {saved.map((each) => (
          <Menu.Item key={each.id} onClick={() => remove(each)}>
            {texts.removeView(each.name)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Offers to sort again once edits have made the order outdated. */
function Reorder({ view: { source } }: { readonly view: OpenView }) {
  const { store } = useAppContext();
  useSyncExternalStore(source.subscribe, source.version);
  const { sort, only } = source.request;
  if (!source.isOutOfOrder() || (sort.length === 0 && only === 'all')) return null;
  const again = (): void => {
    void source.reopen();
    store.getState().announce('');
  };
  return <Chip onClick={again}>{texts.reorder}</Chip>;
}

const PROBLEM = 'row-filter-problem';

/** The filter as a text field. */
function FilterText({ kind }: { readonly kind: Kind }) {
  const { store, openGrid } = useAppContext();
  const value = useView((s) => s.filter);
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => box.current?.focus(), []);
  const read = useCallback(
    (typed: string): void => {
      const plain = plainSearch(typed, kind);
      if (plain.ok) store.getState().setFilter(plain.value);
    },
    [kind, store],
  );
  const [text, setText] = useTypedText(value, read);
  const plain = plainSearch(text, kind);
  const problem = plain.ok ? null : plain.error;
  const leave = (): void => {
    read(text);
    store.getState().showFilterAs('chips');
    openGrid.current?.focus();
  };
  return (
    <div className={styles['row']}>
      <TextInput
        ref={box}
        id={FILTER_TEXT_ID}
        size="xs"
        className={styles['text']}
        aria-label={texts.filter}
        aria-invalid={problem !== null || undefined}
        aria-describedby={problem === null ? undefined : PROBLEM}
        placeholder={texts.filterHint}
        leftSection={<IconSearch size={14} stroke={1.5} aria-hidden="true" />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') leave();
          // Apply the text at once: the shortcut may switch to chips before the typing pause ends.
          if (event.ctrlKey || event.metaKey) read(text);
          if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
          event.preventDefault();
          read(text);
          openGrid.current?.focus();
        }}
      />
      <Chip onClick={leave}>{texts.asChips}</Chip>
      {problem !== null && (
        <p id={PROBLEM} className={ui['note-error']} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** A menu of the groupings of the list. */
function GroupMenu({ kind, campaignId }: Omit<PlaceProps, 'workspaceId'>) {
  const { store } = useAppContext();
  const by = useView((s) => groupingOf(kind, campaignId, s.groupBy));
  const possible = groupingsOf(kind, campaignId);
  if (possible.length === 0) return null;
  return (
    <Menu id={GROUP_BUTTON_ID} position="bottom-end" width={180}>
      <Menu.Target>
        <BarButton word={by === null ? texts.group : texts.groupedBy(groupingTexts[by])} aria-pressed={by !== null}>
          <IconStack2 size={16} stroke={1.5} aria-hidden="true" />
        </BarButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={by ?? ''}
          onChange={(wanted) => store.getState().setGroupBy(kind, possible.find((each) => each === wanted) ?? null)}
        >
          <Menu.RadioItem value="" closeMenuOnClick>
            {texts.noGroups}
          </Menu.RadioItem>
          {possible.map((each) => (
            <Menu.RadioItem key={each} value={each} closeMenuOnClick>
              {groupingTexts[each]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

function ColumnMenu() {
  const { store } = useAppContext();
  const { kind, campaignId } = useViewOf((s) => ({ kind: s.kind, campaignId: s.campaignId }));
  const layout = useViewOf(layoutOf);
  const columns = orderedColumns(kind, campaignId, layout);
  const shown = new Set(shownColumns(kind, campaignId, layout).map(({ field }) => field));
  return (
    <Menu position="bottom-end" closeOnItemClick={false} classNames={{ dropdown: styles['tall'] }}>
      <Menu.Target>
        <BarButton word={texts.columns}>
          <IconColumns3 size={16} stroke={1.5} aria-hidden="true" />
        </BarButton>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.map((column) => {
          const key = `${kind}.${column.field}`;
          return (
            <Menu.CheckboxItem
              key={key}
              checked={shown.has(column.field)}
              onChange={(checked) => store.getState().showColumn(key, checked)}
            >
              {column.title}
            </Menu.CheckboxItem>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
