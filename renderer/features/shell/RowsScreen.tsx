import { Button, Group, Menu } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import { Fragment, memo, type RefObject, useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { CapabilityName } from '../../../shared/plan/plan-types.ts';
import { metricOfField } from '../../../shared/reports/account-metrics.ts';
import { isReported } from '../../../shared/reports/metric.ts';
import { type CommandContext, useApi, useAppContext, useView, useViewOf } from '../../app/app-context.ts';
import { deleteRows } from '../../app/bulk-commands.ts';
import { type CommandId, commandOf, extensionOf } from '../../app/commands.ts';
import { errorText } from '../../app/error-text.ts';
import { KIND_NAMES, rowsText } from '../../app/field-names.ts';
import { moveColumn } from '../../app/grid-commands.ts';
import { inSentence } from '../../app/locale/numbers.ts';
import { Waiting } from '../../app/Problem.tsx';
import { FILES_SHOWN, useLook, useMedia, useOffering, useRows } from '../../app/shared-queries.ts';
import { keysOf } from '../../app/shortcuts.ts';
import { FIRST_CELL } from '../../app/store/selection-slice.ts';
import { appTexts } from '../../app/texts.ts';
import { useCommandContext } from '../../app/use-shortcuts.ts';
import { Chip } from '../../components/Chip.tsx';
import { Empty } from '../../components/Empty.tsx';
import { lazyComponent } from '../../components/lazy-component.tsx';
import ui from '../../components/ui.module.css';
import {
  changingFields,
  groupingOf,
  hasMatrix,
  layoutOf,
  type MediaNames,
  shownColumns,
  withGhosts,
} from '../../grid/columns.ts';
import { Grid } from '../../grid/Grid.tsx';
import { type GridSize, SIZE_UNKNOWN } from '../../grid/use-grid-scroll.ts';
import { useWindowSource } from '../../grid/use-window.ts';
import type { OpenView, ViewRequest } from '../../grid/window.ts';
import { GridBar } from '../grid-bar/GridBar.tsx';
import styles from './shell.module.css';

const texts = {
  first: 'New campaign',
  empty: (what: string) => `No ${what} yet`,
  emptyHint: {
    campaign: 'Create a campaign, or drop a spreadsheet and its media anywhere in this window.',
    connected: 'Your campaigns appear here after a refresh. If the service does not list campaigns, add them by ID.',
    adGroup: 'Ad groups are created with their campaign.',
    adItem: 'Select a campaign on the left, then add items.',
    keyword: 'Select a campaign on the left, then add keywords.',
    sbaProfile: 'Select an SBA campaign on the left, then add a profile.',
    videoProfile: 'Select a video campaign on the left, then add a profile.',
    placementMultiplier: 'Select a sponsored products campaign on the left, then add multipliers.',
    platformMultiplier: 'Select a sponsored products campaign on the left, then add multipliers.',
    media: 'Drop videos, captions and logos anywhere in this window.',
  },
  notListed: (what: string) =>
    `The service does not list ${what}, so only those that you add or import here are shown. If their campaign is missing, add it by ID first.`,
  cannotShow: "Can't show these rows",
  emptyNarrow: 'No rows match the filter',
  clearFilter: 'Clear filter',
  cellMenu: 'Cells and rows',
  menuFolds: { carry: 'Copy and move', send: 'Sync, hold and review' },
} as const;

const CellIssue = lazyComponent(async () => (await import('../issues/CellIssue.tsx')).CellIssue);
const CopyProgress = lazyComponent(async () => (await import('../../grid/CopyProgress.tsx')).CopyProgress);
const ColumnMenu = lazyComponent(async () => (await import('../grid-bar/ColumnMenu.tsx')).ColumnMenu);
const Gallery = lazyComponent(async () => (await import('../media/Gallery.tsx')).Gallery);
const MatrixScreen = lazyComponent(async () => (await import('../matrix/MatrixScreen.tsx')).MatrixScreen);

interface RowsScreenProps {
  readonly workspaceId: string;
  readonly onView: (view: OpenView | null) => void;
}

/** The rows of the selected list or campaign: the filter bar and the grid. */
export const RowsScreen = memo(function RowsScreen({ workspaceId, onView }: RowsScreenProps) {
  const { openView } = useAppContext();
  const request = useViewOf((s) => ({
    kind: s.kind,
    campaignId: s.campaignId,
    filter: s.filter,
    only: s.only,
    sort: s.sort,
  }));
  const { kind: shownKind, campaignId: scope, sort } = request;
  const isGallery = useView((s) => s.gallery[shownKind] === true);
  // Captions belong to their video and have no card.
  const filter = isGallery && shownKind === 'media' ? `${FILES_SHOWN.filter} ${request.filter}`.trim() : request.filter;
  const look = useLook();
  useReportedMetrics(workspaceId, shownKind);
  useLeaveMissing(workspaceId, scope);
  // An order or filter by metrics depends on the period.
  const byMetrics = filter !== '' || sort.some(({ column }) => metricOfField(column) !== null);
  const group = useView((s) => (isGallery ? null : groupingOf(shownKind, scope, s.groupBy)));
  const view = useWindowSource(workspaceId, {
    ...request,
    filter,
    look: byMetrics && isReported(shownKind) ? look : null,
    group,
  });
  const { matrix, kind, campaignId } = useViewOf((s) => ({
    matrix: s.matrix,
    kind: s.kind,
    campaignId: s.campaignId,
  }));
  useAnnouncedCount(view);
  const gridSize = useRef(SIZE_UNKNOWN);
  const matrixOf = matrix && hasMatrix(kind) ? campaignId : null;
  // No row is selected in a matrix: what commands would work on is not to be seen.
  const selectable = matrixOf === null ? view : null;
  useEffect(() => {
    openView.current = selectable;
    onView(view);
    return () => {
      openView.current = null;
    };
  }, [view, selectable, onView, openView]);
  return (
    <>
      <GridBar workspaceId={workspaceId} view={view} />
      {view !== null && <ApplyPendingSelection view={view} />}
      {matrixOf === null ? null : <MatrixScreen workspaceId={workspaceId} kind={kind} campaignId={matrixOf} />}
      {matrixOf !== null ? null : view === null ? (
        <Waiting />
      ) : (
        <Rows workspaceId={workspaceId} view={view} gridSize={gridSize} />
      )}
    </>
  );
});

/** Tells screen readers how many rows of the same list are left when its filter has changed. */
function useAnnouncedCount(view: OpenView | null): void {
  const { store } = useAppContext();
  const last = useRef<OpenView['source']['request'] | null>(null);
  useEffect(() => {
    if (view === null) return;
    const { request } = view.source;
    const before = last.current;
    last.current = request;
    const isSameList = before?.kind === request.kind && before.campaignId === request.campaignId;
    if (!isSameList || (before.filter === request.filter && before.only === request.only)) return;
    store.getState().announce(rowsText(view.source.length(), request.kind));
  }, [store, view]);
}

/** Shows all campaigns when the open one no longer exists: undone, or deleted here or by a colleague. */
function useLeaveMissing(workspaceId: string, campaignId: number | null): void {
  const { store } = useAppContext();
  const { data } = useRows(workspaceId, campaignId === null ? null : { kind: 'campaign', campaignId });
  const isMissing = data !== undefined && data.total === 0;
  useEffect(() => {
    if (campaignId !== null && isMissing) store.getState().goTo({ kind: 'campaign', campaignId: null });
  }, [store, campaignId, isMissing]);
}

/**
 * Updates whether the account has reports, which decides on the default columns. Requests days missing for the rows on
 * screen, once, if the account has requested reports before.
 */
function useReportedMetrics(workspaceId: string, kind: Kind): void {
  const { store, connection } = useAppContext();
  const period = useView((s) => s.period);
  const { data } = useQuery(useApi().metrics.settings.queryOptions({ input: { workspaceId } }));
  const hasMetrics = data === undefined ? null : data.sources.some(({ days }) => days > 0);
  useEffect(() => {
    if (hasMetrics !== null) store.getState().noteMetrics(hasMetrics);
    if (hasMetrics !== true || !isReported(kind)) return;
    const request = async (): Promise<void> => {
      try {
        await connection.client.overview.request({ workspaceId, period, kind });
      } catch {
        // Another part of the window shows that the service can't be reached; metrics remain dashes.
      }
    };
    void request();
  }, [store, connection, workspaceId, period, kind, hasMetrics]);
}

interface RowsProps {
  readonly workspaceId: string;
  readonly view: OpenView;
  readonly gridSize: RefObject<GridSize>;
}

function Rows({ workspaceId, view, gridSize }: RowsProps) {
  const app = useAppContext();
  const { store } = app;
  const context = useCommandContext();
  const { source } = view;
  const { kind, campaignId } = source.request;
  useSyncExternalStore(source.subscribe, source.version);
  const layout = useViewOf(layoutOf);
  const { names, filesFor } = useMedia(workspaceId);
  const isGallery = useView((s) => s.gallery[kind] === true);
  const isCopying = useView((s) => s.copying !== null);
  const filter = useView((s) => s.filter);
  const changing = useView((s) => changingFields(kind, s.ghosts).join());
  const columns = useMemo(
    () => withGhosts(kind, shownColumns(kind, campaignId, layout), changing.split(',')),
    [kind, campaignId, layout, changing],
  );
  const tell = useCallback((text: string) => store.getState().announce(text), [store]);

  const problem = source.problem();
  const isEmpty = source.length() === 0;
  useEffect(() => {
    // Nothing is active in an empty list, and the rows that come into it are shown from the first one.
    if (isEmpty) store.getState().select(FIRST_CELL, false);
  }, [store, isEmpty]);
  if (problem !== null) return <Empty title={texts.cannotShow} text={errorText(problem)} />;
  if (isEmpty) return <EmptyRows workspaceId={workspaceId} request={{ ...source.request, filter }} />;
  if (isGallery) return <Gallery workspaceId={workspaceId} view={view} />;
  return (
    <>
      <GridMenu workspaceId={workspaceId} view={view} media={names} />
      <Grid
        key={`${kind} ${campaignId}`}
        workspaceId={workspaceId}
        view={view}
        columns={columns}
        media={names}
        size={gridSize}
        mediaFor={filesFor}
        tell={tell}
        onDeleteRows={() => deleteRows(context)}
        onMoveColumn={(from, to) => moveColumn(app, from, to)}
      />
      {isCopying && <CopyProgress />}
    </>
  );
}

/** Kinds of rows that no documented request of the service lists, and the extension that does. */
const LISTED_BY: Readonly<Partial<Record<Kind, CapabilityName>>> = { keyword: 'keywordRead', adGroup: 'adGroupRead' };

/** Whether the service is known not to list rows of this kind, so that a refresh can't bring any. */
function useIsNotListed(workspaceId: string, kind: Kind): boolean {
  const name = LISTED_BY[kind];
  const input = name === undefined ? skipToken : { workspaceId };
  const known = useQuery(useApi().accounts.capabilities.queryOptions({ input })).data;
  return known?.some((one) => one.name === name && !one.inUse) === true;
}

/** Shown instead of rows: why there are none, and buttons to add some. */
function EmptyRows({ workspaceId, request }: { readonly workspaceId: string; readonly request: ViewRequest }) {
  const { store } = useAppContext();
  const { practice } = useCommandContext();
  const { kind, campaignId, filter, only } = request;
  const isRefreshing = useView((s) => s.refreshing.includes(s.workspaceId ?? ''));
  const isNotListed = useIsNotListed(workspaceId, kind);
  if (filter !== '' || only !== 'all') {
    return (
      <Empty title={texts.emptyNarrow} text="">
        <Chip
          onClick={() => {
            store.getState().setFilter('');
            store.getState().setOnly('all');
          }}
        >
          {texts.clearFilter}
        </Chip>
      </Empty>
    );
  }
  const what = inSentence(KIND_NAMES[kind].many);
  const title = isRefreshing ? appTexts.sync.refreshing : texts.empty(what);
  if (kind === 'campaign') {
    return (
      <Empty title={title} text={practice ? texts.emptyHint.campaign : texts.emptyHint.connected}>
        <Group gap="xs" mt={4}>
          <Button variant="filled" onClick={() => store.getState().openForm('manual')}>
            {texts.first}
          </Button>
          <CommandButton id="sheet.import" />
          {!practice && <CommandButton id="campaign.add-by-id" />}
        </Group>
      </Empty>
    );
  }
  const ways: readonly CommandId[] = kind === 'media' ? ['media.add'] : kind === 'adGroup' ? [] : ['rows.add'];
  const isPlace = kind === 'media' || campaignId !== null;
  const shape = kind === 'sbaProfile' ? 'sba' : kind === 'videoProfile' ? 'video' : 'manual';
  return (
    <Empty
      title={title}
      text={isNotListed ? texts.notListed(what) : isPlace && kind !== 'media' ? '' : texts.emptyHint[kind]}
    >
      <Group gap="xs">
        {isPlace && ways.map((id) => <CommandButton key={id} id={id} />)}
        {!isPlace && <Button onClick={() => store.getState().openForm(shape)}>{texts.first}</Button>}
        {isNotListed && <CommandButton id="sheet.import" />}
        {isNotListed && !practice && <CommandButton id="campaign.add-by-id" />}
      </Group>
    </Empty>
  );
}

function CommandButton({ id }: { readonly id: CommandId }) {
  const context = useCommandContext();
  const { title, run } = commandOf(id);
  return <Button onClick={() => run(context)}>{title}</Button>;
}

/** A submenu: in one menu, all entries would be too high for a small window. */
interface Submenu {
  readonly name: keyof typeof texts.menuFolds;
  readonly commands: readonly CommandId[];
}

/** The menus of the grid, in groups; each entry is a command of the command table. */
const GROUPS: readonly (readonly (CommandId | Submenu)[])[] = [
  ['cells.edit', 'cells.copy', 'rows.copy-link', 'cells.paste', 'cells.paste-values', 'cells.clear', 'cells.fill-down'],
  ['cells.comment', 'rows.label', 'view.filter-value'],
  ['bulk.set', 'bulk.amount', 'bulk.replace'],
  [
    'rows.add',
    'rows.duplicate',
    {
      name: 'carry',
      commands: [
        'rows.copy-to',
        'rows.pick-up',
        'rows.pick-copy',
        'rows.put-down',
        'rows.paste-table',
        'campaign.like',
      ],
    },
    {
      name: 'send',
      commands: [
        'sync.plan-selected',
        'sync.refresh-selected',
        'rows.hold',
        'rows.release',
        'review.submit',
        'review.cancel',
      ],
    },
    'rows.revert',
    'rows.delete',
  ],
];

/** The context menu of cells or of a column header, at the place of the click or of the focus. */
interface GridMenuProps {
  readonly workspaceId: string;
  readonly view: OpenView;
  readonly media: MediaNames;
}

function GridMenu({ workspaceId, view, media }: GridMenuProps) {
  const { store, openGrid } = useAppContext();
  const context = useCommandContext();
  const menu = useView((s) => s.menu);
  if (menu === null) return null;
  if (menu.of === 'issue') return <CellIssue workspaceId={workspaceId} view={view} media={media} />;
  if (menu.of === 'column') return <ColumnMenu key={`${menu.x} ${menu.y}`} workspaceId={workspaceId} menu={menu} />;
  const close = (): void => {
    store.getState().closeMenu();
    openGrid.current?.focus();
  };
  return (
    <Menu
      key={`${menu.x} ${menu.y}`}
      opened
      onClose={close}
      position="bottom-start"
      returnFocus={false}
      offset={0}
      width={340}
      // Long menus move up in a low window, so that their last entries stay reachable.
      middlewares={{ flip: true, shift: { crossAxis: true, padding: 8 } }}
      classNames={{ item: ui['menu-item'], dropdown: styles['tall-menu'] }}
    >
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          aria-label={texts.cellMenu}
          className={styles['menu-point']}
          style={{ left: menu.x, top: menu.y }}
        />
      </Menu.Target>
      <Menu.Dropdown aria-label={texts.cellMenu}>
        {GROUPS.map((group, i) => (
          <Fragment key={group.map((entry) => (typeof entry === 'string' ? entry : entry.name)).join()}>
            {i > 0 && <Menu.Divider />}
            {group.map((entry) =>
              typeof entry === 'string' ? (
                <CommandItem key={entry} id={entry} context={context} close={close} />
              ) : (
                <SubmenuItems key={entry.name} folded={entry} context={context} close={close} />
              ),
            )}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface EntryProps {
  readonly context: CommandContext;
  /** Closes the whole menu and returns the focus to the grid. */
  readonly close: () => void;
}

/** A menu entry for a command, if it can run here. */
function CommandItem({ id, context, close }: EntryProps & { readonly id: CommandId }) {
  const keys = useView((s) => s.keys);
  const kind = useView((s) => s.kind);
  const offering = useOffering(extensionOf(id, kind));
  const command = commandOf(id);
  if (!command.when(context)) return null;
  const key = command.gridKey ?? keysOf(command, keys);
  return (
    <Menu.Item
      title={offering?.text}
      onClick={() => {
        close();
        command.run(context);
      }}
      rightSection={key === null ? null : <kbd>{key}</kbd>}
    >
      {command.title}
    </Menu.Item>
  );
}

/** A submenu, opened by hovering, Arrow right or Enter. */
function SubmenuItems({ folded, context, close }: EntryProps & { readonly folded: Submenu }) {
  const possible = folded.commands.filter((id) => commandOf(id).when(context));
  if (possible.length === 0) return null;
  return (
    // The menu scrolls in a very small window, so submenus are positioned relative to the window.
    <Menu.Sub floatingStrategy="fixed" middlewares={{ flip: true, shift: { crossAxis: true, padding: 8 } }}>
      <Menu.Sub.Target>
        <Menu.Sub.Item>{texts.menuFolds[folded.name]}</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown aria-label={texts.menuFolds[folded.name]}>
        {possible.map((id) => (
          <CommandItem key={id} id={id} context={context} close={close} />
        ))}
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  );
}

/**
 * Waits until the rows of a pending selection are loaded, then selects them and opens their tool. A view that still
 * shows other rows is skipped, so that the tool never applies to those. Renders nothing.
 */
function ApplyPendingSelection({ view }: { readonly view: OpenView }) {
  const { store } = useAppContext();
  const pendingSelection = useView((s) => s.pendingSelection);
  const { source } = view;
  const version = useSyncExternalStore(source.subscribe, source.version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version changes when rows have been loaded.
  useEffect(() => {
    const { kind, filter, campaignId } = source.request;
    if (
      pendingSelection === null ||
      kind !== pendingSelection.kind ||
      filter !== pendingSelection.filter ||
      campaignId !== null
    )
      return;
    if (!source.ready()) return;
    const { selectAll, selectionDone, openTool } = store.getState();
    selectionDone();
    if (source.length() === 0) return;
    selectAll(source.length());
    if (pendingSelection.tool !== null) openTool(pendingSelection.tool.step, pendingSelection.tool.field);
  }, [pendingSelection, source, version, store]);
  return null;
}
