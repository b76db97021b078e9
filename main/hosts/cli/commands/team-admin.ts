import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { ORPCError } from '@orpc/client';
import { TEAM_ROLES, type TeamRole } from '../../../../shared/api/choices.ts';
import type { Failure } from '../../../../shared/api/operation.ts';
import type { Result } from '../../../../shared/result.ts';
import { type TeamRecord, workspaceFile } from '../../../accounts/account-record.ts';
import { createAccountRegistry } from '../../../accounts/registry.ts';
import { writeFileAtomic } from '../../../app/atomic-write.ts';
import { systemClock } from '../../../app/clock.ts';
import { systemUser } from '../../../app/system.ts';
import {
  allowsTempTables,
  initTeamDatabase,
  migrateTeamDatabase,
  openTeamAdmin,
  type PeopleRefusal,
  type TeamAdmin,
} from '../../../team/admin.ts';
import type { TeamConnection } from '../../../team/connection.ts';
import { sealInvitation } from '../../../team/invitation.ts';
import { teamPassword, withTeamDatabase } from '../../../team/join.ts';
import { TEAM_SCHEMA } from '../../../team/sql/schema.ts';
import { type CountedSigning, keptTeamFacts, signersInDatabase } from '../../../team/team-facts.ts';
import { CHANGE_SET_FORMAT } from '../../../team/team-log.ts';
import { badConnection, type TeamPlace } from '../../../team/team-place.ts';
import { EXIT_CODE, failureError, refused, usageError } from '../cli-error.ts';
import type { Command, Context } from '../command.ts';
import { readNamedFile, readPassphraseFile, unreadableFile, writeOutputFile } from '../named-file.ts';
import { counted } from '../output.ts';

const PLACE = {
  '--host HOST': 'Database host, with or without :PORT. Several are separated by commas.',
  '--database NAME': 'Database of the team.',
  '--ca FILE': 'Certificates of the authority (PEM), unless the system has them.',
} as const;
const ADMIN = {
  '--admin-login LOGIN': 'Login that may make roles. Without it, that of the account is used.',
  '--password-file FILE': 'Password of that login, on one line.',
} as const;

const CA_BYTES_MAX = 100_000;

async function placeOf(context: Context): Promise<TeamPlace> {
  const ca = context.text('ca');
  const read = ca === null ? null : await readNamedFile(ca, CA_BYTES_MAX);
  if (read?.ok === false) throw refused('BAD_FILE', `Can't read ${ca} (${read.error.why}). Check the path.`);
  const hosts = context.need('host').split(',');
  return {
    hosts: hosts.map((one) => one.trim()),
    database: context.need('database'),
    ca: read?.value.toString('utf8') ?? null,
  };
}

const clocks = { clock: systemClock, random: Math.random };

function done<T>(result: Result<T, Failure<'BAD_TEAM_CONNECTION'>>): T {
  if (result.ok) return result.value;
  const { step, host } = result.error.data;
  if (step === 'bad-host')
    throw usageError(`"${host}" is not a host. Use a name or an address, such as db.example.com:5432.`);
  throw failureError(result.error);
}

/** Connects with the named login, or else that of the account. */
async function atTeam<T>(
  context: Context,
  work: (admin: TeamAdmin, client: TeamConnection, team: TeamRecord) => Promise<T>,
): Promise<T> {
  const team = await teamOf(context);
  const credentials = await loginOf(context, team);
  return done(
    await withTeamDatabase(team, credentials, clocks, (client) =>
      work(openTeamAdmin(client, team.workspace), client, team),
    ),
  );
}

async function teamOf(context: Context): Promise<TeamRecord> {
  const record = await createAccountRegistry(context.dataDir).find(await context.workspaceId());
  if (record?.team === undefined) throw new ORPCError('NO_TEAM', { data: {} });
  return record.team;
}

async function loginOf(context: Context, team: TeamRecord): Promise<{ login: string; password: string }> {
  const login = context.text('admin-login');
  if (login !== null) return { login, password: await readPassphraseFile(context.need('password-file')) };
  const password = await teamPassword((await context.core()).secrets, team);
  if (password === null) throw failureError(badConnection('secrets').error);
  return { login: team.login, password };
}

