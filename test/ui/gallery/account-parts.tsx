import { Menu } from '@mantine/core';
import { App } from '../../../renderer/app/App.tsx';
import { AboutDialog } from '../../../renderer/screens/about/AboutDialog.tsx';
import { AccountChoices } from '../../../renderer/screens/accounts/AccountChoices.tsx';
import { AccountSwitcher } from '../../../renderer/screens/accounts/AccountSwitcher.tsx';
import { Capabilities } from '../../../renderer/screens/accounts/Capabilities.tsx';
import { ConflictRules } from '../../../renderer/screens/accounts/ConflictRules.tsx';
import { ConnectDialog } from '../../../renderer/screens/accounts/ConnectDialog.tsx';
import { ConnectSteps } from '../../../renderer/screens/accounts/ConnectSteps.tsx';
import { CONNECT_STEPS } from '../../../renderer/screens/accounts/connect-steps.ts';
import { ProfileFields } from '../../../renderer/screens/accounts/ProfileFields.tsx';
import type { ProfileField } from '../../../renderer/screens/accounts/profile-fields.ts';
import { SecretsDialog } from '../../../renderer/screens/accounts/SecretsDialog.tsx';
import { SettingsDialog } from '../../../renderer/screens/accounts/SettingsDialog.tsx';
import { Welcome } from '../../../renderer/screens/accounts/Welcome.tsx';
import { LocaleDialog } from '../../../renderer/screens/locale/LocaleDialog.tsx';
import type { Account } from '../../../shared/contract/accounts.ts';
import type { SecretsGrade, SecretsStatus } from '../../../shared/contract/secrets.ts';
import { asWorkspaceId } from '../../../shared/model/scalars.ts';
import { CAPABILITY_NAMES } from '../../../shared/plan/capabilities.ts';
import { DOCUMENT_LIMITS } from '../../../shared/profile/document-limits.ts';
import { createMemoryDesk } from '../memory-connection.ts';
import { answering, never, os } from './answers.ts';
import { ACCOUNT, WORKSPACE } from './examples.ts';
import { each, type Part } from './part.ts';
import { staged } from './Stage.tsx';

const MODES: Readonly<Record<Account['mode'], true>> = { normal: true, confirm: true, 'read-only': true };
const GRADES: Readonly<Record<SecretsGrade, true>> = { keyring: true, passphrase: true, memory: true };
const REFUSALS: Readonly<Record<NonNullable<SecretsStatus['problem']>, true>> = {
  'store-changed': true,
  'store-closed': true,
  damaged: true,
};
const STEPS = Object.fromEntries(CONNECT_STEPS.map((step) => [step, true])) as Record<
  (typeof CONNECT_STEPS)[number],
  true
>;

const secrets = (part: Partial<SecretsStatus>) => {
  const status: SecretsStatus = {
    grade: 'keyring',
    state: 'open',
    problem: null,
    store: 'the system keyring',
    offered: ['keyring', 'passphrase', 'memory'],
    ...part,
  };
  return staged({ answers: { secrets: { status: os.secrets.status.handler(() => status) } } }, <SecretsDialog />);
};

/** More accounts than fit without a search. */
const many = {
  accounts: {
    list: os.accounts.list.handler(() =>
      Array.from({ length: 12 }, (_, i) => ({
        ...ACCOUNT,
        workspaceId: asWorkspaceId(`account-${i}`),
        name: `Northwind ${i + 1}`,
        practice: i === 0,
      })),
    ),
  },
};
const choices = (
  <Menu opened>
    <Menu.Target>
      <button type="button">Accounts</button>
    </Menu.Target>
    <Menu.Dropdown>
      <AccountChoices openId="account-1" />
    </Menu.Dropdown>
  </Menu>
);

const FIELDS: readonly ProfileField[] = [
  { key: 'batch.max', name: 'Changes in one request', group: 'pace', value: '40', isAmount: true, usual: '50' },
  { key: 'bid.min', name: 'Lowest bid', group: 'money', value: '0.20', isAmount: true, usual: '0.20' },
];
const fields = (list: readonly ProfileField[]) => <ProfileFields fields={list} typed={{}} onType={() => {}} />;

const GERMAN = { colorScheme: 'system', lastWorkspaceId: null, locale: 'de-DE', quietHours: null, layout: {} } as const;
const settings = <SettingsDialog account={ACCOUNT} />;
const keeping = (text: string) =>
  staged(
    { answers: { conflictPolicy: { get: os.conflictPolicy.get.handler(() => ({ text })) } } },
    <ConflictRules workspaceId={WORKSPACE} />,
  );
