import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, memo, type PointerEvent, type ReactNode, useEffect, useMemo, useState } from 'react';
import type { Account } from '../../../shared/api/accounts.ts';
import { DOCUMENT_LIMITS } from '../../../shared/deployment/limits.ts';
import { useApi, useAppContext, useView, useViewOf } from '../../app/app-context.ts';
import { openFiles } from '../../app/dialog-for-files.ts';
import { changeLimits } from '../../app/locale/limits.ts';
import { dropRowOf, ROW_MARK } from '../../app/move-commands.ts';
import { Waiting } from '../../app/Problem.tsx';
import { PANE_LIMITS, type Pane } from '../../app/store/layout-slice.ts';
import { PLACE_NAMES } from '../../app/store/navigation-slice.ts';
import { appTexts } from '../../app/texts.ts';
import { lazyComponent } from '../../components/lazy-component.tsx';
import type { OpenView } from '../../grid/window.ts';
import { ChecklistRing } from '../checklist/ChecklistRing.tsx';
import { MoveBar } from '../move-rows/MoveBar.tsx';
import { RowDrag } from '../move-rows/RowDrag.tsx';
import { Navigation } from '../navigation/Navigation.tsx';
import { RightPane } from './RightPane.tsx';
import { RowsScreen } from './RowsScreen.tsx';
import { StatusBar } from './StatusBar.tsx';
import styles from './shell.module.css';
import { Toolbar } from './Toolbar.tsx';

const texts = {
  navigation: 'Campaign list',
  inspector: 'Details',
  drawer: 'Issues, changes, sync and history',
  resize: (pane: string) => `Resize: ${pane}`,
  drop: 'Drop files to add them',
  dropRow: 'On the row of a profile, a campaign or a video, they are set there too.',
} as const;

/** Loaded on demand, because it is closed at first. */
const Drawer = memo(lazyComponent(async () => (await import('./Drawer.tsx')).Drawer)); // lint-text: ok, a file

/** Loaded on demand: most accounts have no team. */
const TeamSection = lazyComponent(async () => (await import('../team/TeamSection.tsx')).TeamSection);
const SenderNotice = lazyComponent(async () => (await import('../team/SenderNotice.tsx')).SenderNotice);
const RequestPanel = lazyComponent(async () => (await import('../team/RequestPanel.tsx')).RequestPanel);
const RequestEntry = lazyComponent(async () => (await import('../team/RequestPanel.tsx')).RequestEntry);

const onDemand = (load: () => Promise<(props: { readonly workspaceId: string }) => ReactNode>) =>
  lazyComponent(load, <Waiting />);

/**
 * The screens in the middle of the window, by place; the grid has other props. Each has large code, which is loaded on
 * demand, with the parts of other features that it shows.
 */
const SCREENS = {
  overview: onDemand(async () => {
    const [{ OverviewScreen }, { Checklist }, { NeedsAttention }] = await Promise.all([
      import('../overview/OverviewScreen.tsx'),
      import('../checklist/Checklist.tsx'),
      import('../inbox/NeedsAttention.tsx'),
    ]);
    return ({ workspaceId }) => (
      <OverviewScreen workspaceId={workspaceId}>
        <Checklist workspaceId={workspaceId} />
        <NeedsAttention workspaceId={workspaceId} />
      </OverviewScreen>
    );
  }),
  inbox: onDemand(async () => {
    const [{ InboxScreen }, { FailedEntry: failed }, sync] = await Promise.all([
      import('../inbox/InboxScreen.tsx'),
      import('../sync/RefusalGroups.tsx'),
      import('../sync/SyncTab.tsx'),
    ]);
    const { ConflictEntry: conflict, QuestionEntry: question, UploadHosts } = sync;
    const others = { conflict, failed, question, request: RequestEntry, 'upload-host': UploadHosts };
    return ({ workspaceId }) => <InboxScreen workspaceId={workspaceId} others={others} />;
  }),
  suggestions: onDemand(async () => (await import('../suggestions/SuggestionsScreen.tsx')).SuggestionsScreen),
  'new-campaign': onDemand(async () => (await import('../campaign-form/NewCampaignScreen.tsx')).NewCampaignScreen),
  'add-rows': onDemand(async () => (await import('../campaign-form/AddRowsScreen.tsx')).AddRowsScreen),
  launch: onDemand(async () => (await import('../launch/LaunchScreen.tsx')).LaunchScreen),
  reports: onDemand(async () => (await import('../reports/ReportsScreen.tsx')).ReportsScreen),
  compare: onDemand(async () => {
    const [{ CompareScreen }, { templateRows }] = await Promise.all([
      import('../compare/CompareScreen.tsx'),
      import('../campaign-form/draft.ts'),
    ]);
    return ({ workspaceId }) => <CompareScreen workspaceId={workspaceId} rowsOf={templateRows} />;
  }),
  'time-machine': onDemand(async () => (await import('../compare/TimeMachineScreen.tsx')).TimeMachineScreen),
  video: onDemand(async () => (await import('../media/VideoEditor.tsx')).VideoEditor),
  overlap: onDemand(async () => (await import('../matrix/OverlapScreen.tsx')).OverlapScreen),
  sync: onDemand(async () => {
    const { SyncScreen } = await import('../sync/SyncScreen.tsx');
    return ({ workspaceId }) => (
      <SyncScreen
        workspaceId={workspaceId}
        senderNotice={<SenderNotice workspaceId={workspaceId} isBesidePlan />}
        requestPanel={(id) => <RequestPanel workspaceId={workspaceId} id={id} isBesidePlan />}
      />
    );
  }),
  settings: onDemand(async () => {
    const { SettingsScreen } = await import('../settings/SettingsScreen.tsx');
    return ({ workspaceId }) => <SettingsScreen workspaceId={workspaceId} TeamSection={TeamSection} />;
  }),
};

