import { ActionIcon, Button, Checkbox, Menu, Popover, TextInput, Tooltip } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconBell,
  IconClockPlay,
  IconCloudUp,
  IconCommand,
  IconFileImport,
  IconLayoutBottombar,
  IconLayoutSidebar,
  IconLayoutSidebarRight,
  IconMoon,
  IconPhotoPlus,
  IconPlus,
  IconRefresh,
  type TablerIcon,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Account } from '../../../shared/api/accounts.ts';
import { type QuietHours as Hours, isTimeOfDay } from '../../../shared/model/plain-date.ts';
import { useApi, useAppContext, useView } from '../../app/app-context.ts';
import { type CommandId, commandOf, commandTexts } from '../../app/commands.ts';
import { countText, timeText } from '../../app/locale/numbers.ts';
import type { AppNotification } from '../../app/store/app-store.ts';
import { appTexts } from '../../app/texts.ts';
import { useCommandContext, useKeys } from '../../app/use-shortcuts.ts';
import { Chip } from '../../components/Chip.tsx';
import { Empty } from '../../components/Empty.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import { AccountSwitcher } from '../accounts/AccountSwitcher.tsx';
import styles from './shell.module.css';

const texts = {
  syncButton: 'Sync',
  toolbar: 'Main toolbar',
  importWord: 'Import',
  colours: 'Appearance and formats',
  button: (unread: number) => (unread === 0 ? 'Notifications' : `Notifications, ${countText(unread)} new`),
  title: 'Notifications',
  none: 'No notifications',
  noneText: 'Finished syncs, review results, processed videos, reports and problems are listed here.',
  clear: 'Clear all',
  go: 'Show',
  quiet: 'Quiet hours',
  quietText: 'No pop-up notifications during these hours. Everything is still listed here.',
  from: 'From',
  to: 'To',
} as const;

/** The main commands. One filled button: Sync. */
export function Toolbar({ account }: { readonly account: Account }) {
  const api = useApi();
  const context = useCommandContext();
  const syncKeys = useKeys('sync.plan');
  const figures = useQuery(api.workspace.summary.queryOptions({ input: { workspaceId: account.workspaceId } })).data;
  const running =
    useQuery(api.sync.report.queryOptions({ input: { workspaceId: account.workspaceId } })).data?.state === 'running';
  return (
    <section className={styles['toolbar']} data-pane aria-label={texts.toolbar}>
      <AccountSwitcher account={account} />
      <span className={styles['toolbar-line']} />
      <NewCampaignMenu />
      <ToolButton id="sheet.import" icon={IconFileImport} word={texts.importWord} />
      <ToolButton id="media.add" icon={IconPhotoPlus} />
      <span className={styles['toolbar-line']} />
      <ToolButton
        id="edit.undo"
        icon={IconArrowBackUp}
        what={figures?.undo ?? null}
        disabled={figures?.undo === null}
      />
      <ToolButton
        id="edit.redo"
        icon={IconArrowForwardUp}
        what={figures?.redo ?? null}
        disabled={figures?.redo === null}
      />
      <span className={ui['toolbar-gap']} />
      {account.practice && <ToolButton id="practice.clock" icon={IconClockPlay} />}
      <div className={styles['toolbar-view']}>
        <ToolButton id="pane.navigation" icon={IconLayoutSidebar} />
        <ToolButton id="pane.drawer" icon={IconLayoutBottombar} />
        <ToolButton id="pane.inspector" icon={IconLayoutSidebarRight} />
        <ThemeMenu />
      </div>
      <NotificationsButton />
      <ToolButton id="app.palette" icon={IconCommand} />
      <span className={styles['toolbar-line']} />
      <ToolButton id="sync.refresh" icon={IconRefresh} />
      <Button
        variant="filled"
        leftSection={<IconCloudUp size={16} stroke={1.5} aria-hidden="true" />}
        onClick={() => commandOf('sync.plan')?.run(context)}
        title={syncKeys ?? undefined}
        disabled={account.mode === 'read-only'}
      >
        {running ? appTexts.sync.running : texts.syncButton}
        {!running && figures !== undefined && figures.changed > 0 && ` (${countText(figures.changed)})`}
      </Button>
    </section>
  );
}

