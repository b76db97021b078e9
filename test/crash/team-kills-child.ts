import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../main/app/clock.ts';
import { readJournal } from '../../main/sync/journal.ts';
import { startTimer } from '../../main/sync/service.ts';
import { connectTeam, type Queries, type TeamConnection } from '../../main/team/connection.ts';
import { type IntentMark, openSender, type SenderDatabase } from '../../main/team/intents.ts';
import { teamTurns } from '../../main/team/sender.ts';
import type { RunningSandbox } from '../../sandbox/start.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import { DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { type AccountOptions, hastyClock, openAccount } from '../sync/an-account.ts';
import { fieldsOf } from '../team/desks.ts';

/** What a computer of the team is told when it may begin. */
export interface TeamGo {
  readonly folder: string;
  readonly ready: RunningSandbox['ready'];
  readonly extensions: boolean;
  /** How far the clock of this process is ahead: waits take no time, so every process has to begin after the last. */
  readonly aheadMs: number;
  /** Of the database. */
  readonly port: number;
  readonly account: string;
  readonly desk: number;
}

/** The moments of a sync at which this process may be killed, as it says them. */
export const MOMENTS = ['take', 'recall', 'intend', 'sent', 'settle', 'settled'] as const;
type Moment = (typeof MOMENTS)[number];

/** The account of a computer of the team, whose turns are those of the program. What colleagues share is the same everywhere. */
export async function openTeamAccount(go: TeamGo, say: (moment: Moment) => void = () => undefined) {
  const life: { connection: Promise<TeamConnection> | null } = { connection: null };
  const connected = (): Promise<TeamConnection> => {
    const over = (): void => {
      life.connection = null;
    };
    const deps = { clock: systemClock, random: Math.random, noticed: () => undefined, ended: over };
    life.connection ??= connectTeam([fieldsOf('ana', go.port)], deps).catch((error: unknown) => {
      over();
      throw error;
    });
    return life.connection;
  };
  const query = async (...asked: readonly unknown[]): Promise<unknown> => {
    const connection = await connected();
    return Reflect.apply(connection.query, connection, asked);
  };
  const sender = openSender({ query: query as Queries['query'] }, go.account, go.desk);
  const database: SenderDatabase = {
    ...sender,
    take: () => {
      say('take');
      return sender.take();
    },
    open: (mark, known) => {
      say('recall');
      return sender.open(mark, known);
    },
    intend: async (key, batch, perHour) => {
      say('intend');
      const answer = await sender.intend(key, batch, perHour);
      say('sent');
      return answer;
    },
    settle: async (key, outcome) => {
      say('settle');
      const answer = await sender.settle(key, outcome);
      say('settled');
      return answer;
    },
  };
  const own: { meta?: Awaited<ReturnType<typeof openAccount>>['workspace'] } = {};
  const clock = hastyClock(go.aheadMs);
  const turns: NonNullable<NonNullable<AccountOptions['team']>['turns']> = (outbox) =>
    teamTurns(
      {
        database: async () => database,
        catchUp: async () => null,
        mark: {
          read: async () => jsonOrNull((await own.meta?.getMeta('mark')) ?? '') as IntentMark | null,
          write: async (mark) => own.meta?.setMeta('mark', JSON.stringify(mark)),
        },
        journaled: async () =>
          new Set(
            (await readJournal(join(go.folder, 'sync.journal'))).flatMap(({ t, c }) => (t === 'intent' ? [c] : [])),
          ),
        // A server that was killed is back within the time that a lease is held on to.
        clock: { ...clock, startTimer, sleep: (delayMs) => delay(delayMs / 10) },
      },
      outbox,
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
      await (await life.connection?.catch(() => null))?.close();
    },
  };
}

const say = (word: string): void => void writeSync(1, `${word}\n`);

async function main(): Promise<void> {
  say('loaded');
  const [line] = (await once(process.stdin, 'data')) as [Buffer];
  const account = await openTeamAccount(JSON.parse(line.toString()) as TeamGo, say);
  say('open');
  for (;;) {
    const started = await account.sync.run({ submit: false, campaignIds: null });
    if (started.ok) await account.sync.idle();
    say(started.ok ? 'synced' : started.error.code);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

if (process.argv[1] === import.meta.filename) await main();