export function MainScreen({ account }: { readonly account: Account }) {
  const { sizes, hidden, place, paneTab } = useViewOf((s) => ({
    sizes: s.sizes,
    hidden: s.hidden,
    place: s.place,
    paneTab: s.paneTab,
  }));
  const [view, setView] = useState<OpenView | null>(null);
  const { workspaceId } = account;
  const Screen = place === 'rows' ? undefined : SCREENS[place];
  const limits = useQuery(useApi().accounts.profile.queryOptions({ input: { workspaceId } })).data?.limits;
  useEffect(() => {
    if (limits !== undefined) changeLimits(limits);
  }, [limits]);
  useEffect(() => () => changeLimits(DOCUMENT_LIMITS), []);
  const { store } = useAppContext();
  const firstSteps = useMemo(
    () => account.isSample && <ChecklistRing workspaceId={workspaceId} />,
    [account.isSample, workspaceId],
  );
  const colour: Record<string, string> = { '--account': account.color };
  const paneWidth: Record<string, string> = { '--pane': `${sizes.inspector}px` };
  const hide =
    (pane: Pane) =>
    (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      // Menus of a pane are rendered outside of it, and their Escape closes only them.
      if (!event.currentTarget.contains(event.target as Node)) return;
      event.preventDefault();
      store.getState().togglePane(pane);
    };
  /** In the rows, Escape closes details that cover a part of them. A tool handles Escape itself. */
  const uncover = (event: KeyboardEvent): void => {
    const { menu, rowsToMove } = store.getState();
    if (event.key !== 'Escape' || event.defaultPrevented || menu !== null || rowsToMove !== null) return;
    const { target, currentTarget } = event;
    // A field resets its text, and an open menu closes.
    const isTaken = !(target instanceof Element) || target.matches('input, select, textarea, [aria-expanded="true"]');
    if (isTaken || !currentTarget.contains(target) || currentTarget.querySelector(MENUS) !== null) return;
    if (hidden.inspector || place !== 'rows' || paneTab !== 'details' || window.matchMedia(DOCKS).matches) return;
    event.preventDefault();
    store.getState().togglePane('inspector');
  };
  return (
    <div className={styles['desk']} style={colour}>
      <nav className={styles['sidebar']} data-pane aria-label={texts.navigation}>
        <div className={styles['pane']} style={{ width: hidden.navigation ? FOLDED_PX : sizes.navigation }}>
          <Navigation account={account} narrow={hidden.navigation} firstSteps={firstSteps} />
        </div>
        {!hidden.navigation && <PaneHandle pane="navigation" grows="right" />}
      </nav>
      <Toolbar account={account} />
      <div className={styles['sheet']} style={paneWidth}>
        <main
          className={styles['desk-middle']}
          data-pane
          tabIndex={-1}
          aria-label={PLACE_NAMES[place]}
          onKeyDown={uncover}
        >
          {place === 'rows' ? (
            <RowsScreen workspaceId={workspaceId} onView={setView} />
          ) : (
            Screen !== undefined && <Screen workspaceId={workspaceId} />
          )}
        </main>
        <MoveBar workspaceId={workspaceId} view={view} />
        {!hidden.drawer && (
          <section data-pane aria-label={texts.drawer} onKeyDown={hide('drawer')}>
            <PaneHandle pane="drawer" grows="up" />
            <div className={styles['pane']} style={{ height: sizes.drawer }}>
              <Drawer workspaceId={workspaceId} account={account} />
            </div>
          </section>
        )}
        {!hidden.inspector && place === 'rows' && (
          <aside
            className={styles['right-pane']}
            data-pane
            data-tool={paneTab === 'details' ? undefined : ''}
            aria-label={texts.inspector}
            onKeyDown={hide('inspector')}
          >
            <PaneHandle pane="inspector" grows="left" />
            <div className={styles['pane']} style={{ width: 'var(--pane)' }}>
              <RightPane workspaceId={workspaceId} view={view} />
            </div>
          </aside>
        )}
      </div>
      <StatusBar account={account} view={view} />
      <DropOverlay />
      <RowDrag />
    </div>
  );
}