function rolesOf(context: Context): readonly TeamRole[] {
  const typed = context
    .need('roles')
    .split(',')
    .map((word) => word.trim().toLowerCase());
  const unknown = typed.find((word) => !TEAM_ROLES.some((role) => role === word));
  if (unknown !== undefined) throw usageError(`"${unknown}" is not a role. Use ${TEAM_ROLES.join(', ')}.`);
  // Every other role includes viewing.
  return TEAM_ROLES.filter((role) => role === 'view' || typed.includes(role));
}

function people<T>(result: Result<T, PeopleRefusal>, name: string): T {
  if (result.ok) return result.value;
  if (result.error === 'no-member') throw refused('NO_MEMBER', noMember(name));
  if (result.error === 'last-admin') throw new ORPCError('LAST_ADMIN', { data: {} });
  if (result.error === 'name-taken') {
    throw refused(
      'NAME_TAKEN',
      `"${name}" is a member already. For another computer, choose a name such as "${name} (laptop)".`,
    );
  }
  throw refused(
    'NO_CREATE_ROLE',
    'This login may not make logins. Add --admin-login and --password-file, or --login for one made by hand.',
  );
}

const noMember = (name: string): string => `Member "${name}" not found. Run "adslate team members" to list them.`;

async function memberNamed(admin: TeamAdmin, name: string) {
  const found = (await admin.members()).find(
    ({ display, state }) => state !== 'removed' && display.toLowerCase() === name.trim().toLowerCase(),
  );
  if (found === undefined) throw refused('NO_MEMBER', noMember(name));
  return found;
}

const init: Command = {
  name: 'team init',
  takes: '(--print | --host HOST --database NAME --admin-login LOGIN ...)',
  purpose: 'Prepares a PostgreSQL database for teams, after showing the SQL.',
  parameters: {
    '--print': 'Prints the SQL for an administrator, and changes nothing.',
    ...PLACE,
    '--admin-login LOGIN': 'Login with CREATEROLE, and CREATE on the database.',
    '--password-file FILE': 'Password of that login, on one line.',
    '--yes': 'Runs the SQL without showing it and asking.',
  },
  example: 'adslate team init --print > team.sql',
  run: async (context) => {
    const { output } = context;
    if (context.flag('print')) {
      output.say(`BEGIN;\n${TEAM_SCHEMA}\nCOMMIT;`);
      return output.result({ sql: TEAM_SCHEMA });
    }
    const place = await placeOf(context);
    const login = context.need('admin-login');
    const password = await readPassphraseFile(context.need('password-file'));
    if (!context.flag('yes')) output.say(TEAM_SCHEMA);
    output.aside('Administrators of the database can read everything that a team shares.');
    const isAgreed = await context.isConfirmed(
      `Run this SQL in the database "${place.database}"?`,
      usageError('Add --yes to run the SQL, or --print to print it.'),
    );
    if (!isAgreed) return output.say('Nothing was changed.');
    const { was, allowsTemp } = done(
      await withTeamDatabase(place, { login, password }, clocks, async (connection) => ({
        was: await initTeamDatabase(connection),
        allowsTemp: await allowsTempTables(connection),
      })),
    );
    output.say(
      was === 'made' ? 'Prepared the database. Run "adslate team create".' : 'The database is prepared already.',
    );
    if (allowsTemp)
      output.say(`The owner of the database still has to run: REVOKE TEMP ON DATABASE "${place.database}" FROM PUBLIC`);
    output.result({ database: place.database, made: was === 'made', allowsTemp });
  },
};

