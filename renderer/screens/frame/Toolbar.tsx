import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
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
import type { ReactElement } from 'react';
import type { Account } from '../../../shared/contract/accounts.ts';
import { commandOf } from '../../app/commands.ts';
import { useCommandContext, useKeys } from '../../app/use-shortcuts.ts';
import { summary } from '../../data/questions.ts';
import { report } from '../../data/sync-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { type CommandId, en } from '../../messages/en.ts';
import { countText } from '../../messages/numbers.ts';
import { AccountSwitcher } from '../accounts/AccountSwitcher.tsx';
import { NotificationsButton } from './NewsButton.tsx';

/** The main commands. One filled button: Sync. */
export function Toolbar({ account }: { readonly account: Account }) {
  const context = useCommandContext();
  const syncKeys = useKeys('sync.plan');
  const figures = useQuery(summary(account.workspaceId)).data;
  const running = useQuery(report(account.workspaceId)).data?.state === 'running';
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
