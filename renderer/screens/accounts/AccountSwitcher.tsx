import { Button, Menu } from '@mantine/core';
import { IconCheck, IconChevronDown, IconPlugConnected, IconSchool } from '@tabler/icons-react';
import type { Account } from '../../../shared/contract/accounts.ts';
import { addPractice } from '../../app/command-doings.ts';
import { useDesk } from '../../app/desk.ts';
import { accounts } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';

const MODES: readonly Account['mode'][] = ['normal', 'confirm', 'read-only'];

/** Which account is open, in its own colour; the others; and how this one may send. */
export function AccountSwitcher({ account }: { readonly account: Account }) {
  const desk = useDesk();
  const list = useQuery(accounts).data ?? [];
  return (
    <Menu position="bottom-start" width={280}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          aria-label={`${en.account.switch}: ${account.name}`}
          leftSection={<span className="account-dot" />}
          rightSection={<IconChevronDown size={14} stroke={1.5} aria-hidden="true" />}
        >
          {account.name}
          {account.practice && <span className="badge account-badge">{en.account.practice}</span>}
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
            {other.name} <span className="quiet numeric">{other.advertiserId}</span>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{en.account.modeLabel}</Menu.Label>
        {MODES.map((mode) => (
          <Menu.Item
            key={mode}
            role="menuitemradio"
            aria-checked={mode === account.mode}
            onClick={() => void desk.actions.setMode(account.workspaceId, mode)}
            leftSection={<IconCheck size={14} stroke={2} opacity={mode === account.mode ? 1 : 0} aria-hidden="true" />}
          >
            {en.account.mode[mode]}
          </Menu.Item>
        ))}
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
      </Menu.Dropdown>
    </Menu>
  );
}

function AccountDot({ color }: { readonly color: string }) {
  const style: Record<string, string> = { '--account': color };
  return <span className="account-dot" style={style} />;
}
