import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { readJournal } from '../../main/sync/journal.ts';
import { startTimer } from '../../main/sync/service.ts';
import { type IntentMark, openSender } from '../../main/team/intents.ts';
import { teamTurns } from '../../main/team/sender.ts';
import type { RunningSandbox } from '../../sandbox/start.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import { DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { type AccountOptions, hastyClock, openAccount } from '../sync/an-account.ts';

/** What a computer of the team is told when it may begin. */
export interface TeamGo {
  readonly folder: string;
  readonly ready: RunningSandbox['ready'];
  readonly extensions: boolean;
  /** How far the clock of this process is ahead: waits take no time, so every process has to begin after the last. */
  readonly aheadMs: number;
  readonly database: { readonly host: string; readonly port: number };
  readonly account: string;
  readonly desk: number;
}

/** The account of a computer of the team, whose turns are those of the program. What colleagues share is the same everywhere. */
export async function openTeamAccount(go: TeamGo) {
  const client = new pg.Client({ ...go.database, database: 'postgres', user: 'ana', password: 'of-the-test' });
  client.on('error', () => {});
  await client.connect();
  const database = openSender(client, go.account, go.desk);
  const own: { meta?: Awaited<ReturnType<typeof openAccount>>['workspace'] } = {};
  const clock = hastyClock(go.aheadMs);
  const turns: NonNullable<NonNullable<AccountOptions['team']>['turns']> = (outbox, epoch) =>
    teamTurns(
      {
        database: async () => database,
        catchUp: async () => {},
        mark: {
          read: async () => jsonOrNull((await own.meta?.getMeta('mark')) ?? '') as IntentMark | null,
          write: async (mark) => own.meta?.setMeta('mark', JSON.stringify(mark)),
        },
        journaled: async () =>
          new Set(
            (await readJournal(join(go.folder, 'sync.journal'))).flatMap(({ t, c }) => (t === 'intent' ? [c] : [])),
          ),
        clock: { ...clock, startTimer },
        perHour: 100_000,
      },
      outbox,
      epoch,
    );
  const account = await openAccount({
    sandbox: { ready: go.ready, close: async () => undefined },
    folder: go.folder,
    capabilities: go.extensions ? WITH_EXTENSIONS : DOCUMENTED_ONLY,
    clock,
    watched: (workspace) => {
      own.meta = workspace;
      return workspace;
    },
    team: { turns },
  });
  return {
    ...account,
    close: async () => {
      await account.close();
      await client.end();
    },
  };
}

const say = (word: string): void => void writeSync(1, `${word}\n`);

async function main(): Promise<void> {
  say('loaded');
  const [line] = (await once(process.stdin, 'data')) as [Buffer];
  const account = await openTeamAccount(JSON.parse(line.toString()) as TeamGo);
  say('open');
  for (;;) {
    const started = await account.sync.run({ submit: false, campaignIds: null });
    if (started.ok) await account.sync.idle();
    say(started.ok ? 'synced' : started.error.kind);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

if (process.argv[1] === import.meta.filename) await main();
