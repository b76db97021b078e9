import { createPrivateKey, hash, type KeyObject, randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import type pg from 'pg';
import { type Clock, systemClock } from '../../main/app/clock.ts';
import type { Workspace } from '../../main/store/workspace.ts';
import type { ConnectionFields } from '../../main/team/connection.ts';
import { openEmptyWorkspace } from '../../main/team/rebuild-rows.ts';
import { openSharing, type SessionDeps, type Sharing } from '../../main/team/session.ts';
import { TEAM_SCHEMA } from '../../main/team/sql/schema.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { makeNewFile } from '../store/new-file.ts';
import { openWithoutThreads } from '../store/without-threads.ts';

const PASSWORD = 'of-the-test';
export const ROWS_A_DESK = 10_000;

/** Prepares a database, with a login for each of these people. */
export async function prepareTeamDatabase(admin: pg.Client, people: readonly string[]): Promise<void> {
  await admin.query(`BEGIN; ${TEAM_SCHEMA}; COMMIT`);
  for (const user of people)
    await admin.query(`CREATE ROLE ${user} LOGIN PASSWORD '${PASSWORD}'; GRANT adslate_member TO ${user}`);
}

/** A new account of these people, each a login and its roles (`ana view,edit`); without any, a person has all of them. */
export async function aTeamAccount(admin: pg.Client, people: readonly string[]): Promise<string> {
  const id = randomUUID();
  await admin.query(
    `INSERT INTO adslate.workspace (id, name, deployment, advertiser_id) VALUES ('${id}', 'Northwind', 'practice', '${id}')`,
  );
  for (const [at, person] of people.entries()) {
    const [user, roles = 'view,edit,sign-off,sync,admin'] = person.split(' ');
    await admin.query(
      `INSERT INTO adslate.member (workspace, no, login, display, roles)
       VALUES ('${id}', ${at + 1}, '${user}', '${user}', '{${roles}}')`,
    );
  }
  return id;
}

export const loginOf = (user: string) => ({ user, password: PASSWORD });

export const fieldsOf = (user: string, port: number): ConnectionFields => ({
  host: '127.0.0.1',
  port,
  database: 'postgres',
  ...loginOf(user),
  ssl: false,
  enableChannelBinding: true,
});

/** The key of the installation that has a file: the same in each process. */
export const keyOf = (file: string): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), hash('sha256', file, 'buffer')]),
    ...{ format: 'der', type: 'pkcs8' },
  });

export interface SharedDesk {
  readonly no: number;
  readonly workspace: Workspace;
  readonly sharing: Sharing;
  close(): Promise<void>;
}

interface DeskPlace {
  readonly account: string;
  readonly user: string;
  readonly file: string;
  /** Of the server, or of each host in the order in which they are tried. */
  readonly port: number | readonly number[];
  readonly clock?: Clock;
  readonly snapshotDue?: SessionDeps['snapshotDue'];
  /** What the computer signs with, where that is not the key of its file. */
  readonly key?: KeyObject;
  /** What sharing uses as the workspace; the opened one when it is not said. */
  readonly watched?: (workspace: Workspace) => Workspace;
}

/** A workspace of a team on this computer. It joins when its file is new. */
export async function openDesk({
  account,
  user,
  file,
  port,
  clock = systemClock,
  snapshotDue,
  key = keyOf(file),
  watched = (workspace) => workspace,
}: DeskPlace): Promise<SharedDesk> {
  const profile = defaultDeploymentSettings('shop.example');
  makeNewFile(file);
  const opened = await openWithoutThreads({ file, profile, clock: systemClock, migrated: true });
  if (!opened.ok) throw new Error(`not opened: ${JSON.stringify(opened.error)}`);
  const workspace = opened.value;
  const team = { hosts: ['127.0.0.1'], database: 'postgres', ca: null, login: user, workspace: account, desk: 0 };
  const sharing = await openSharing({
    team,
    store: watched(workspace),
    clock,
    random: Math.random,
    sleepState: undefined,
    hosts: async () => [port].flat().map((each) => fieldsOf(user, each)),
    changed: () => undefined,
    edited: (listener) => workspace.onChanged(listener),
    idle: async () => undefined,
    reportSent: async () => undefined,
    signingKey: async () => key,
    renumbered: async () => undefined,
    openBeside: () => openEmptyWorkspace(dirname(file), { profile, clock }),
    ...(snapshotDue === undefined ? {} : { snapshotDue }),
  });
  if ((await workspace.teamState()) === null) {
    const { rows } = await sharing.link.queries.query(
      `SELECT d.no, d.first_row, m.no AS member FROM adslate.join_desk_v1($1, $2, 1, ${ROWS_A_DESK}) d, adslate.member m
       WHERE m.workspace = $1 AND m.login = session_user`,
      [account, `${user}'s laptop`],
    );
    const [{ no, first_row, member }] = rows;
    await workspace.teamJoin({
      ...{ workspace: account, desk: Number(no), member, incarnation: 1 },
      ...{ firstRow: Number(first_row), rows: ROWS_A_DESK },
    });
  }
  return {
    no: (await workspace.teamState())?.desk ?? 0,
    workspace,
    sharing,
    close: async () => {
      await sharing.link.close();
      await workspace.close();
    },
  };
}

/** As a standby that had not got the last entries: what came behind an entry is gone. */
export async function forgetEntries(admin: pg.Client, account: string, toSeq: number): Promise<void> {
  await admin.query(`BEGIN;
    ALTER TABLE adslate.change_set DISABLE TRIGGER USER;
    DELETE FROM adslate.change_set WHERE workspace = '${account}' AND seq > ${toSeq};
    ALTER TABLE adslate.change_set ENABLE TRIGGER USER;
    DELETE FROM adslate.signature s WHERE workspace = '${account}' AND NOT EXISTS (SELECT FROM adslate.change_set c
      WHERE c.workspace = s.workspace AND c.desk = s.desk AND c.push = s.push);
    UPDATE adslate.workspace w SET head = ${toSeq},
      head_hash = coalesce((SELECT hash FROM adslate.change_set c WHERE c.workspace = w.id AND c.seq = ${toSeq}), '')
      WHERE id = '${account}';
    UPDATE adslate.desk d SET last_push = coalesce((SELECT max(push) FROM adslate.change_set c
      WHERE c.workspace = d.workspace AND c.desk = d.no), 0) WHERE workspace = '${account}';
    COMMIT`);
}