interface ToolButtonProps {
  readonly id: CommandId;
  readonly icon: TablerIcon;
  /** What the command would act on, such as the step to undo. */
  readonly what?: string | null;
  readonly disabled?: boolean;
  /** Said beside the icon where the window is wide enough: what a newcomer looks for first. */
  readonly word?: string;
}

function ToolButton({ id, icon: Icon, what = null, disabled = false, word }: ToolButtonProps) {
  const context = useCommandContext();
  const command = commandOf(id);
  const name = what === null ? commandTexts[id] : `${commandTexts[id]}: ${what}`;
  const shortcut = useKeys(id);
  const run = (): void => command?.run(context);
  return (
    <Tooltip label={shortcut === null ? name : `${name} (${shortcut})`} openDelay={400}>
      {word === undefined ? (
        <ActionIcon variant="subtle" color="gray" size={28} aria-label={name} disabled={disabled} onClick={run}>
          <Icon size={18} stroke={1.5} aria-hidden="true" />
        </ActionIcon>
      ) : (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<Icon size={18} stroke={1.5} aria-hidden="true" />}
          aria-label={name}
          classNames={{ root: styles['tool-word'] }}
          onClick={run}
        >
          {word}
        </Button>
      )}
    </Tooltip>
  );
}

const NEW: readonly CommandId[] = [
  'campaign.new-video',
  'campaign.new-sba',
  'campaign.new-auto',
  'campaign.new-manual',
  'campaign.add-by-id',
];

function NewCampaignMenu() {
  return (
    <CommandMenu
      ids={NEW}
      target={
        <Button variant="subtle" color="gray" leftSection={<IconPlus size={16} stroke={1.5} aria-hidden="true" />}>
          {appTexts.create.title}
        </Button>
      }
    />
  );
}

function ThemeMenu() {
  return (
    <CommandMenu
      ids={['theme.light', 'theme.dark', 'theme.system', 'locale.choose']}
      target={
        <ActionIcon variant="subtle" color="gray" size={28} aria-label={texts.colours} title={texts.colours}>
          <IconMoon size={18} stroke={1.5} aria-hidden="true" />
        </ActionIcon>
      }
    />
  );
}

