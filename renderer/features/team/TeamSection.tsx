import { Button, FileInput, Group, PasswordInput, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, Fragment, useState } from 'react';
import type { Account } from '../../../shared/api/accounts.ts';
import type { TeamDesk, TeamStatus } from '../../../shared/api/team.ts';
import type { Result } from '../../../shared/result.ts';
import { useActions, useApi, useAppContext, useView } from '../../app/app-context.ts';
import { countText, plural, timeText } from '../../app/locale/numbers.ts';
import { Problem, Waiting } from '../../app/Problem.tsx';
import { type Fact, FactList } from '../../components/Figures.tsx';
import { Dot } from '../../components/StatusShape.tsx';
import { TableHead } from '../../components/TableHead.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { useNow } from '../../components/use-now.ts';
import { MembersSection } from './MembersSection.tsx';
import { SenderNotice } from './SenderNotice.tsx';
import styles from './team.module.css';
import { type ConnectionForm, teamActions } from './team-actions.ts';
import { CloseTeam, Moved, UpkeepSection } from './UpkeepSection.tsx';

const texts = {
  none: 'This account has no team. In a team, several people edit one account, each on their own computer. Edits are shared through a PostgreSQL database of your company.',
  create: 'Create a team',
  createText:
    'The account with its changes goes to the database, and you become the admin. The administrator prepares the database once with "adslate team init".',
  join: 'Join a team…',
  joinText: 'You have an invitation file and six words? Join as a new account.',
  fields: {
    display: 'Your name',
    computer: 'Name of this computer',
    hosts: 'Database host',
    database: 'Database',
    login: 'Login',
    password: 'Password',
    ca: 'Certificate of the authority (optional)',
  },
  hostsHint: 'For a cluster, list all hosts with commas between them. Example: db1.example.com:5432',
  choose: 'Choose a file…',
  missing: {
    display: 'Enter your name.',
    computer: 'Enter a name for this computer.',
    hosts: 'Enter the database host.',
    database: 'Enter the name of the database.',
    login: 'Enter the login.',
    password: 'Enter the password.',
  },
  enter: 'Enter the password of the database',
  enterText: (login: string) =>
    `Enter the password of ${login}. If no one knows it, enter a login that may create others. Adslate then sets a new password. Your team and your edits stay as they are.`,
  enterKeep:
    'Credentials in memory only are gone after a restart. To keep the password, choose another storage in Settings > Credentials.',
  enterButton: 'Connect',
  test: 'Test connection',
  createButton: 'Create team',
  states: {
    online: 'Connected',
    connecting: 'Connecting…',
    offline: 'Offline. Your edits are saved on this computer and shared when the database can be reached.',
    'no-access':
      'You no longer have access to this team. Edits not shared yet stay on this computer. Export them as a share file.',
    restoring: 'The database was restored from a backup. Adslate shares your edits again. Keep working.',
    damaged: 'Sharing stopped.',
    'old-version': 'The team uses a newer Adslate. Your edits stay on this computer. Update Adslate to share them.',
    locked: 'Credentials are locked. Unlock them in Settings to share your edits.',
    'no-password': 'The password of the database is needed. Your edits are saved here and shared when you enter it.',
    closed: 'An admin closed this team. You can edit your copy. Nothing is shared or sent.',
    moved: 'This team moved to another database.',
  },
  stateName: 'Connection',
  sinceName: 'Since',
  edits: 'Your edits',
  shared: 'All shared',
  notShared: (n: number) => `${countText(n)} not shared yet`,
  conflicts: (n: number) => plural(n, 'conflict'),
  log: 'Shared edits',
  logAt: (seen: number, head: number) =>
    seen === head ? 'All on this computer' : `${countText(seen)} of ${countText(head)} on this computer`,
  digest: 'Compared with colleagues',
  digests: { same: 'Same rows', differs: 'Different rows. Adslate reads them again from the database of the team.' },
  you: 'You',
  share: 'Share now',
  computers: 'Computers',
  headings: ['Computer', 'Member', 'Last seen', 'Shared edits', 'Access'],
  retire: 'Retire…',
  retireOf: (name: string, member: string) => `Retire ${name} of ${member}…`,
  askRetire: (name: string) => ({
    title: `Retire ${name}?`,
    text: 'This computer can no longer share or sync. What is on it stays there. Its edits that are not shared are not waited for.',
    keep: 'Keep computer',
    button: 'Retire computer',
  }),
  thisOne: 'this computer',
  revoked: 'no access',
  behind: (n: number) => (n === 0 ? 'all' : `${countText(n)} behind`),
  presence: 'Show who is here',
  presenceText: 'Initials at campaigns show where colleagues are. When it is off, they do not see you either.',
  leave: 'Leave team…',
  askLeave: (n: number) => ({
    title: 'Leave this team?',
    text:
      n === 0
        ? 'This account becomes a read-only copy. You need a new invitation to join again.'
        : `This account becomes a read-only copy. ${plural(n, 'edit')} that you have not shared ${n === 1 ? 'stays' : 'stay'} in it. You need a new invitation to join again.`,
    keep: 'Stay in team',
    button: 'Leave team',
  }),
} as const;