const create: Command = {
  name: 'team create',
  takes: '--host HOST --database NAME --admin-login LOGIN --password-file FILE',
  purpose: 'Shares the account with a team, and makes you its first admin.',
  parameters: {
    ...PLACE,
    '--admin-login LOGIN': 'Login that prepared the database. It makes a login for you where it may.',
    '--password-file FILE': 'Password of that login, on one line.',
    '--name NAME': 'Your name as colleagues see it. Without it, that of the system.',
    '--computer NAME': 'Name of this computer. Without it, that of the system.',
  },
  example: 'adslate team create --host db --database team --admin-login dba --password-file a.txt',
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    await needStorage(context);
    const hosts = context.need('host').split(',');
    const status = await client.team.create({
      workspaceId,
      connection: {
        hosts,
        database: context.need('database'),
        login: context.need('admin-login'),
        password: await readPassphraseFile(context.need('password-file')),
        caGrant: await grantOf(context, context.text('ca')),
      },
      display: context.text('name') ?? systemUser(),
      computer: context.text('computer') ?? hostname(),
    });
    context.output.say(`Created the team. You are "${status.member.display}", its first admin.`);
    context.output.say('Run "adslate team invite NAME --roles edit,sync" to invite a colleague.');
    context.output.result({ workspace: status.workspace, member: status.member, desk: status.desk });
  },
};

async function grantOf(context: Context, path: string | null): Promise<string | null> {
  if (path === null) return null;
  const granted = await (await context.core()).grants.grantPath(path);
  if (granted.ok) return granted.value.grant;
  throw unreadableFile(path, granted.error.data);
}

/** Refuses when credentials are only in memory: the team's password would be lost at the end of the command. */
async function needStorage(context: Context): Promise<void> {
  if ((await (await context.client()).credentials.status()).storage !== 'memory') return;
  throw refused(
    'SECRETS_REFUSED',
    'Credentials are kept in memory only. Run "adslate credentials storage passphrase --new-passphrase-file FILE" first.',
  );
}

const connect: Command = {
  name: 'team connect',
  takes: 'FILE --words-file FILE --name NAME',
  purpose: 'Joins a team with an invitation, as a new account on this computer.',
  parameters: {
    FILE: 'Invitation (.adslate-invite).',
    '--words-file FILE': 'The six words of the invitation, on one line.',
    '--name NAME': 'Name of the new account.',
    '--computer NAME': 'Name of this computer. Without it, that of the system.',
  },
  example: 'adslate team connect ben.adslate-invite --words-file words.txt --name Shop',
  positionals: [1, 1],
  run: async (context) => {
    await needStorage(context);
    const [file = ''] = context.positionals;
    const account = await (await context.client()).team.connect({
      invitation: (await grantOf(context, file)) ?? '',
      words: await readPassphraseFile(context.need('words-file')),
      computer: context.text('computer') ?? hostname(),
      name: context.need('name'),
    });
    context.output.say(`Joined the team with the account "${account.name}".`);
    context.output.result({ account: account.name, advertiserId: account.advertiserId });
  },
};

const leave: Command = {
  name: 'team leave',
  takes: '--yes',
  purpose: 'Leaves the team, and keeps a read-only copy of the account.',
  parameters: { '--yes': 'Leaves without asking.' },
  example: 'adslate team leave --account Shop --yes',
  run: async (context) => {
    const isAgreed = await context.isConfirmed(
      'Leave the team? The account stays on this computer as a read-only copy.',
      usageError('Add --yes to leave the team. The account stays as a read-only copy.'),
    );
    if (!isAgreed) return context.output.say('Nothing was changed.');
    const { client, workspaceId } = await context.atAccount();
    const { notShared } = await client.team.leave({ workspaceId });
    context.output.say('Left the team.');
    if (notShared > 0) context.output.say(`${counted(notShared, 'change')} not shared stay in the copy.`);
    context.output.result({ notShared });
  },
};

