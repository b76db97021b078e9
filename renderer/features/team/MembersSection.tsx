import { Button, Checkbox, Group, PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { TEAM_ROLES, type TeamRole } from '../../../shared/api/choices.ts';
import type { TeamMember, TeamPolicy, TeamStatus } from '../../../shared/api/team.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { plural, timeText } from '../../app/locale/numbers.ts';
import { Problem } from '../../app/Problem.tsx';
import { ChoiceField } from '../../components/ChoiceField.tsx';
import { TableHead } from '../../components/TableHead.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { useNow } from '../../components/use-now.ts';
import styles from './team.module.css';
import { teamActions } from './team-actions.ts';

/** Names of the roles of members. */
export const roleTexts: Readonly<Record<TeamRole, string>> = {
  view: 'can view',
  edit: 'can edit',
  'sign-off': 'can sign off',
  sync: 'can sync',
  admin: 'admin',
};

const texts = {
  title: 'Members',
  headings: ['Member', 'Login', 'Roles', 'Access'],
  roleOf: (role: string, name: string) => `${name} ${role}`,
  you: 'you',
  states: {
    invited: (until: string) => `invited, until ${until}`,
    expired: 'invitation expired',
    removed: 'no access',
  },
  withdraw: 'Withdraw…',
  withdrawOf: (name: string) => `Withdraw the invitation of ${name}…`,
  askWithdraw: (name: string) => ({
    title: `Withdraw the invitation of ${name}?`,
    text: 'The invitation file no longer opens.',
    keep: 'Keep invitation',
    button: 'Withdraw invitation',
  }),
  remove: 'Remove…',
  removeOf: (name: string) => `Remove ${name} from the team…`,
  askRemove: (name: string, canSync: boolean) => ({
    title: `Remove ${name} from the team?`,
    text: `Their access ends at once. What is on their computer stays there.${
      canSync ? ' They could sync, so renew the key and token of the service.' : ''
    }`,
    keep: 'Keep member',
    button: 'Remove member',
  }),
  invite: 'Invite a colleague',
  name: 'Name',
  adminText:
    'An invitation creates a login in the database. If your own login has no right to create logins, enter the login of the database administrator here. It is used for this invitation only and not stored.',
  adminLogin: 'Login of the administrator (optional)',
  adminPassword: 'Password of the administrator',
  nameMissing: 'Enter a name for the new member.',
  rolesMissing: 'Select at least one role.',
  inviteButton: 'Make invitation',
  invited: (name: string) => `The invitation file for ${name} is saved. Send it to them.`,
  wordsText:
    'Tell these six words another way, such as by phone. The invitation opens with them only, once, within 7 days.',
  policy: 'Sign-off before a sync',
  who: (signers: readonly string[], senders: readonly string[]) =>
    `Can sign off: ${listed(signers)}. Can sync: ${listed(senders)}.`,
  tooFew: (n: number) =>
    `Only ${plural(n, 'member')} can sign off, so nothing can be sent. Give another member the role "can sign off".`,
  approvals: 'Sign-offs that each change needs',
  approvalChoices: ['None', '1 colleague', '2 colleagues'],
  authors: "Who can't sign off",
  authorChoices: {
    submitter: 'The member who asked for the sign-off',
    strict: 'All members who changed these campaigns since the last sync',
  } satisfies Record<TeamPolicy['authors'], string>,
} as const;

/**
 * The selected value until the saved one is read again, so that several quick changes add up.
 *
 * @param save resolves when the saved value has been read again
 */
function useChosen<T>(saved: T, save: (next: T) => Promise<unknown>): readonly [T, (next: T) => void] {
  const [chosen, setChosen] = useState<{ readonly value: T } | null>(null);
  const choose = (value: T): void => {
    const own = { value };
    setChosen(own);
    void save(value).then(() => setChosen((now) => (now === own ? null : now)));
  };
  return [chosen === null ? saved : chosen.value, choose];
}

const listed = (names: readonly string[]): string => (names.length === 0 ? 'no member' : names.join(', '));

/** The members of a team with their roles; for admins also invitations and the rule for sign-offs. */
export function MembersSection({
  workspaceId,
  me,
}: {
  readonly workspaceId: string;
  readonly me: TeamStatus['member'];
}) {
  const { data: members, error, refetch } = useQuery(useApi().team.members.queryOptions({ input: { workspaceId } }));
  const isAdmin = me.roles.includes('admin');
  return (
    <>
      <h2>{texts.title}</h2>
      <Problem of={error} />
      {members !== undefined && (
        <table className={`${ui['diff']} ${ui['plain-table']} ${styles['table']}`}>
          <TableHead titles={texts.headings} />
          <tbody>
            {members
              .toSorted((one, other) => Number(one.state === 'removed') - Number(other.state === 'removed'))
              .map((member) => (
                <Member key={member.no} member={member} isAdmin={isAdmin} isMe={member.no === me.no} reread={refetch} />
              ))}
          </tbody>
        </table>
      )}
      {isAdmin && <Invite workspaceId={workspaceId} />}
      <Policy workspaceId={workspaceId} isAdmin={isAdmin} members={members ?? []} />
    </>
  );
}

interface MemberProps {
  readonly member: TeamMember;
  readonly isAdmin: boolean;
  readonly isMe: boolean;
  readonly reread: () => Promise<unknown>;
}

function Member({ member, isAdmin, isMe, reread }: MemberProps) {
  const { store } = useAppContext();
  const actions = useActions(teamActions);
  const now = useNow();
  const { no, display, login, state } = member;
  const [roles, setRoles] = useChosen<readonly TeamRole[]>(member.roles, (next) =>
    actions.setRoles(no, next).then(reread),
  );
  const isOver = state === 'removed';
  const isInvited = state === 'invited';
  const remove = (): void =>
    store.getState().show({
      name: 'confirm',
      ...(isInvited ? texts.askWithdraw(display) : texts.askRemove(display, roles.includes('sync'))),
      run: () => void actions.remove(member),
    });
  return (
    <tr>
      <th scope="row">
        {display} {isMe && <span className={ui['badge']}>{texts.you}</span>}
        {state !== 'active' && <span className={ui['badge']}>{stateText(member, now)}</span>}
      </th>
      <td>{login}</td>
      <td>
        {isAdmin && !isOver ? (
          <Roles roles={roles} of={display} onChange={setRoles} />
        ) : (
          roles.map((role) => roleTexts[role]).join(', ')
        )}
      </td>
      <td>
        {isAdmin && !isOver && !isMe && (
          <Button aria-label={(isInvited ? texts.withdrawOf : texts.removeOf)(display)} onClick={remove}>
            {isInvited ? texts.withdraw : texts.remove}
          </Button>
        )}
      </td>
    </tr>
  );
}

const INVITED_MS = 7 * 86_400_000;

function stateText({ state, invitedAt }: TeamMember, now: number): string {
  if (state === 'removed') return texts.states.removed;
  const until = invitedAt + INVITED_MS;
  return until < now ? texts.states.expired : texts.states.invited(timeText(until, now));
}

interface RolesProps {
  readonly roles: readonly TeamRole[];
  /** The name of the member, for screen readers. */
  readonly of: string;
  readonly onChange: (roles: readonly TeamRole[]) => void;
}

const Roles = ({ roles, of, onChange }: RolesProps) => (
  <span className={styles['roles']}>
    {TEAM_ROLES.map((role) => (
      <Checkbox
        key={role}
        size="xs"
        label={roleTexts[role]}
        aria-label={texts.roleOf(roleTexts[role], of)}
        checked={roles.includes(role)}
        onChange={(event) =>
          onChange(event.currentTarget.checked ? [...roles, role] : roles.filter((each) => each !== role))
        }
      />
    ))}
  </span>
);

function Invite({ workspaceId }: { readonly workspaceId: string }) {
  const actions = useActions(teamActions);
  const [name, setName] = useState('');
  const [roles, setRoles] = useState<readonly TeamRole[]>(['view', 'edit']);
  const [admin, setAdmin] = useState({ login: '', password: '' });
  const [words, setWords] = useState<{ readonly of: string; readonly words: readonly string[] } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, during] = useBusy();
  const invite = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setWords(null);
    if (name.trim() === '') return setProblem(texts.nameMissing);
    if (roles.length === 0) return setProblem(texts.rolesMissing);
    const invited = await during(actions.invite(workspaceId, { display: name, roles, ...admin }));
    setProblem(invited.ok ? null : invited.error);
    if (!invited.ok) return;
    setWords({ of: name, words: invited.value.words });
    setName('');
  };
  return (
    <>
      <h2>{texts.invite}</h2>
      <form className={styles['ask']} onSubmit={(event) => void invite(event)} noValidate>
        <TextInput
          size="xs"
          label={texts.name}
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Roles roles={roles} of={name} onChange={setRoles} />
        <p className={ui['quiet']}>{texts.adminText}</p>
        <div className={ui['form-two']}>
          <TextInput
            size="xs"
            label={texts.adminLogin}
            value={admin.login}
            onChange={(event) => setAdmin({ ...admin, login: event.currentTarget.value })}
          />
          <PasswordInput
            label={texts.adminPassword}
            value={admin.password}
            onChange={(event) => setAdmin({ ...admin, password: event.currentTarget.value })}
          />
        </div>
        <Problem of={problem} />
        <Group>
          <Button type="submit" loading={busy}>
            {texts.inviteButton}
          </Button>
        </Group>
      </form>
      {words !== null && (
        <div ref={showWhole} key={words.of} role="status" className={styles['said']}>
          <p>{texts.invited(words.of)}</p>
          <p>{texts.wordsText}</p>
          <ol className={styles['words']}>
            {words.words.map((word) => (
              <li key={word}>{word}</li>
            ))}
          </ol>
        </div>
      )}
    </>
  );
}