/** The team of an account: its state, members, computers and rules; without a team, ways to create or join one. */
export function TeamSection({ account }: { readonly account: Account }) {
  return account.hasTeam ? <Team workspaceId={account.workspaceId} /> : <NoTeam workspaceId={account.workspaceId} />;
}

const EMPTY: ConnectionForm = { hosts: '', database: '', login: '', password: '', ca: null };

function NoTeam({ workspaceId }: { readonly workspaceId: string }) {
  const { store } = useAppContext();
  const actions = useActions(teamActions);
  const [form, setForm] = useState(EMPTY);
  const [names, setNames] = useState({ display: '', computer: '' });
  const [asked, setAsked] = useState<'nothing' | 'test' | 'create'>('nothing');
  const [problem, setProblem] = useState<string | null>(null);
  const [found, setFound] = useState<Result<string, string> | null>(null);
  const [busy, during] = useBusy();
  const isWhole = [form.hosts, form.database, form.login, form.password].every((text) => text.trim() !== '');
  const set = (change: Partial<ConnectionForm>): void => {
    setForm((before) => ({ ...before, ...change }));
    setProblem(null);
    setFound(null);
  };
  const field = (name: Exclude<keyof ConnectionForm, 'ca'>) => ({
    size: 'xs' as const,
    label: texts.fields[name],
    value: form[name],
    error: asked !== 'nothing' && form[name].trim() === '' ? texts.missing[name] : null,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      set({ [name]: event.currentTarget.value }),
  });
  const name = (of: 'display' | 'computer') => ({
    size: 'xs' as const,
    maxLength: 60,
    label: texts.fields[of],
    value: names[of],
    error: asked === 'create' && names[of].trim() === '' ? texts.missing[of] : null,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      const { value } = event.currentTarget;
      setNames((before) => ({ ...before, [of]: value }));
    },
  });
  const test = async (): Promise<void> => {
    setAsked('test');
    if (isWhole) setFound(await during(actions.test(workspaceId, form)));
  };
  const create = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setAsked('create');
    if (!isWhole || names.display.trim() === '' || names.computer.trim() === '') return;
    setProblem(await during(actions.create(workspaceId, form, names.display, names.computer)));
  };
  return (
    <>
      <p>{texts.none}</p>
      <p className={`${ui['quiet']} ${styles['said']}`}>{texts.joinText}</p>
      <Group mt={6}>
        <Button onClick={() => store.getState().show({ name: 'join-team' })}>{texts.join}</Button>
      </Group>
      <h2>{texts.create}</h2>
      <p className={ui['quiet']}>{texts.createText}</p>
      <form onSubmit={(event) => void create(event)} noValidate>
        <div className={ui['form-two']}>
          <TextInput {...name('display')} />
          <TextInput {...name('computer')} />
          <TextInput {...field('hosts')} description={texts.hostsHint} className={ui['form-wide']} />
          <TextInput {...field('database')} />
          <TextInput {...field('login')} />
          <PasswordInput {...field('password')} />
          <FileInput
            size="xs"
            label={texts.fields.ca}
            placeholder={texts.choose}
            value={form.ca}
            onChange={(ca) => set({ ca })}
          />
        </div>
        <Problem of={problem} />
        <Tested found={found} />
        <Group justify="flex-end" mt="md" gap="xs">
          <Button loading={busy} onClick={() => void test()}>
            {texts.test}
          </Button>
          <Button type="submit" variant="filled" loading={busy}>
            {texts.createButton}
          </Button>
        </Group>
      </form>
    </>
  );
}

/** The result of a connection test. */
function Tested({ found }: { readonly found: Result<string, string> | null }) {
  if (found === null) return null;
  if (!found.ok) return <Problem of={found.error} />;
  return (
    <p role="status" className={styles['said']}>
      {found.value}
    </p>
  );
}

