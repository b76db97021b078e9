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
import { commandOf } from '../../app/commands.ts';
import type { AppNotification } from '../../app/store/app-store.ts';
import { useCommandContext, useKeys } from '../../app/use-shortcuts.ts';
import { Empty } from '../../components/Empty.tsx';
import { useNow } from '../../components/use-now.ts';
import { type CommandId, en } from '../../texts/en.ts';
import { enNotifications as texts } from '../../texts/en-notifications.ts';
import { countText, timeText } from '../../texts/numbers.ts';
import { AccountSwitcher } from '../accounts/AccountSwitcher.tsx';

/** The main commands. One filled button: Sync. */
export function Toolbar({ account }: { readonly account: Account }) {
  const api = useApi();
  const context = useCommandContext();
  const syncKeys = useKeys('sync.plan');
  const figures = useQuery(api.workspace.summary.queryOptions({ input: { workspaceId: account.workspaceId } })).data;
  const running =
    useQuery(api.sync.report.queryOptions({ input: { workspaceId: account.workspaceId } })).data?.state === 'running';
  return (
    <section className="toolbar" data-pane aria-label={en.frame.toolbar}>
      <AccountSwitcher account={account} />
      <span className="toolbar-line" />
      <NewCampaignMenu />
      <ToolButton id="sheet.import" icon={IconFileImport} word={en.frame.importWord} />
      <ToolButton id="media.add" icon={IconPhotoPlus} />
      <span className="toolbar-line" />
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
      <span className="toolbar-gap" />
      {account.practice && <ToolButton id="practice.clock" icon={IconClockPlay} />}
      <div className="toolbar-view">
        <ToolButton id="pane.navigation" icon={IconLayoutSidebar} />
        <ToolButton id="pane.drawer" icon={IconLayoutBottombar} />
        <ToolButton id="pane.inspector" icon={IconLayoutSidebarRight} />
        <ThemeMenu />
      </div>
      <NotificationsButton />
      <ToolButton id="app.palette" icon={IconCommand} />
      <span className="toolbar-line" />
      <ToolButton id="sync.refresh" icon={IconRefresh} />
      <Button
        variant="filled"
        leftSection={<IconCloudUp size={16} stroke={1.5} aria-hidden="true" />}
        onClick={() => commandOf('sync.plan')?.run(context)}
        title={syncKeys ?? undefined}
        disabled={account.mode === 'read-only'}
      >
        {running ? en.sync.running : en.sync.button}
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
  const name = what === null ? en.commands[id] : `${en.commands[id]}: ${what}`;
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
          classNames={{ root: 'tool-word' }}
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
          {en.create.title}
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
        <ActionIcon variant="subtle" color="gray" size={28} aria-label={en.colours} title={en.colours}>
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
              {en.commands[id]}
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
const BADGES = { good: 'badge badge-good', bad: 'badge badge-error', plain: 'badge' } as const;

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
          className="news-button"
          onClick={() => open(!opened)}
        >
          <IconBell size={18} stroke={1.5} aria-hidden="true" />
          {unread > 0 && (
            <span className="news-count" aria-hidden="true">
              {countText(unread)}
            </span>
          )}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.title} className="news">
        <div className="news-head">
          <h2 className="plain-heading">{texts.title}</h2>
          {news.length > 0 && (
            <button type="button" className="chip" onClick={() => store.getState().clearNews()}>
              {texts.clear}
            </button>
          )}
        </div>
        {news.length === 0 ? (
          <Empty title={texts.none} text={texts.noneText} />
        ) : (
          <ul className="lines news-list" aria-label={texts.title}>
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
  const api = useApi();
  const { store, actions } = useAppContext();
  const now = useNow();
  const here = useView((s) => s.workspaceId);
  const account = useQuery(api.accounts.list.queryOptions()).data?.find(
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
    if (entry.place === 'reports') store.getState().openReports();
    if (entry.place === 'backups') show({ name: 'backups' });
    if (entry.place === 'access') show({ name: 'secrets' });
  };
  const where = account !== undefined && account.workspaceId !== here ? account.name : '';
  return (
    <li className="news-line">
      <span className={BADGES[entry.tone]} aria-hidden="true">
        {SIGNS[entry.tone]}
      </span>
      <span className="news-text">
        {entry.text}
        <span className="quiet news-when">
          {timeText(entry.at, now)} {where}
        </span>
      </span>
      {entry.place !== null && (
        <button type="button" className="chip" aria-label={`${texts.go}: ${entry.text}`} onClick={go}>
          {texts.go}
        </button>
      )}
    </li>
  );
}

const NIGHT: Hours = { from: '20:00', to: '07:00' };

/** When no notes of the system may pop up, for everybody who uses Adslate on this computer. */
function QuietHours() {
  const api = useApi();
  const { actions } = useAppContext();
  const stored = useQuery(api.app.preferences.get.queryOptions()).data;
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
    <div className="news-quiet">
      <Checkbox
        size="xs"
        checked={quietHours !== null}
        label={texts.quiet}
        description={texts.quietText}
        onChange={(event) => keep(event.currentTarget.checked ? NIGHT : null)}
      />
      {quietHours !== null && (
        <span className="news-hours">
          {time('from', quietHours)}
          <span aria-hidden="true">–</span>
          {time('to', quietHours)}
        </span>
      )}
    </div>
  );
}
