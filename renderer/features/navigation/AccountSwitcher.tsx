import { Menu } from '@mantine/core';
import {
  IconAdjustments,
  IconHistory,
  IconKey,
  IconListCheck,
  IconPencil,
  IconPlugConnected,
  IconSchool,
  IconSelector,
  IconTrash,
  type TablerIcon,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account } from '../../../shared/api/accounts.ts';
import { textKey } from '../../../shared/model/text.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { addPractice, openSample } from '../../app/command-handlers.ts';
import { commandOf } from '../../app/commands.ts';
import { plural } from '../../app/locale/numbers.ts';
import { useServiceReachability } from '../../app/shared-queries.ts';
import { appTexts } from '../../app/texts.ts';
import { Dot } from '../../components/StatusShape.tsx';
import ui from '../../components/ui.module.css';
import styles from './navigation.module.css';

const texts = {
  switch: 'Switch account',
  find: 'Find account',
  noneFound: 'No matching accounts.',
  practice: 'Practice',
  addPractice: 'New practice account',
  practiceAccount: 'Practice account',
  connected: { online: 'Connected', offline: 'Offline', away: 'Service not responding' },
  locked: 'Locked',
  noSecrets: 'No key or token',
  connect: 'Connect account…',
  modeLabel: 'Sync mode',
  remove: 'Remove account…',
  removeSample: 'Delete sample account',
  sample: 'Sample, practice',
  askRemove: (name: string, changed: number) => ({
    title: 'Remove this account?',
    text: `Deletes all data of "${name}" from this computer${
      changed === 0 ? '' : `, including ${plural(changed, 'unsynced change')}`
    }. Data on the service is not affected.`,
    keep: 'Keep account',
    button: 'Remove account',
  }),
  renameAccount: 'Rename account…',
  renameTitle: 'Rename account',
  accountName: 'Account name',
  rename: 'Rename',
} as const;

const MODES: readonly Account['mode'][] = ['normal', 'confirm', 'read-only'];

/** The menu of accounts: the open one, the others, the send mode, and commands for the open account. */
export function AccountSwitcher({ account }: { readonly account: Account }) {
  const { actions } = useAppContext();
  const service = useServiceReachability(account.workspaceId);
  const isReady = account.practice || (service === 'online' && !['locked', 'none'].includes(account.secrets));
  return (
    <Menu position="bottom-start" width={300}>
      <Menu.Target>
        <button type="button" className={styles['account']}>
          <span className={styles['account-logo']} aria-hidden="true">
            {account.name.slice(0, 1).toUpperCase()}
          </span>
          <span className={styles['account-text']}>
            <span className={ui['spoken-only']}>{texts.switch}: </span>
            <span className={styles['account-name']}>{account.name}</span>
            <span className={styles['account-kind']}>
              <Dot tone={isReady ? 'good' : 'off'} text={kindText(account, service)} />
            </span>
          </span>
          <IconSelector size={16} stroke={1.75} aria-hidden="true" />
        </button>
      </Menu.Target>
      <Menu.Dropdown className={styles['account-menu']}>
        <AccountChoices openId={account.workspaceId} />
        <Menu.Divider />
        <Menu.Label>{texts.modeLabel}</Menu.Label>
        <Menu.RadioGroup
          value={account.mode}
          onChange={(chosen) => {
            const mode = MODES.find((each) => each === chosen);
            if (mode !== undefined) void actions.setMode(account.workspaceId, mode);
          }}
        >
          {MODES.map((mode) => (
            <Menu.RadioItem key={mode} value={mode}>
              {appTexts.account.mode[mode]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Entries account={account} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** The type of account, its current restriction, or whether its service can be reached. */
function kindText({ practice, isSample, secrets, mode }: Account, service: keyof typeof texts.connected): string {
  if (secrets === 'locked') return texts.locked;
  if (secrets === 'none' && !practice) return texts.noSecrets;
  if (mode !== 'normal') return appTexts.account.mode[mode];
  if (isSample) return texts.sample;
  return practice ? texts.practiceAccount : texts.connected[service];
}

function Entries({ account }: { readonly account: Account }) {
  const api = useApi();
  const app = useAppContext();
  const { openSettings, show } = app.store.getState();
  const changed =
    useQuery(api.workspace.summary.queryOptions({ input: { workspaceId: account.workspaceId } })).data?.changed ?? 0;
  const rename = (): void =>
    show({
      name: 'name',
      title: texts.renameTitle,
      label: texts.accountName,
      hint: '',
      value: account.name,
      button: texts.rename,
      run: async (name) => (await app.actions.renameAccount(account.workspaceId, name)) !== null,
    });
  const remove = (): void =>
    show({
      name: 'confirm',
      ...texts.askRemove(account.name, changed),
      run: () => void app.actions.removeAccount(account.workspaceId),
    });
  return (
    <>
      <Entry icon={IconAdjustments} text={commandOf('account.settings').title} run={() => openSettings('sync-mode')} />
      <Entry icon={IconListCheck} text={commandOf('account.rules').title} run={() => openSettings('rules')} />
      <Entry icon={IconHistory} text={commandOf('account.backups').title} run={() => openSettings('backups')} />
      <Entry icon={IconPencil} text={texts.renameAccount} run={rename} />
      {account.isSample ? (
        // Deletes without confirmation: a sample account can be added again with one click.
        <Entry
          icon={IconTrash}
          text={texts.removeSample}
          run={() => void app.actions.removeAccount(account.workspaceId)}
        />
      ) : (
        <Entry icon={IconTrash} text={texts.remove} run={remove} />
      )}
      <Menu.Divider />
      <Entry icon={IconSchool} text={commandOf('account.sample').title} run={() => void openSample(app)} />
      <Entry icon={IconSchool} text={texts.addPractice} run={() => void addPractice(app)} />
      <Entry icon={IconPlugConnected} text={texts.connect} run={() => show({ name: 'connect' })} />
      <Entry icon={IconKey} text={commandOf('account.secrets').title} run={() => openSettings('credentials')} />
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

/** From this number of accounts on, the menu has a search field. */
const FEW = 8;

/** The accounts on this computer, the open one checked; with many of them, scrollable and searchable. */
function AccountChoices({ openId }: { readonly openId: string }) {
  const { actions } = useAppContext();
  const [words, setWords] = useState('');
  const list = useQuery(useApi().accounts.list.queryOptions()).data ?? [];
  const wanted = textKey(words);
  const shown = list.filter(({ name, advertiserId }) => textKey(`${name} ${advertiserId}`).includes(wanted));
  return (
    <>
      {list.length > FEW && (
        <input
          className={`${ui['input']} ${styles['account-search']}`}
          type="search"
          aria-label={texts.find}
          placeholder={texts.find}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      )}
      <div className={styles['account-choices']}>
        {shown.map((other) => (
          <Menu.Item
            key={other.workspaceId}
            aria-current={other.workspaceId === openId ? 'true' : undefined}
            onClick={() => actions.openAccount(other.workspaceId)}
            leftSection={<AccountDot color={other.color} />}
            rightSection={other.practice && <span className={ui['badge']}>{texts.practice}</span>}
          >
            {other.name} <span className={ui['numeric']}>{other.advertiserId}</span>
          </Menu.Item>
        ))}
        {shown.length === 0 && <p className={`${ui['quiet']} ${styles['account-none']}`}>{texts.noneFound}</p>}
      </div>
    </>
  );
}

function AccountDot({ color }: { readonly color: string }) {
  const style: Record<string, string> = { '--account': color };
  return <span className={styles['account-dot']} style={style} />;
}