const invite: Command = {
  name: 'team invite',
  takes: 'NAME --roles ROLES',
  purpose: 'Makes an invitation file, and six words to tell another way.',
  parameters: {
    NAME: 'Name of the new member, as colleagues see it.',
    '--roles ROLES': 'Roles separated by commas: edit, sign-off, sync, admin.',
    '--out FILE': 'Invitation file. Without it, NAME.adslate-invite.',
    '--force': 'Replaces an existing file.',
    ...ADMIN,
    '--login LOGIN': 'A login that was made by hand, where no login may make others.',
    '--login-password-file FILE': 'Password of that login, on one line.',
  },
  example: 'adslate team invite Ben --roles edit,sync',
  positionals: [1, 1],
  run: async (context) => {
    const [name = ''] = context.positionals;
    const roles = rolesOf(context);
    const login = context.text('login');
    const existing =
      login === null ? null : { login, password: await readPassphraseFile(context.need('login-password-file')) };
    const account = await createAccountRegistry(context.dataDir).find(await context.workspaceId());
    const file = resolve(context.text('out') ?? `${name.replace(/[^\p{L}\p{N}]+/gu, '-')}.adslate-invite`);
    const words = await atTeam(context, async (admin, _client, { hosts, database, ca, workspace }) => {
      const made = people(await admin.invite(name, roles, existing), name);
      const invitation = { hosts, database, ca, workspace, login: made.login, password: made.password };
      const sealed = await sealInvitation({ ...invitation, account: account?.name ?? '' });
      await writeOutputFile(context, file, (target) => writeFileAtomic(target, sealed.file));
      return sealed.words;
    });
    context.output.say(`Invited "${name}" (${roles.join(', ')}). Send them ${file}.`);
    context.output.say(`Tell them these words another way, such as on the telephone: ${words.join(' ')}`);
    context.output.say('The invitation holds for 7 days and one computer.');
    context.output.result({ member: name, roles, file, words });
  },
};

const role: Command = {
  name: 'team role',
  takes: 'NAME --roles ROLES',
  purpose: 'Changes what a member may do.',
  parameters: {
    NAME: 'Name of the member.',
    '--roles ROLES': 'All roles of the member, separated by commas: edit, sign-off, sync, admin.',
    ...ADMIN,
  },
  example: 'adslate team role Ben --roles edit,sign-off',
  positionals: [1, 1],
  run: async (context) => {
    const [name = ''] = context.positionals;
    const roles = rolesOf(context);
    await atTeam(context, async (admin) => {
      const { no } = await memberNamed(admin, name);
      people(await admin.setRoles(no, roles), name);
    });
    context.output.say(`"${name}" has the roles ${roles.join(', ')}.`);
    context.output.result({ member: name, roles });
  },
};

const remove: Command = {
  name: 'team remove',
  takes: '(NAME | --computer NUMBER)',
  purpose: 'Ends the access of a member at once, or of one lost computer.',
  parameters: {
    NAME: 'Name of the member.',
    '--computer NUMBER': 'Number of a computer that will not come back.',
    ...ADMIN,
    '--yes': 'Removes without asking.',
  },
  example: 'adslate team remove Ben --yes',
  positionals: [0, 1],
  run: async (context) => {
    const [name] = context.positionals;
    const computer = context.text('computer');
    if ((name === undefined) === (computer === null)) throw usageError('Run "adslate team remove NAME".');
    const isAgreed = await context.isConfirmed(
      `Remove ${name === undefined ? `computer ${computer}` : `"${name}"`} from the team?`,
      usageError('Add --yes to remove without asking. What is on a computer stays there.'),
    );
    if (!isAgreed) return context.output.say('Nothing was changed.');
    await atTeam(context, async (admin) => {
      if (name === undefined) {
        people(await admin.revokeDesk(numberOf('computer', computer)), `computer ${computer}`);
        context.output.say(`Removed computer ${computer}.`);
        return context.output.result({ computer: Number(computer) });
      }
      const { no, roles } = await memberNamed(admin, name);
      const { login, isLoginOff, areConnectionsEnded } = people(await admin.remove(no), name);
      context.output.say(`Removed "${name}". What is on their computers stays there.`);
      if (!isLoginOff) context.output.say(`An administrator still has to run: ALTER ROLE "${login}" NOLOGIN`);
      if (roles.includes('sync')) context.output.say('They could sync: renew the key of the partner service.');
      context.output.result({ member: name, login, isLoginOff, areConnectionsEnded });
    });
  },
};

function numberOf(option: string, text: string | null): number {
  const number = Number(text);
  if (text !== null && Number.isSafeInteger(number) && number > 0) return number;
  throw usageError(`--${option} must be a whole number above 0.`);
}

