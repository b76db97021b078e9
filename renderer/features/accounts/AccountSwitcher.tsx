import { Button, Menu } from '@mantine/core';
import {
  IconAdjustments,
  IconChevronDown,
  IconHistory,
  IconKey,
  IconListCheck,
  IconPencil,
  IconPlugConnected,
  IconSchool,
  IconTrash,
  type TablerIcon,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account } from '../../../shared/api/accounts.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { addPractice } from '../../app/command-handlers.ts';
import { en } from '../../texts/en.ts';
import { enAnnotations } from '../../texts/en-annotations.ts';

const MODES: readonly Account['mode'][] = ['normal', 'confirm', 'read-only'];

/** Which account is open, in its own colour; the others; how this one may send; and everything about it. */
export function AccountSwitcher({ account }: { readonly account: Account }) {
  const { actions } = useAppContext();
  return (
    <Menu position="bottom-start" width={300}>
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
          {account.mode !== 'normal' && (
            <span className="badge badge-warning account-badge">{en.account.mode[account.mode]}</span>
          )}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className="account-menu">
        <AccountChoices openId={account.workspaceId} />
        <Menu.Divider />
        <Menu.Label>{en.account.modeLabel}</Menu.Label>
        <Menu.RadioGroup
          value={account.mode}
          onChange={(chosen) => {
            const mode = MODES.find((each) => each === chosen);
            if (mode !== undefined) void actions.setMode(account.workspaceId, mode);
          }}
        >
          {MODES.map((mode) => (
            <Menu.RadioItem key={mode} value={mode}>
              {en.account.mode[mode]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Entries account={account} />
      </Menu.Dropdown>
    </Menu>
  );
}

function Entries({ account }: { readonly account: Account }) {
  const api = useApi();
  const desk = useAppContext();
  const { show } = desk.store.getState();
  const changed =
    useQuery(api.workspace.summary.queryOptions({ input: { workspaceId: account.workspaceId } })).data?.changed ?? 0;
  const rename = (): void =>
    show({
      name: 'name',
      title: enAnnotations.renameTitle,
      label: enAnnotations.accountName,
      hint: '',
      value: account.name,
      button: enAnnotations.rename,
      run: (name) => void desk.actions.renameAccount(account.workspaceId, name),
    });
  const remove = (): void =>
    show({
      name: 'confirm',
      title: en.account.removeTitle,
      text: en.account.removeText(account.name, changed),
      keep: en.account.removeKeep,
      button: en.account.removeButton,
      run: () => void desk.actions.removeAccount(account.workspaceId),
    });
  return (
    <>
      <Entry icon={IconAdjustments} text={en.commands['account.settings']} run={() => show({ name: 'settings' })} />
      <Entry icon={IconListCheck} text={en.commands['account.rules']} run={() => show({ name: 'rules' })} />
      <Entry icon={IconHistory} text={en.commands['account.backups']} run={() => show({ name: 'backups' })} />
      <Entry icon={IconPencil} text={enAnnotations.renameAccount} run={rename} />
      <Entry icon={IconTrash} text={en.account.remove} run={remove} />
      <Menu.Divider />
      <Entry icon={IconSchool} text={en.account.addPractice} run={() => void addPractice(desk)} />
      <Entry icon={IconPlugConnected} text={en.account.connect} run={() => show({ name: 'connect' })} />
      <Entry icon={IconKey} text={en.commands['account.secrets']} run={() => show({ name: 'secrets' })} />
    </>
  );
}

interface EntryProps {
  readonly icon: TablerIcon;
  readonly text: string;
  readonly run: () => void;
}

function Entry({ icon: Icon, text, run }: EntryProps) {
  return (
    <Menu.Item leftSection={<Icon size={15} stroke={1.5} aria-hidden="true" />} onClick={run}>
      {text}
    </Menu.Item>
  );
}

/** From so many accounts on they are looked for by name instead of by eye. */
const FEW = 8;

/** The accounts of this computer, the open one ticked; many of them scroll and are found by typing. */
function AccountChoices({ openId }: { readonly openId: string }) {
  const api = useApi();
  const { actions } = useAppContext();
  const [words, setWords] = useState('');
  const list = useQuery(api.accounts.list.queryOptions()).data ?? [];
  const wanted = words.trim().toLowerCase();
  const shown = list.filter(({ name, advertiserId }) => `${name} ${advertiserId}`.toLowerCase().includes(wanted));
  return (
    <>
      {list.length > FEW && (
        <input
          className="input account-search"
          type="search"
          aria-label={en.account.find}
          placeholder={en.account.find}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      )}
      <div className="account-choices">
        {shown.map((other) => (
          <Menu.Item
            key={other.workspaceId}
            aria-current={other.workspaceId === openId ? 'true' : undefined}
            onClick={() => actions.openAccount(other.workspaceId)}
            leftSection={<AccountDot color={other.color} />}
            rightSection={other.practice && <span className="badge">{en.account.practice}</span>}
          >
            {other.name} <span className="numeric">{other.advertiserId}</span>
          </Menu.Item>
        ))}
        {shown.length === 0 && <p className="quiet account-none">{en.account.noneFound}</p>}
      </div>
    </>
  );
}

function AccountDot({ color }: { readonly color: string }) {
  const style: Record<string, string> = { '--account': color };
  return <span className="account-dot" style={style} />;
}