function Team({ workspaceId }: { readonly workspaceId: string }) {
  const { store } = useAppContext();
  const actions = useActions(teamActions);
  const [found, setFound] = useState<Result<string, string> | null>(null);
  const [busy, during] = useBusy();
  const hasPresence = useView((s) => s.presence);
  const { data: status, error } = useQuery(useApi().team.status.queryOptions({ input: { workspaceId } }));
  if (status === undefined) return <Waiting error={error} />;
  if (status === null) return null;
  const isAdmin = status.member.roles.includes('admin');
  const leave = (): void =>
    store.getState().show({ name: 'confirm', ...texts.askLeave(status.notShared), run: () => void actions.leave() });
  return (
    <>
      <SenderNotice workspaceId={workspaceId} />
      <Moved workspaceId={workspaceId} status={status} />
      <State status={status} />
      {status.state === 'no-password' && <EnterPassword workspaceId={workspaceId} ownLogin={status.login} />}
      <Tested found={found} />
      <Group gap="xs">
        <Button disabled={status.state !== 'online'} loading={busy} onClick={() => void during(actions.share())}>
          {texts.share}
        </Button>
        <Button loading={busy} onClick={() => void during(actions.test(workspaceId, null)).then(setFound)}>
          {texts.test}
        </Button>
      </Group>
      <MembersSection workspaceId={workspaceId} me={status.member} />
      <Computers status={status} isAdmin={isAdmin} />
      {isAdmin && <UpkeepSection workspaceId={workspaceId} status={status} />}
      <Switch
        mt="md"
        checked={hasPresence}
        label={texts.presence}
        description={texts.presenceText}
        onChange={(event) => store.getState().adjustLook({ presence: event.currentTarget.checked })}
      />
      <Group mt="md">
        <Button color="red" variant="outline" onClick={leave}>
          {texts.leave}
        </Button>
        {isAdmin && <CloseTeam status={status} />}
      </Group>
    </>
  );
}

/** Goes on with the same team after its password was removed from memory or changed in the database. */
function EnterPassword({ workspaceId, ownLogin }: { readonly workspaceId: string; readonly ownLogin: string }) {
  const actions = useActions(teamActions);
  const [login, setLogin] = useState(ownLogin);
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, during] = useBusy();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setProblem(await during(actions.enterPassword(workspaceId, login, password)));
  };
  return (
    <section className={styles['notice']} aria-label={texts.enter}>
      <p>{texts.enterText(ownLogin)}</p>
      <p className={ui['quiet']}>{texts.enterKeep}</p>
      <form onSubmit={(event) => void submit(event)}>
        <div className={ui['form-two']}>
          <TextInput
            size="xs"
            label={texts.fields.login}
            value={login}
            onChange={(event) => setLogin(event.currentTarget.value)}
          />
          <PasswordInput
            size="xs"
            label={texts.fields.password}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        </div>
        <Problem of={problem} />
        <Group mt="xs">
          <Button type="submit" loading={busy} disabled={login.trim() === '' || password === ''}>
            {texts.enterButton}
          </Button>
        </Group>
      </form>
    </section>
  );
}

function State({ status }: { readonly status: TeamStatus }) {
  const now = useNow();
  const { state, since, problem, notShared, conflicts, seen, head, digest, member } = status;
  const tone = state === 'online' ? 'good' : state === 'offline' || state === 'connecting' ? 'off' : 'bad';
  const edits = [
    notShared === 0 ? texts.shared : texts.notShared(notShared),
    ...(conflicts === 0 ? [] : [texts.conflicts(conflicts)]),
  ];
  const facts: readonly Fact[] = [
    [
      texts.stateName,
      <Fragment key="state">
        <Dot tone={tone} text={texts.states[state]} />
        {problem !== null && <span className={ui['quiet']}> {problem}</span>}
      </Fragment>,
    ],
    [texts.sinceName, timeText(since, now)],
    [texts.you, member.display],
    [texts.edits, edits.join(', ')],
    [texts.log, texts.logAt(seen, head)],
    ...(digest === null ? [] : [[texts.digest, texts.digests[digest]] as const]),
  ];
  return <FactList className={`${ui['facts']} ${styles['facts']}`} facts={facts} />;
}

function Computers({ status, isAdmin }: { readonly status: TeamStatus; readonly isAdmin: boolean }) {
  const { store } = useAppContext();
  const actions = useActions(teamActions);
  const now = useNow();
  const { desks, head } = status;
  const retire = (desk: TeamDesk): void =>
    store.getState().show({ name: 'confirm', ...texts.askRetire(desk.name), run: () => void actions.retire(desk) });
  return (
    <>
      <h2>{texts.computers}</h2>
      <table className={`${ui['diff']} ${ui['plain-table']} ${styles['table']}`}>
        <TableHead titles={texts.headings} />
        <tbody>
          {desks.map((desk) => (
            <tr key={desk.no}>
              <th scope="row">
                {desk.name} {desk.isHere && <span className={ui['badge']}>{texts.thisOne}</span>}
                {desk.isRevoked && <span className={ui['badge']}>{texts.revoked}</span>}
              </th>
              <td>{desk.member.display}</td>
              <td className={ui['numeric']}>{timeText(desk.lastSeenAt, now)}</td>
              <td>{texts.behind(Math.max(0, head - desk.seen))}</td>
              <td>
                {!desk.isHere && !desk.isRevoked && (isAdmin || desk.member.no === status.member.no) && (
                  <Button aria-label={texts.retireOf(desk.name, desk.member.display)} onClick={() => retire(desk)}>
                    {texts.retire}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