const members: Command = {
  name: 'team members',
  purpose: 'Lists the members of the team, with their roles.',
  parameters: ADMIN,
  example: 'adslate team members',
  run: async (context) => {
    const found = await atTeam(context, (admin) => admin.members());
    context.output.table(
      ['Member', 'Roles', 'State', 'Invited by', 'Login'],
      found.map((one) => [one.display, one.roles.join(', '), one.state, one.invitedBy?.display ?? '', one.login]),
    );
    context.output.result({ members: found });
  },
};

const verify: Command = {
  name: 'team verify',
  purpose: 'Checks the chain and signatures of shared entries, and compares all computers.',
  parameters: ADMIN,
  example: 'adslate team verify',
  run: async (context) => {
    const known = keptTeamFacts(workspaceFile(context.dataDir, await context.workspaceId()));
    const found = await atTeam(context, async (admin, client, { workspace }) => {
      const signing = await signersInDatabase(client, workspace, known);
      return { ...(await admin.verify(signing)), keys: signing?.keys ?? null };
    });
    const { keys, head, from, alarms, problem, signed, unsigned, wrong, verdicts } = found;
    context.output.say(
      problem === null
        ? `${counted(head - from, 'entry', 'entries')} checked: the chain is whole.`
        : `Entry ${problem.seq} is not what was shared (${problem.is}). Compare with a backup of the database.`,
    );
    context.output.say(`Entries: ${signed} signed, ${unsigned} unsigned, ${wrong} wrong.`);
    context.output.say(`Sign-offs: ${verdicts.signed} signed, ${verdicts.unsigned} unsigned, ${verdicts.wrong} wrong.`);
    if (keys !== null) context.output.say(keysText(keys));
    if (alarms > 0) context.output.say(`At ${counted(alarms, 'place')} of the log, computers have different rows.`);
    context.output.result(found);
    return problem === null && alarms + verdicts.wrong === 0 ? EXIT_CODE.done : EXIT_CODE.refused;
  },
};

/** An administrator of the database can replace keys in it, but not those stored on this computer before. */
function keysText({ seenBefore, fromDatabase }: CountedSigning['keys']): string {
  const seen = `${counted(seenBefore, 'key')} that this computer has seen before`;
  const read = `${counted(fromDatabase, 'key')} as the database has ${fromDatabase === 1 ? 'it' : 'them'} now`;
  const used = [seenBefore > 0 ? seen : '', fromDatabase > 0 ? read : ''].filter((part) => part !== '');
  return used.length === 0 ? 'No computer signs.' : `Checked with ${used.join(' and ')}.`;
}

const snapshot: Command = {
  name: 'team snapshot',
  purpose: 'Lists the snapshots that new computers start from, or approves one.',
  parameters: {
    '--approve NUMBER': 'Approves the snapshot of this entry, where no second computer can check it.',
    ...ADMIN,
  },
  example: 'adslate team snapshot',
  run: async (context) => {
    const approve = context.text('approve');
    const snapshots = await atTeam(context, async (admin) => {
      if (approve !== null) people(await admin.approveSnapshot(numberOf('approve', approve)), approve);
      return admin.snapshots();
    });
    context.output.table(
      ['Entry', 'State', 'Rows', 'Bytes'],
      snapshots.map(({ seq, state, rows, bytes }) => [String(seq), state, String(rows), String(bytes)]),
      'No snapshots yet. A computer that may edit makes one.',
    );
    context.output.result({ snapshots });
  },
};

const prune: Command = {
  name: 'team prune',
  purpose: 'Deletes old entries that a snapshot has, and leftovers of large ones.',
  parameters: { '--days NUMBER': 'Days to keep, at least 90. The default is 90.', ...ADMIN },
  example: 'adslate team prune --days 180',
  run: async (context) => {
    const days = context.text('days');
    const pruned = await atTeam(context, (admin) => admin.prune(days === null ? 90 : numberOf('days', days)));
    context.output.say(
      `Deleted ${counted(pruned.entries, 'entry', 'entries')} and ${counted(pruned.parts, 'leftover part')}.`,
    );
    context.output.result(pruned);
  },
};

