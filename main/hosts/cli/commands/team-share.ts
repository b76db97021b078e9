import { ORPCError } from '@orpc/client';
import type { RowRef } from '../../../../shared/api/scalars.ts';
import type { TeamStatus } from '../../../../shared/api/team.ts';
import { asRowId } from '../../../../shared/model/scalars.ts';
import { EXIT_CODE, type ExitCode, usageError } from '../cli-error.ts';
import type { Command, Context } from '../command.ts';
import { counted, isoOrNull, parseRowType } from '../output.ts';

const statusCommand: Command = {
  name: 'team status',
  purpose: 'Shows what is not shared yet, conflicts with colleagues, and who is syncing.',
  example: 'adslate team status --json',
  run: async ({ output, atAccount }) => {
    const status = await statusOf(await atAccount());
    const { workspace, desk, member, state, seen, head, notShared, conflicts, sender, desks, digest } = status;
    output.say(stateLine(status));
    output.say(notShared === 0 ? 'Everything here is shared.' : `${counted(notShared, 'change')} not shared yet.`);
    if (conflicts > 0) output.say(`${counted(conflicts, 'conflict')} with colleagues. Run "adslate conflicts".`);
    if (digest === 'differs')
      output.say(
        'Computers of the team have different rows. They read them again while the app or "adslate team watch" runs.',
      );
    output.say(senderLine(sender));
    output.table(
      ['Member', 'Computer', 'Entries here', 'Last seen'],
      desks
        .filter(({ isRevoked }) => !isRevoked)
        .map((each) => [
          each.member.display,
          each.isHere ? `${each.name} (this computer)` : each.name,
          `${each.seen} of ${head}`,
          isoOrNull(each.lastSeenAt) ?? '',
        ]),
    );
    output.result({ workspace, desk, member, state, seen, head, notShared, conflicts, sender, desks, digest });
    return exitOf(status);
  },
};

const shareCommand: Command = {
  name: 'team share',
  takes: '--once',
  purpose: 'Shares what is waiting, loads what colleagues shared, and ends.',
  parameters: { '--once': 'Required. Sharing is automatic while the app or "adslate team watch" runs.' },
  example: 'adslate team share --once',
  run: async ({ output, flag, atAccount }) => {
    if (!flag('once')) throw usageError('Run "adslate team share --once", or "adslate team watch" to go on sharing.');
    const { client, workspaceId } = await atAccount();
    const { shared, taken, conflicts } = await client.team.share({ workspaceId });
    output.say(`${counted(shared, 'change')} shared, ${taken} of colleagues loaded.`);
    if (conflicts > 0) output.say(`${counted(conflicts, 'conflict')} with colleagues. Run "adslate conflicts".`);
    output.result({ shared, taken, conflicts });
    return conflicts > 0 ? EXIT_CODE.needsUser : EXIT_CODE.done;
  },
};

const LOG_AT_ONCE = 200;

const logCommand: Command = {
  name: 'team log',
  purpose: 'Lists who shared what, newest first.',
  parameters: {
    '--row REF': 'Only entries that changed this row, such as keyword/12.',
    '--limit N': `Lists N entries. The default is ${LOG_AT_ONCE}.`,
  },
  example: 'adslate team log --row keyword/12',
  run: async ({ output, text, atAccount }) => {
    const ref = rowRefOf(text('row'));
    const limit = Number(text('limit') ?? LOG_AT_ONCE);
    if (!Number.isInteger(limit) || limit < 1) throw usageError('--limit must be a whole number above 0.');
    const { client, workspaceId } = await atAccount();
    const entries = [];
    for (;;) {
      const count = Math.min(LOG_AT_ONCE, limit - entries.length);
      const page = await client.team.log({ workspaceId, from: entries.length, count, ref });
      entries.push(...page.entries);
      if (entries.length >= Math.min(limit, page.total) || page.entries.length === 0) break;
    }
    const lines = entries.map(({ seq, at, member, desk, label, rows }) => ({
      seq,
      at: isoOrNull(at),
      member: member.display,
      desk,
      label,
      rows,
    }));
    const cells = lines.map(({ seq, at, member, desk, label, rows }) => [
      `${seq}`,
      at ?? '',
      member,
      desk,
      `${rows}`,
      label,
    ]);
    output.table(['Entry', 'Shared', 'Member', 'Computer', 'Rows', 'What'], cells, 'Nothing is shared yet.');
    output.result({ entries: lines });
  },
};