/** Scrolls the six words of an invitation into view. */
const showWhole = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });

interface PolicyProps {
  readonly workspaceId: string;
  readonly isAdmin: boolean;
  readonly members: readonly TeamMember[];
}

function Policy({ workspaceId, isAdmin, members }: PolicyProps) {
  const actions = useActions(teamActions);
  const { data, refetch } = useQuery(useApi().team.policy.queryOptions({ input: { workspaceId } }));
  const [policy, setPolicy] = useChosen(data, (next) =>
    next === undefined ? Promise.resolve() : actions.setPolicy(next).then(() => refetch()),
  );
  if (policy === undefined) return null;
  const withRole = (role: TeamRole): readonly string[] =>
    members.filter(({ state, roles }) => state === 'active' && roles.includes(role)).map(({ display }) => display);
  const signers = withRole('sign-off');
  return (
    <>
      <h2>{texts.policy}</h2>
      <p>{texts.who(signers, withRole('sync'))}</p>
      {signers.length < policy.approvals && <p className={ui['note-warning']}>{texts.tooFew(signers.length)}</p>}
      <div className={ui['form-two']}>
        <ChoiceField
          size="xs"
          label={texts.approvals}
          disabled={!isAdmin}
          options={texts.approvalChoices.map((label, n) => [n, label])}
          value={policy.approvals}
          onChoose={(approvals) => setPolicy({ ...policy, approvals })}
        />
        <ChoiceField
          size="xs"
          label={texts.authors}
          disabled={!isAdmin || policy.approvals === 0}
          options={(['submitter', 'strict'] as const).map((each) => [each, texts.authorChoices[each]])}
          value={policy.authors}
          onChoose={(authors) => setPolicy({ ...policy, authors })}
        />
      </div>
    </>
  );
}