const migrate: Command = {
  name: 'team migrate',
  purpose: 'Updates the database to this version, or requires one of all computers.',
  parameters: {
    '--require-format NUMBER': 'Computers that write an older format can no longer share.',
    '--yes': 'Requires it also where computers are left behind.',
    ...ADMIN,
  },
  example: 'adslate team migrate',
  run: async (context) => {
    const required = context.text('require-format');
    await atTeam(context, async (admin, client) => {
      if (required !== null) {
        const format = numberOf('require-format', required);
        const behind = await admin.leftBehind(format);
        const names = behind.map(({ name, member }) => `${member} (${name})`).join(', ');
        if (behind.length > 0 && !context.flag('yes'))
          throw usageError(`These computers could no longer share: ${names}. Add --yes to require it.`);
        await admin.requireFormat(1, format, CHANGE_SET_FORMAT);
        context.output.say(`All computers need format ${format} to share.`);
        return context.output.result({ required: format, leftBehind: behind });
      }
      const migrated = await migrateTeamDatabase(client);
      if (migrated.is === 'older-desks') {
        const names = migrated.desks.map(({ name, member }) => `${member} (${name})`).join(', ');
        throw refused('OLDER_COMPUTERS', `Nothing was changed. Update Adslate first on: ${names}.`);
      }
      if (migrated.is !== 'done') throw failureError(badConnection('schema').error);
      const { from, to } = migrated;
      context.output.say(from === to ? 'The database is up to date.' : `Updated the database from ${from} to ${to}.`);
      context.output.result({ from, to });
    });
  },
};

const restored: Command = {
  name: 'team restored',
  takes: '--yes',
  purpose: 'Tells the team that the database was restored from a backup.',
  parameters: { '--yes': 'Required. New campaigns are sent when computers have reported.', ...ADMIN },
  example: 'adslate team restored --yes',
  run: async (context) => {
    if (!context.flag('yes')) throw usageError('Add --yes after the database was restored from a backup.');
    const incarnation = await atTeam(context, (admin) => admin.restored());
    context.output.say('Computers restore what the backup lacks. Nothing new is created until they have reported.');
    context.output.result({ incarnation });
  },
};

const move: Command = {
  name: 'team move',
  takes: '--host HOST',
  purpose: 'Goes on with a copy of the database elsewhere; run it on each computer.',
  parameters: { ...PLACE, ...ADMIN },
  example: 'adslate team move --host new.example.com --database team',
  run: async (context) => {
    const known = await teamOf(context);
    const { client, workspaceId } = await context.atAccount();
    const login = context.text('admin-login');
    const hosts = context.need('host').split(',');
    const database = context.text('database') ?? known.database;
    const { isCompared } = await client.team.move({
      workspaceId,
      to: { hosts, database, caGrant: await grantOf(context, context.text('ca')) },
      admin: login === null ? null : { login, password: await readPassphraseFile(context.need('password-file')) },
    });
    if (!isCompared) context.output.say('The old database did not respond, so the copy was not compared with it.');
    context.output.say(`This account now uses ${hosts.join(', ')}. Run this on every computer of the team.`);
    context.output.result({ hosts, database, isCompared });
  },
};

const close: Command = {
  name: 'team close',
  takes: '(--yes | --reopen)',
  purpose: 'Ends sharing and syncing for the whole team; everything can still be read.',
  parameters: { '--yes': 'Closes without asking.', '--reopen': 'Opens a team that was closed or moved.', ...ADMIN },
  example: 'adslate team close --account Shop --yes',
  run: async (context) => {
    const isClosed = !context.flag('reopen');
    if (isClosed) {
      const isAgreed = await context.isConfirmed(
        'Close this team? No one can share or sync until it is opened again.',
        usageError('Add --yes to close the team. "--reopen" opens it again.'),
      );
      if (!isAgreed) return context.output.say('Nothing was changed.');
    }
    await atTeam(context, (admin) => admin.close(isClosed));
    context.output.say(isClosed ? 'Closed the team.' : 'Opened the team.');
    context.output.result({ closed: isClosed });
  },
};

export const teamAdminCommands: readonly Command[] = [
  init,
  create,
  connect,
  leave,
  invite,
  role,
  remove,
  members,
  verify,
  snapshot,
  prune,
  migrate,
  restored,
  move,
  close,
];