const watchCommand: Command = {
  name: 'team watch',
  purpose: 'Keeps sharing until it is stopped, and prints each change of its state.',
  example: 'adslate team watch --account Northwind',
  run: async (context) => {
    const at = await context.atAccount();
    const team = await (await context.account()).team();
    if (team === null) throw noTeam();
    const { events } = await context.core();
    const heard = events.subscribe(undefined);
    team.start();
    let last = '';
    const say = async (): Promise<void> => {
      const status = await statusOf(at);
      const { seen, head, notShared, conflicts } = status;
      const line = `${stateLine(status)} ${counted(notShared, 'change')} not shared yet, ${counted(conflicts, 'conflict')}.`;
      if (line !== last) context.output.aside(`${isoOrNull(context.nowMs())}  ${line}  Entry ${seen} of ${head}.`);
      last = line;
    };
    await say();
    for await (const event of heard)
      if (event.type === 'team.changed' || event.type === 'workspace.changed') await say();
  },
};

export const teamShareCommands = [statusCommand, shareCommand, logCommand, watchCommand];

async function statusOf({ client, workspaceId }: Awaited<ReturnType<Context['atAccount']>>): Promise<TeamStatus> {
  const status = await client.team.status({ workspaceId });
  if (status === null) throw noTeam();
  return status;
}

const noTeam = (): Error => new ORPCError('NO_TEAM', { data: {} });

function senderLine(sender: TeamStatus['sender']): string {
  if (sender === null) return 'No one is syncing.';
  const { member, computer, isOver, unconfirmed } = sender;
  return isOver
    ? `The sync of ${member.display} on ${computer} stopped before it had ended, with ${counted(unconfirmed, 'unconfirmed row')}.`
    : `${member.display} is syncing on ${computer}.`;
}

const stateLine = ({ state, problem, since }: TeamStatus): string => {
  const texts: Readonly<Record<TeamStatus['state'], string>> = {
    online: 'Connected to the team.',
    connecting: 'Connecting to the team.',
    offline: `Offline since ${isoOrNull(since)}: edits are saved here and shared later.`,
    'no-access': 'You no longer have access to this team. Your edits stay on this computer.',
    restoring: 'The database of the team lost entries. Sharing continues when the computers have restored theirs.',
    damaged: 'Sharing has stopped.',
    'old-version': 'The team needs a newer Adslate. Update Adslate to share.',
    locked: 'The credentials are locked. Add --passphrase-file FILE.',
    'no-password': 'The password of the team is needed. Enter it in Settings > Team.',
    closed: 'An admin has closed this team. Edits stay on this computer.',
    moved: 'This team has moved to another database. Run "adslate team move --host HOST".',
  };
  return problem === null ? texts[state] : `${texts[state]} ${problem}`;
};

function exitOf({ state, conflicts }: TeamStatus): ExitCode {
  if (state === 'offline' || state === 'connecting') return EXIT_CODE.unreachable;
  if (conflicts > 0) return EXIT_CODE.needsUser;
  return state === 'online' ? EXIT_CODE.done : EXIT_CODE.refused;
}

/** `keyword/12`, as lists of rows show it. */
function rowRefOf(text: string | null): RowRef | null {
  if (text === null) return null;
  const [type = '', id = ''] = text.split('/');
  if (!/^[1-9]\d{0,9}$/.test(id))
    throw usageError(`"${text}" is not a row. Enter a type and a number, such as keyword/12.`);
  return { kind: parseRowType(type, 'The type of --row'), id: asRowId(Number(id)) };
}
