import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { memo, useId } from 'react';
import { useAppContext, useView } from '../../app/app-context.ts';
import { Waiting } from '../../app/Problem.tsx';
import { PANE_TABS } from '../../app/store/layout-slice.ts';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { Tab, TabList } from '../../components/TabList.tsx';
import type { OpenView } from '../../grid/window.ts';
import styles from './shell.module.css';

const texts = {
  tabs: 'Tools and details',
  names: { change: 'Change', ideas: 'Ideas', details: 'Details' },
  close: 'Close pane',
} as const;

const LOADING = <Waiting />;
/** The pane is closed at first; each tab is loaded when it is first opened. */
const ChangePane = lazyComponent(async () => (await import('../tools/ChangePane.tsx')).ChangePane, LOADING);
const IdeasPane = lazyComponent(async () => (await import('../tools/IdeasPane.tsx')).IdeasPane, LOADING);
const DetailsPane = lazyComponent(async () => {
  const [{ DetailsPane: Pane }, { MediaPreview }] = await Promise.all([
    import('../details/DetailsPane.tsx'),
    import('../media/MediaPreview.tsx'),
  ]);
  return ({ workspaceId, view }: RightPaneProps) => (
    <Pane
      workspaceId={workspaceId}
      view={view}
      parts={{
        mediaDetails: (row, issues) => <MediaDetails workspaceId={workspaceId} row={row} issues={issues} />,
        mediaPreview: (mediaId, files) => <MediaPreview workspaceId={workspaceId} mediaId={mediaId} files={files} />,
        refusalCard: (kind, row, refusal) => <SyncErrorCard row={{ ...row, kind }} refusal={refusal} />,
      }}
    />
  );
}, LOADING);
/** Loaded with the first media file shown. */
const MediaDetails = lazyComponent(async () => (await import('../media/MediaDetails.tsx')).MediaDetails);
/** Loaded with the first rejected row: few rows have one. */
const SyncErrorCard = lazyComponent(async () => (await import('../sync/RefusalGroups.tsx')).SyncErrorCard);
const PANES = { change: ChangePane, ideas: IdeasPane, details: DetailsPane };

interface RightPaneProps {
  readonly workspaceId: string;
  readonly view: OpenView | null;
}

/** The right pane: tools that change rows, ideas for more rows, and the details of selected ones. */
export const RightPane = memo(function RightPane({ workspaceId, view }: RightPaneProps) {
  const { store, openGrid } = useAppContext();
  const tab = useView((s) => s.paneTab);
  const id = useId();
  const Pane = PANES[tab];
  return (
    <div className={styles['right']}>
      <div className={styles['right-tabs']}>
        <TabList label={texts.tabs}>
          {PANE_TABS.map((each) => (
            <Tab
              key={each}
              id={`${id}-${each}`}
              isOpen={each === tab}
              aria-controls={`${id}-panel`}
              onClick={() => store.getState().openPane(each)}
            >
              {texts.names[each]}
            </Tab>
          ))}
        </TabList>
        <ActionIcon
          size={24}
          variant="subtle"
          aria-label={texts.close}
          onClick={() => {
            store.getState().closePane();
            openGrid.current?.focus();
          }}
        >
          <IconX size={16} stroke={1.75} />
        </ActionIcon>
      </div>
      <div className={styles['right-panel']} role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tab}`}>
        <Pane workspaceId={workspaceId} view={view} />
      </div>
    </div>
  );
});