function CommandMenu({ ids, target }: { readonly ids: readonly CommandId[]; readonly target: ReactElement }) {
  const context = useCommandContext();
  return (
    <Menu position="bottom-start">
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        {ids.map((id) => {
          const command = commandOf(id);
          return (
            <Menu.Item key={id} onClick={() => command?.run(context)} rightSection={<Keys id={id} />}>
              {commandTexts[id]}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

function Keys({ id }: { readonly id: CommandId }) {
  const keys = useKeys(id);
  return keys === null ? null : <kbd>{keys}</kbd>;
}

const SIGNS = { good: '✓', bad: '!', plain: 'i' } as const;
const BADGES = {
  good: `${ui['badge']} ${ui['badge-good']}`,
  bad: `${ui['badge']} ${ui['badge-error']}`,
  plain: ui['badge'],
} as const;

/** A bell with the number of things that happened unseen, and the list of them. */
function NotificationsButton() {
  const { store } = useAppContext();
  const [opened, setOpened] = useState(false);
  const news = useView((s) => s.news);
  const unread = useView((s) => s.unread);
  const open = (next: boolean): void => {
    setOpened(next);
    if (next) store.getState().readNews();
  };
  return (
    <Popover opened={opened} onChange={open} position="bottom-end" width={420} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={texts.button(unread)}
          title={texts.button(unread)}
          className={styles['news-button']}
          onClick={() => open(!opened)}
        >
          <IconBell size={18} stroke={1.5} aria-hidden="true" />
          {unread > 0 && (
            <span className={styles['news-count']} aria-hidden="true">
              {countText(unread)}
            </span>
          )}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.title} className={styles['news']}>
        <div className={styles['news-head']}>
          <h2 className={ui['plain-heading']}>{texts.title}</h2>
          {news.length > 0 && <Chip onClick={() => store.getState().clearNews()}>{texts.clear}</Chip>}
        </div>
        {news.length === 0 ? (
          <Empty title={texts.none} text={texts.noneText} />
        ) : (
          <ul className={`${ui['lines']} ${styles['news-list']}`} aria-label={texts.title}>
            {news.map((entry) => (
              <NewsLine key={entry.id} entry={entry} onGo={() => setOpened(false)} />
            ))}
          </ul>
        )}
        <QuietHours />
      </Popover.Dropdown>
    </Popover>
  );
}

function NewsLine({ entry, onGo }: { readonly entry: AppNotification; readonly onGo: () => void }) {
  const { store, actions } = useAppContext();
  const now = useNow();
  const here = useView((s) => s.workspaceId);
  const account = useQuery(useApi().accounts.list.queryOptions()).data?.find(
    ({ workspaceId }) => workspaceId === entry.workspaceId,
  );
  const go = (): void => {
    onGo();
    if (account !== undefined && account.workspaceId !== here) actions.openAccount(account.workspaceId);
    const { showTab, openLaunch, goTo, show } = store.getState();
    if (entry.place === 'sync') goTo({ kind: 'campaign', campaignId: null });
    if (entry.place === 'sync') showTab('sync');
    if (entry.place === 'reviews') openLaunch('reviews');
    if (entry.place === 'changes') goTo({ kind: 'campaign', campaignId: null });
    if (entry.place === 'changes') showTab('changes');
    if (entry.place === 'media') goTo({ kind: 'media', campaignId: null });
    if (entry.place === 'reports') store.getState().openPlace('reports');
    if (entry.place === 'backups') show({ name: 'backups' });
    if (entry.place === 'access') show({ name: 'secrets' });
  };
  const where = account !== undefined && account.workspaceId !== here ? account.name : '';
  return (
    <li className={styles['news-line']}>
      <span className={BADGES[entry.tone]} aria-hidden="true">
        {SIGNS[entry.tone]}
      </span>
      <span className={styles['news-text']}>
        {entry.text}
        <span className={`${ui['quiet']} ${styles['news-when']}`}>
          {timeText(entry.at, now)} {where}
        </span>
      </span>
      {entry.place !== null && (
        <Chip aria-label={`${texts.go}: ${entry.text}`} onClick={go}>
          {texts.go}
        </Chip>
      )}
    </li>
  );
}

const NIGHT: Hours = { from: '20:00', to: '07:00' };

/** When no notes of the system may pop up, for everybody who uses Adslate on this computer. */
function QuietHours() {
  const { actions } = useAppContext();
  const stored = useQuery(useApi().app.preferences.get.queryOptions()).data;
  if (stored === undefined) return null;
  const { quietHours } = stored;
  const keep = (hours: Hours | null): void => void actions.remember({ quietHours: hours });
  const time = (end: 'from' | 'to', hours: Hours) => (
    <TextInput
      size="xs"
      type="time"
      aria-label={`${texts.quiet}: ${texts[end]}`}
      key={hours[end]}
      defaultValue={hours[end]}
      onBlur={({ currentTarget: { value } }) => {
        if (isTimeOfDay(value) && value !== hours[end]) keep({ ...hours, [end]: value });
      }}
    />
  );
  return (
    <div className={styles['news-quiet']}>
      <Checkbox
        checked={quietHours !== null}
        label={texts.quiet}
        description={texts.quietText}
        onChange={(event) => keep(event.currentTarget.checked ? NIGHT : null)}
      />
      {quietHours !== null && (
        <span className={styles['news-hours']}>
          {time('from', quietHours)}
          <span aria-hidden="true">–</span>
          {time('to', quietHours)}
        </span>
      )}
    </div>
  );
}