const capabilities = (offered: boolean | null) => {
  const list = os.accounts.capabilities.handler(() =>
    CAPABILITY_NAMES.map((name, at) => ({
      name,
      offered,
      seenAt: offered === null ? null : Date.UTC(2026, 4, 4),
      set: at === 0 ? false : null,
      inUse: at !== 0 && offered === true,
    })),
  );
  return staged({ answers: { accounts: { capabilities: list } } }, <Capabilities workspaceId={WORKSPACE} />);
};
const profile = os.accounts.profile.handler(() => ({
  text: 'batch.max=40\nbid.min=0.20\n',
  differences: [{ key: 'batch.max', value: '40', usual: '50' }],
  notes: ['"snapshot.ttlHours" is no longer used, and its line is ignored. Remove the line.'],
  limits: DOCUMENT_LIMITS,
}));

const window_ = (part: Partial<ReturnType<typeof createMemoryDesk>['connection']>, accounts = 0) => {
  const { connection } = createMemoryDesk({ accounts });
  return <App connection={{ ...connection, ...part }} />;
};
const { client } = createMemoryDesk().connection;

/** Where an account begins, how it is reached, and what Adslate says of itself. */
export const ACCOUNT_PARTS: readonly Part[] = [
  {
    name: 'App',
    isWide: true,
    states: {
      'first run': window_({}),
      connecting: window_({ client: answering(client, { accounts: { list: os.accounts.list.handler(never) } }) }),
      'signed out': window_({ state: () => 'signed-out' }),
    },
  },
  {
    name: 'Welcome',
    isWide: true,
    states: {
      'first run': staged({}, <Welcome onPractice={never} />),
      starting: staged({ press: ['Start practising'] }, <Welcome onPractice={never} />),
    },
  },
  {
    name: 'AccountSwitcher',
    states: {
      ...each(MODES, (mode) => staged({}, <AccountSwitcher account={{ ...ACCOUNT, mode }} />)),
      practice: staged({}, <AccountSwitcher account={{ ...ACCOUNT, practice: true }} />),
      locked: staged({}, <AccountSwitcher account={{ ...ACCOUNT, secrets: 'locked' }} />),
      open: staged({ answers: many, press: ['Switch account'] }, <AccountSwitcher account={ACCOUNT} />),
    },
  },
  { name: 'AccountChoices', states: { one: staged({}, choices), many: staged({ answers: many }, choices) } },
  {
    name: 'ConnectDialog',
    isWide: true,
    states: {
      empty: staged({}, <ConnectDialog />),
      'asked too early': staged({ press: ['Connect'] }, <ConnectDialog />),
    },
  },
  {
    name: 'ConnectSteps',
    states: {
      'under way': <ConnectSteps failedAt={null} />,
      ...each(STEPS, (step) => <ConnectSteps failedAt={step} />),
    },
  },
  {
    name: 'SecretsDialog',
    isWide: true,
    states: {
      ...each(GRADES, (grade) => secrets({ grade })),
      ...each(REFUSALS, (problem) => secrets({ state: 'refused', problem })),
      locked: secrets({ grade: 'passphrase', state: 'locked' }),
    },
  },
  {
    name: 'SettingsDialog',
    isWide: true,
    states: {
      reading: staged({ answers: { accounts: { profile: os.accounts.profile.handler(never) } } }, settings),
      'as usual': staged({}, settings),
      'otherwise than usual': staged({ answers: { accounts: { profile } } }, settings),
      failed: staged(
        {
          answers: {
            accounts: {
              profile: os.accounts.profile.handler(({ errors }) => {
                throw errors.NO_WORKSPACE({ data: { workspaceId: WORKSPACE } });
              }),
            },
          },
        },
        settings,
      ),
    },
  },
  {
    name: 'Capabilities',
    isWide: true,
    states: {
      'not checked': capabilities(null),
      'all offered': capabilities(true),
      'none offered': capabilities(false),
    },
  },
  {
    name: 'ConflictRules',
    isWide: true,
    states: {
      ask: keeping(''),
      'one side': keeping('gone=ask,other=mine'),
      'by field': keeping('bid=mine,gone=ask'),
    },
  },
  { name: 'ProfileFields', states: { some: fields(FIELDS), none: fields([]) } },
  {
    name: 'LocaleDialog',
    states: {
      'of the system': staged({}, <LocaleDialog />),
      chosen: staged(
        { answers: { app: { preferences: { get: os.app.preferences.get.handler(() => GERMAN) } } } },
        <LocaleDialog />,
      ),
    },
  },
  {
    name: 'AboutDialog',
    isWide: true,
    states: {
      support: staged(
        {
          answers: {
            app: { support: os.app.support.handler(() => ({ fileName: 'support.txt', text: 'Adslate 0.1.0' })) },
          },
        },
        <AboutDialog />,
      ),
      'not brought along': staged({ press: ['Licences'] }, <AboutDialog />),
      reading: staged({ answers: { app: { support: os.app.support.handler(never) } } }, <AboutDialog />),
    },
  },
];
