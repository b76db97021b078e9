import { Button, FileInput, Group, NumberInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { TeamActivity, TeamStatus, TeamUpkeep } from '../../../shared/api/team.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { bytesText, countText, plural, timeText } from '../../app/locale/numbers.ts';
import { Problem } from '../../app/Problem.tsx';
import { FactList } from '../../components/Figures.tsx';
import { TableHead } from '../../components/TableHead.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { useNow } from '../../components/use-now.ts';
import { roleTexts } from './MembersSection.tsx';
import styles from './team.module.css';
import { teamActions } from './team-actions.ts';

const texts = {
  title: 'Database',
  facts: {
    size: 'Size',
    last: 'Last shared edit',
    kept: 'Entries kept',
    away: 'Not here for 14 days',
    unconfirmed: 'Unconfirmed',
    parts: 'Unused parts',
    unreported: 'Not reported since the restore',
    differences: 'Different rows',
  },
  size: (all: number, log: number) => `${bytesText(all)}, of which ${bytesText(log)} are shared edits`,
  never: 'Nothing shared yet',
  entries: (from: number, to: number) => (from > to ? 'None' : `${countText(from)} to ${countText(to)}`),
  computers: (n: number) => plural(n, 'computer'),
  rows: (n: number) => plural(n, 'row'),
  times: (n: number) => `${plural(n, 'time')} in the last 30 days`,
  verify: 'Check shared edits',
  verified: (n: number) => `${plural(n, 'entry', 'entries')} checked. All are as they were shared.`,
  damaged: (n: number) => `Entry ${countText(n)} is not what was shared. Compare the database with a backup.`,
  unsigned: (n: number) => `${plural(n, 'entry', 'entries')} ${n === 1 ? 'has' : 'have'} no signature.`,
  wrong: (n: number) => `${plural(n, 'signature')} ${n === 1 ? 'is' : 'are'} wrong.`,
  differ: (n: number) => `Computers have different rows at ${plural(n, 'entry', 'entries')}.`,
  days: 'Delete entries older than (days)',
  prune: 'Delete old entries…',
  askPrune: (days: number) => ({
    title: `Delete entries older than ${plural(days, 'day')}?`,
    text: 'Only entries that a usable snapshot has are deleted. Values, sign-offs and this activity list stay.',
    keep: 'Keep entries',
    button: 'Delete entries',
  }),
  restored: 'Database was restored…',
  askRestored: {
    title: 'Was the database restored from a backup?',
    text: 'Computers then share again what the backup lacks. New rows are sent when all computers that can sync have connected.',
    keep: 'Cancel',
    button: 'Database was restored',
  },
  snapshots: 'Snapshots',
  snapshotsText:
    'New computers start from the newest usable snapshot. Adslate makes one after 20,000 entries or 64 MB.',
  noSnapshots: 'No snapshot yet.',
  snapshotHeadings: ['Entry', 'Created', 'Computer', 'Rows', 'Size', 'State'],
  states: {
    making: 'in progress',
    made: 'not checked by a second computer yet',
    usable: 'usable',
    refused: 'refused: another computer has different rows',
  } satisfies Record<TeamUpkeep['snapshots'][number]['state'], string>,
  approve: 'Approve',
  approveOf: (seq: number) => `Approve snapshot of entry ${countText(seq)}`,
  activity: 'Activity',
  activityHeadings: ['Time', 'Member', 'Activity'],
  more: (n: number) => `Show ${countText(n)} more`,
  moveTitle: 'Move to another database',
  moveText: 'Copy the database first. The team then closes in the old place. Each member does this on each computer.',
  movedText: (host: string) => `An admin moved this team to ${host}. Go on there:`,
  host: 'New database host',
  database: 'Database',
  ca: 'Certificate of the authority (optional)',
  choose: 'Choose a file…',
  move: 'Use new database',
  missing: { hosts: 'Enter the new database host.', database: 'Enter the name of the database.' },
  close: 'Close team…',
  askClose: {
    title: 'Close this team?',
    text: 'No member can share or sync until an admin opens the team again. All can still read and edit their copy.',
    keep: 'Keep team open',
    button: 'Close team',
  },
  open: 'Open team again',
} as const;

/** Entries of the team's activity as text; entries of a newer version are shown as they are. */
const DONE: Readonly<Record<string, (line: TeamActivity) => string>> = {
  created: () => 'created the team',
  invited: ({ member, roles }) => `invited ${member} (${namesOf(roles)})`,
  roles: ({ member, roles }) => `set the roles of ${member}: ${namesOf(roles)}`,
  removed: ({ member }) => `removed ${member}`,
  joined: ({ computers }) => `joined with ${computers.join(', ')}`,
  left: ({ computers }) => `left with ${computers.join(', ')}`,
  revoked: ({ computers }) => `retired ${computers.join(', ')}`,
  'digest-alarm': ({ number, computers }) => `found different rows at entry ${number}: ${computers.join(' and ')}`,
  snapshot: ({ number }) => `approved the snapshot of entry ${number}`,
  pruned: ({ number }) => `deleted ${plural(number ?? 0, 'old entry', 'old entries')}`,
  restored: () => 'said that the database was restored from a backup',
  closed: () => 'closed the team',
  opened: () => 'opened the team again',
  moved: ({ host }) => `moved the team to ${host ?? 'another database'}`,
  formats: () => 'required a newer Adslate on all computers',
  policy: ({ number }) => `set the sign-offs that each change needs to ${number}`,
  'sign-off': ({ number }) => `signed off change request ${number}`,
  changes: ({ number }) => `asked for changes to change request ${number}`,
  withdrawn: ({ number }) => `withdrew change request ${number}`,
  'file dropped': () => 'removed a file that was not shared to its end',
};
const namesOf = (roles: TeamActivity['roles']): string => roles.map((role) => roleTexts[role]).join(', ');

interface UpkeepProps {
  readonly workspaceId: string;
  readonly status: TeamStatus;
}

/** For admins: the state of the team database, the activity of the team, and its maintenance. */
export function UpkeepSection({ workspaceId, status }: UpkeepProps) {
  const { data, error } = useQuery(useApi().team.upkeep.show.queryOptions({ input: { workspaceId } }));
  return (
    <>
      <h2>{texts.title}</h2>
      <Problem of={error} />
      {data !== undefined && (
        <>
          <Facts of={data} />
          <Tools />
          <Snapshots of={data.snapshots} />
        </>
      )}
      <Activity workspaceId={workspaceId} />
      {status.state !== 'moved' && (
        <>
          <h2>{texts.moveTitle}</h2>
          <p className={ui['quiet']}>{texts.moveText}</p>
          <MoveForm workspaceId={workspaceId} to={null} />
        </>
      )}
    </>
  );
}

function Facts({ of }: { readonly of: TeamUpkeep }) {
  const now = useNow();
  const { databaseBytes, logBytes, head, prunedTo, lastSharedAt, away, unconfirmed, unusedParts } = of;
  const shown = (n: number, text: (n: number) => string) => (n === 0 ? null : text(n));
  const facts: readonly (readonly [keyof typeof texts.facts, string | null])[] = [
    ['size', texts.size(databaseBytes, logBytes)],
    ['last', lastSharedAt === null ? texts.never : timeText(lastSharedAt, now)],
    ['kept', texts.entries(prunedTo + 1, head)],
    ['away', shown(away, texts.computers)],
    ['unconfirmed', shown(unconfirmed, texts.rows)],
    ['parts', shown(unusedParts, countText)],
    ['unreported', of.unreported.length === 0 ? null : of.unreported.join(', ')],
    ['differences', shown(of.differences, texts.times)],
  ];
  return (
    <FactList
      className={`${ui['facts']} ${styles['facts']}`}
      facts={facts.flatMap(([name, value]) => (value === null ? [] : [[texts.facts[name], value] as const]))}
    />
  );
}

const DAYS = { min: 90, max: 3650 } as const;

function Tools() {
  const { store } = useAppContext();
  const actions = useActions(teamActions);
  const [typed, setTyped] = useState<number | string>(DAYS.min);
  const days = Number(typed);
  const [found, setFound] = useState<string | null>(null);
  const [busy, during] = useBusy();
  const verify = async (): Promise<void> => {
    const read = await during(actions.verify());
    if (read === null) return;
    const { entries, damaged, differences, unsigned, wrong } = read;
    const found = [
      damaged === null ? texts.verified(entries) : texts.damaged(damaged),
      ...(wrong === 0 ? [] : [texts.wrong(wrong)]),
      ...(unsigned === 0 ? [] : [texts.unsigned(unsigned)]),
      ...(differences === 0 ? [] : [texts.differ(differences)]),
    ];
    setFound(found.join(' '));
  };
  const prune = (): void =>
    store.getState().show({ name: 'confirm', ...texts.askPrune(days), run: () => void actions.prune(days) });
  const restored = (): void =>
    store.getState().show({ name: 'confirm', ...texts.askRestored, run: () => void actions.restored() });
  return (
    <>
      {found !== null && (
        <p role="status" className={styles['said']}>
          {found}
        </p>
      )}
      <div className={styles['tools']}>
        <Button loading={busy} onClick={() => void verify()}>
          {texts.verify}
        </Button>
        <Button onClick={restored}>{texts.restored}</Button>
        <NumberInput size="xs" label={texts.days} {...DAYS} allowDecimal={false} value={typed} onChange={setTyped} />
        <Button disabled={days < DAYS.min || days > DAYS.max} onClick={prune}>
          {texts.prune}
        </Button>
      </div>
    </>
  );
}

function Snapshots({ of }: { readonly of: TeamUpkeep['snapshots'] }) {
  const actions = useActions(teamActions);
  const now = useNow();
  return (
    <>
      <h2>{texts.snapshots}</h2>
      <p className={ui['quiet']}>{texts.snapshotsText}</p>
      {of.length === 0 ? (
        <p>{texts.noSnapshots}</p>
      ) : (
        <table className={`${ui['diff']} ${ui['plain-table']} ${styles['table']}`}>
          <TableHead titles={texts.snapshotHeadings} />
          <tbody>
            {of.map(({ seq, at, computer, rows, bytes, state }) => (
              <tr key={seq}>
                <th scope="row">{countText(seq)}</th>
                <td className={ui['numeric']}>{timeText(at, now)}</td>
                <td>{computer}</td>
                <td>{countText(rows)}</td>
                <td>{bytesText(bytes)}</td>
                <td>
                  {texts.states[state]}{' '}
                  {state === 'made' && (
                    <Button aria-label={texts.approveOf(seq)} onClick={() => void actions.approve(seq)}>
                      {texts.approve}
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

const LINES = 10;
const LINES_MORE = 50;

function Activity({ workspaceId }: { readonly workspaceId: string }) {
  const now = useNow();
  const [count, setCount] = useState(LINES);
  const input = { workspaceId, from: 0, count };
  const { data } = useQuery({
    ...useApi().team.upkeep.activity.queryOptions({ input }),
    // The listed entries stay on screen until more are loaded.
    placeholderData: (before) => before,
  });
  if (data === undefined) return null;
  const left = data.total - data.entries.length;
  return (
    <>
      <h2>{texts.activity}</h2>
      <table className={`${ui['diff']} ${ui['plain-table']} ${styles['table']} ${styles['activity']}`}>
        <TableHead titles={texts.activityHeadings} />
        <tbody>
          {data.entries.map((line) => (
            <tr key={line.no}>
              <td className={ui['numeric']}>{timeText(line.at, now)}</td>
              <td>{line.by}</td>
              <td>{DONE[line.what]?.(line) ?? line.what}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && (
        <Group mt="xs">
          <Button onClick={() => setCount(count + LINES_MORE)}>{texts.more(Math.min(left, LINES_MORE))}</Button>
        </Group>
      )}
    </>
  );
}

/** Connects this computer to a copy of the database on another server. */
function MoveForm({ workspaceId, to }: { readonly workspaceId: string; readonly to: TeamStatus['movedTo'] }) {
  const actions = useActions(teamActions);
  const [form, setForm] = useState({ hosts: to?.hosts.join(', ') ?? '', database: to?.database ?? '' });
  const [ca, setCa] = useState<File | null>(null);
  const [isAsked, setAsked] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, during] = useBusy();
  const field = (of: keyof typeof form) => ({
    size: 'xs' as const,
    value: form[of],
    error: isAsked && form[of].trim() === '' ? texts.missing[of] : null,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      const { value } = event.currentTarget;
      setProblem(null);
      setForm((before) => ({ ...before, [of]: value }));
    },
  });
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setAsked(true);
    if (form.hosts.trim() === '' || form.database.trim() === '') return;
    setProblem(await during(actions.move(workspaceId, { ...form, ca })));
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <div className={ui['form-two']}>
        <TextInput {...field('hosts')} label={texts.host} />
        <TextInput {...field('database')} label={texts.database} />
        <FileInput size="xs" label={texts.ca} placeholder={texts.choose} value={ca} onChange={setCa} />
      </div>
      <Problem of={problem} />
      <Group mt="xs">
        <Button type="submit" loading={busy}>
          {texts.move}
        </Button>
      </Group>
    </form>
  );
}

/** Shown to every member after an admin has moved the team. */
export function Moved({ workspaceId, status }: UpkeepProps) {
  const { movedTo } = status;
  if (status.state !== 'moved' || movedTo === null) return null;
  return (
    <section className={styles['notice']} aria-label={texts.moveTitle}>
      <p>{texts.movedText(movedTo.hosts[0] ?? '')}</p>
      <MoveForm workspaceId={workspaceId} to={movedTo} />
    </section>
  );
}

/** Next to the button to leave the team: closes it for all members, or opens it again. */
export function CloseTeam({ status }: Pick<UpkeepProps, 'status'>) {
  const { store } = useAppContext();
  const actions = useActions(teamActions);
  if (status.state === 'closed' || status.state === 'moved')
    return <Button onClick={() => void actions.close(false)}>{texts.open}</Button>;
  const close = (): void =>
    store.getState().show({ name: 'confirm', ...texts.askClose, run: () => void actions.close(true) });
  return (
    <Button color="red" variant="outline" onClick={close}>
      {texts.close}
    </Button>
  );
}