/** From this width of the window on, the details are beside the rows; as in the styles of the pane. */
const DOCKS = '(min-width: 1440px)';

const MENUS = '[role="menu"], [role="dialog"]';

/** Width of the collapsed sidebar, in CSS pixels. */
const FOLDED_PX = 52;

const STEP = 16;

/** The divider between two panes, moved by dragging or with arrow keys. The pane grows towards `grows`. */
function PaneHandle({ pane, grows }: { readonly pane: Pane; readonly grows: 'right' | 'left' | 'up' }) {
  const { store } = useAppContext();
  const size = useView((s) => s.sizes[pane]);
  const { min, max } = PANE_LIMITS[pane];
  const vertical = grows === 'up';
  const sign = grows === 'right' ? 1 : -1;

  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    event.preventDefault();
    const handle = event.currentTarget;
    const start = vertical ? event.clientY : event.clientX;
    const move = (to: globalThis.PointerEvent): void => {
      const by = (vertical ? to.clientY : to.clientX) - start;
      store.getState().resizePane(pane, size + sign * by);
    };
    handle.setPointerCapture(event.pointerId);
    handle.addEventListener('pointermove', move);
    handle.addEventListener('pointerup', () => handle.removeEventListener('pointermove', move), { once: true });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = vertical
      ? { ArrowUp: STEP, ArrowDown: -STEP }
      : { ArrowRight: sign * STEP, ArrowLeft: -sign * STEP };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    store.getState().resizePane(pane, size + step);
  };
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-orientation={vertical ? 'horizontal' : 'vertical'}
      aria-label={texts.resize(texts[pane])}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      className={`${styles['pane-handle']} ${vertical ? styles['pane-handle-y'] : styles['pane-handle-x']}`}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  );
}

/** Marks an element that handles dropped files on its own; the window then ignores them. */
const OWN_DROP = 'data-own-drop';
/** On the row under dragged files. */
const DROP_ROW = 'data-drop-row';

/** Accepts files dropped anywhere: a spreadsheet opens the import, a plan file its plan, others the media library. */
function DropOverlay() {
  const { store } = useAppContext();
  const [over, setOver] = useState(false);

  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
    const isOwn = (event: DragEvent): boolean =>
      event.target instanceof Element && event.target.closest(`[${OWN_DROP}]`) !== null;
    let marked: Element | null = null;
    /** Marks the row that the files would be set in: no element is hovered during a drag. */
    const mark = (row: Element | null): void => {
      if (row === marked) return;
      marked?.removeAttribute(DROP_ROW);
      row?.setAttribute(DROP_ROW, '');
      marked = row;
    };
    const show = (isShown: boolean, row: Element | null = null): void => {
      mark(row);
      setOver(isShown);
    };
    const onDragOver = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      const { target } = event;
      const isRow = !isOwn(event) && target instanceof Element && dropRowOf(target) !== undefined;
      show(!isOwn(event), isRow ? target.closest(`[${ROW_MARK}]`) : null);
    };
    const onDragLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) show(false);
    };
    const onDrop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      // Otherwise the browser would open the file instead of the page.
      event.preventDefault();
      show(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (isOwn(event) || files.length === 0 || store.getState().workspaceId === null) return;
      openFiles(store, files, event.target instanceof Element ? dropRowOf(event.target) : undefined);
    };
    window.addEventListener('dragover', onDragOver);
    window.addEventListener('dragleave', onDragLeave);
    window.addEventListener('drop', onDrop);
    return () => {
      mark(null);
      window.removeEventListener('dragover', onDragOver);
      window.removeEventListener('dragleave', onDragLeave);
      window.removeEventListener('drop', onDrop);
    };
  }, [store]);

  return over ? (
    <div className={styles['drop-frame']}>
      <p className={styles['drop-text']}>
        <strong>{texts.drop}</strong>
        <span>{appTexts.media.dropText}</span>
        <span>{texts.dropRow}</span>
      </p>
    </div>
  ) : null;
}
