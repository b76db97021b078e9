import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconKey, IconPencil, IconPlugConnected, IconSchool, IconTrash } from '@tabler/icons-react';
import type { Account } from '../../../shared/contract/accounts.ts';
import { addPractice } from '../../app/command-doings.ts';
import { useDesk } from '../../app/desk.ts';
import { accounts, summary } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { enNotes } from '../../messages/en-notes.ts';

const MODES: readonly Account['mode'][] = ['normal', 'confirm', 'read-only'];

/** Which account is open, in its own colour; the others; and how this one may send. */
export function AccountSwitcher({ account }: { readonly account: Account }) {
  const desk = useDesk();
  const list = useQuery(accounts).data ?? [];
  const changed = useQuery(summary(account.workspaceId)).data?.changed ?? 0;
  return (
    <Menu position="bottom-start" width={280}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<span className="account-dot" />}
          rightSection={<IconChevronDown size={14} stroke={1.5} aria-hidden="true" />}
        >
          <span className="spoken-only">{en.account.switch}: </span>
          {account.name}
          {account.practice && <span className="badge account-badge">{en.account.practice}</span>}
          {account.secrets === 'locked' && (
            <span className="badge badge-warning account-badge">{en.account.locked}</span>
          )}
          {account.mode === 'read-only' && (
            <span className="badge badge-warning account-badge">{en.account.mode['read-only']}</span>
          )}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {list.map((other) => (
          <Menu.Item
            key={other.workspaceId}
            onClick={() => desk.actions.openAccount(other.workspaceId)}
            leftSection={<AccountDot color={other.color} />}
            rightSection={other.practice && <span className="badge">{en.account.practice}</span>}
          >
            {other.name} <span className="numeric">{other.advertiserId}</span>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{en.account.modeLabel}</Menu.Label>
        <Menu.RadioGroup
          value={account.mode}
          onChange={(chosen) => {
            const mode = MODES.find((each) => each === chosen);
            if (mode !== undefined) void desk.actions.setMode(account.workspaceId, mode);
          }}
        >
          {MODES.map((mode) => (
            <Menu.RadioItem key={mode} value={mode}>
              {en.account.mode[mode]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconSchool size={15} stroke={1.5} aria-hidden="true" />}
          onClick={() => void addPractice(desk)}
        >
          {en.account.addPractice}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconPlugConnected size={15} stroke={1.5} aria-hidden="true" />}
          onClick={() => desk.store.getState().show({ name: 'connect' })}
        >
          {en.account.connect}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconKey size={15} stroke={1.5} aria-hidden="true" />}
          onClick={() => desk.store.getState().show({ name: 'secrets' })}
        >
          {en.commands['account.secrets']}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconPencil size={15} stroke={1.5} aria-hidden="true" />}
          onClick={() =>
            desk.store.getState().show({
              name: 'name',
              title: enNotes.renameTitle,
              label: enNotes.accountName,
              hint: '',
              value: account.name,
              button: enNotes.rename,
              run: (name) => void desk.actions.renameAccount(account.workspaceId, name),
            })
          }
        >
          {enNotes.renameAccount}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconTrash size={15} stroke={1.5} aria-hidden="true" />}
          onClick={() =>
            desk.store.getState().show({
              name: 'confirm',
              title: en.account.removeTitle,
              text: en.account.removeText(account.name, changed),
              keep: en.account.removeKeep,
              button: en.account.removeButton,
              run: () => void desk.actions.removeAccount(account.workspaceId),
            })
          }
        >
          {en.account.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function AccountDot({ color }: { readonly color: string }) {
  const style: Record<string, string> = { '--account': color };
  return <span className="account-dot" style={style} />;
}
