import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createRouterClient } from '@orpc/server';
import type { TeamRole } from '../../../../shared/api/choices.ts';
import type { RowId, WorkspaceId } from '../../../../shared/model/scalars.ts';
import { createCredentialStore } from '../../../accounts/credential-store.ts';
import { createFilePreferences } from '../../../accounts/file-preferences.ts';
import { systemClock } from '../../../app/clock.ts';
import { type Core, createCore } from '../../../core/core.ts';
import {
  createPracticeControl,
  type PracticeControl,
  type PracticeService,
  startPracticeService,
} from '../../../practice/practice-service.ts';
import { TEAM_SCHEMA } from '../../../team/sql/schema.ts';
import type { Client } from '../command.ts';
import { counted } from '../output.ts';
import { DemoFailed, type Step } from './demo.ts';
import { type LocalPostgres, startPostgres } from './postgres.ts';

/** Unlocks the secrets of each computer; the command line reads it from a file. */
const PASSPHRASE = 'four people and one account';
const ACCOUNT = 'Northwind Home';
/** In cents. */
const BIDS = { ana: 210, ben: 190 } as const;
/** Delay of a response by the service, longer than any timeout. */
const HELD_MS = 600_000;
const LOOK_MS = 200;
/** A colleague's right to send expires after a minute without renewal. */
const TURN_MAX_MS = 120_000;
const SYNCS_MAX = 20;
const SETTLE_LOOK_MS = 10_000;

interface TeamDemoOptions {
  readonly dataDir: string;
  readonly step: Step;
  readonly say: (line: string) => void;
  /** The command to start the command line, built or from source, with its Node options. */
  readonly cli: readonly string[];
}

type Computer = Awaited<ReturnType<typeof aComputer>>;

/**
 * Four people on one account with a shared database: a duplicate edit, a sign-off, a sync that is cut off, and a
 * colleague who takes over. Throws `DemoFailed` when a step fails.
 */
export async function runTeamDemo(options: TeamDemoOptions): Promise<void> {
  const { dataDir, step } = options;
  const database = await step(
    'Start PostgreSQL',
    () => startPostgres([]),
    ({ version }) => `version ${version}, on this computer only`,
  );
  const started = await startPracticeService(join(dataDir, 'service'), { scenario: 'sample' });
  if (!started.ok) throw new DemoFailed(`the simulated service couldn't start: ${started.error.data.detail}`);
  const service = started.value;
  const computers: Computer[] = [];
  try {
    for (const name of ['Ana', 'Ben', 'Carla', 'Pia']) computers.push(await aComputer(dataDir, name));
    await story(options, database, service, computers);
  } finally {
    for (const computer of computers) await computer.close();
    await service.close();
    await database.stop();
  }
}

async function story(
  { step, say, cli }: TeamDemoOptions,
  database: LocalPostgres,
  service: PracticeService,
  computers: readonly Computer[],
): Promise<void> {
  const [ana, ben, carla, pia] = computers as readonly [Computer, Computer, Computer, Computer];
  await found(step, database, service, ana);
  const others: readonly (readonly [Computer, readonly TeamRole[]])[] = [
    [ben, ['view', 'edit', 'sync']],
    [carla, ['view', 'sign-off']],
    [pia, ['view', 'edit', 'sync']],
  ];
  for (const [who, roles] of others) {
    await step(
      `${who.name} joins`,
      () => invited(ana, who, roles, database),
      (campaigns) => `${counted(campaigns, 'campaign')} on this computer`,
    );
  }
  for (const who of [ben, pia]) await connectTo(service, who);
  const keyword = await editTwice(step, ana, ben);
  const request = await askAndSign(step, ana, carla);
  await sendInTurns({ step, service, cli, ben, pia });
  say(`    ${await proveOnce(service)}`);
  await pia.open();
  await share(pia, ana);
  await step(
    'Who changed the bid?',
    () => {
      const ref = { kind: 'keyword' as const, id: keyword };
      return ana.client().history.log({ ...of(ana), from: 0, count: 10, ref });
    },
    ({ entries }) => [...new Set(entries.map(({ who, step: label }) => `${who}: ${label}`))].join('; '),
  );
  const { request: now } = await ana.client().team.requests.show({ ...of(ana), id: request });
  say(`    The change request is ${now.state}: ${now.signedOff} of ${counted(now.rows, 'row')} signed off.`);
}

/** Creates a team for the account. */
async function found(step: Step, database: LocalPostgres, service: PracticeService, ana: Computer): Promise<void> {
  await step(
    'Ana connects the account',
    async () => {
      await connectTo(service, ana);
      await ana.client().sync.refresh(of(ana));
      return (await ana.trees()).length;
    },
    (campaigns) => `${counted(campaigns, 'campaign')} read from the service`,
  );
  await step(
    'Prepare the database',
    async () => {
      const admin = await database.connect();
      await admin.query(`BEGIN; ${TEAM_SCHEMA}; COMMIT`);
    },
    () => 'tables, functions and roles',
  );
  await step(
    'Ana creates a team',
    async () => {
      const { port, password } = database;
      const connection = { hosts: [`127.0.0.1:${port}`], database: 'postgres', login: 'admin', password };
      await ana.client().team.create({ ...of(ana), connection, display: 'Ana', computer: "Ana's computer" });
      await share(ana);
      await ana.client().team.setPolicy({ ...of(ana), policy: { approvals: 1, authors: 'submitter' } });
    },
    () => 'each change needs the sign-off of a colleague',
  );
}

/** Invites a member with a file and a passphrase. @returns the number of campaigns received */
async function invited(
  ana: Computer,
  who: Computer,
  roles: readonly TeamRole[],
  { password }: LocalPostgres,
): Promise<number> {
  const admin = { login: 'admin', password };
  const { file, words } = await ana.client().team.invite({ ...of(ana), display: who.name, roles: [...roles], admin });
  const bytes = await ana.read(file.url);
  const invitation = await who.grant(file.fileName, bytes);
  const computer = `${who.name}'s computer`;
  await who.client().team.connect({ invitation, words: words.join(' '), computer, name: ACCOUNT });
  await who.open();
  await share(who);
  return (await who.trees()).length;
}

/** Ana is offline while Ben edits the same bid. @returns the keyword */
async function editTwice(step: Step, ana: Computer, ben: Computer): Promise<RowId> {
  const keyword = (await ana.trees()).flatMap(({ keywords }) => keywords).find(({ values }) => values.bid !== null);
  if (keyword === undefined) throw new DemoFailed('the sample has no keyword with a bid');
  const { id } = keyword;
  const editBid = (who: Computer, value: number) =>
    who
      .client()
      .workspace.edit({ ...of(who), label: 'Edit bid', changes: [{ kind: 'keyword', id, field: 'bid', value }] });
  await step(
    'Ana edits on a train',
    async () => {
      for (const { campaign } of (await ana.trees()).slice(0, 3)) {
        const value = (campaign.values.dailyBudget ?? 1000) + 500;
        const changes = [{ kind: 'campaign' as const, id: campaign.id, field: 'dailyBudget', value }];
        await ana.client().workspace.edit({ ...of(ana), label: 'Edit daily budget', changes });
      }
      await editBid(ana, BIDS.ana);
      return ana.client().team.status(of(ana));
    },
    (status) => `${status?.notShared} rows not shared yet`,
  );
  await step(
    'Ben edits the same bid',
    async () => {
      await share(ben);
      await editBid(ben, BIDS.ben);
      await share(ben);
    },
    () => `to $${(BIDS.ben / 100).toFixed(2)}, and shares it`,
  );
  await step(
    'Ana shares',
    async () => {
      await share(ana);
      const [conflict] = await ana.client().sync.conflicts(of(ana));
      if (conflict === undefined) throw new DemoFailed('Ana was not asked which bid counts');
      return conflict;
    },
    ({ by, mine, theirs }) => `she keeps ${mine} or uses ${by}'s ${theirs}`,
  );
  await step(
    'Ana keeps her value',
    async () => {
      const choices = [
        { ref: { kind: 'keyword' as const, id }, field: 'bid', against: 'team' as const, take: 'mine' as const },
      ];
      await ana.client().sync.resolve({ ...of(ana), choices });
      await share(ana, ben);
      return (await ben.trees()).flatMap(({ keywords }) => keywords).find((row) => row.id === id)?.values.bid ?? null;
    },
    (bid) => `Ben has ${bid} now`,
  );
  return id;
}

/** @returns the id of the change request */
async function askAndSign(step: Step, ana: Computer, carla: Computer): Promise<string> {
  const asked = await step(
    'Ana asks for a sign-off',
    async () => {
      const ids = (await ana.trees()).slice(0, 3).map(({ campaign }) => campaign.id);
      const chosen = { rows: [{ kind: 'campaign' as const, ids }], below: true };
      return ana.client().team.requests.submit({ ...of(ana), title: 'Autumn budgets', chosen });
    },
    ({ campaigns, rows }) => `of ${counted(rows, 'row')} in ${counted(campaigns, 'campaign')}`,
  );
  await step(
    'Carla signs off two campaigns',
    async () => {
      await share(carla);
      const { id } = asked;
      const { rows } = await carla.client().team.requests.show({ ...of(carla), id });
      const [third, ...signed] = [...new Set(rows.map(({ campaignId }) => campaignId))];
      if (third === undefined) throw new DemoFailed('the change request has no rows');
      await carla.client().team.requests.signOff({ ...of(carla), id, campaignIds: signed });
      const note = 'Please wait for the new prices.';
      await carla.client().team.requests.askForChanges({ ...of(carla), id, campaignIds: [third], note });
      return note;
    },
    (note) => `and comments on the third: "${note}"`,
  );
  return asked.id;
}

interface Turns {
  readonly step: Step;
  readonly service: PracticeService;
  readonly cli: readonly string[];
  readonly ben: Computer;
  readonly pia: Computer;
}

/** Pia's computer stops during a request, and Ben takes over when her right to send has expired. */
async function sendInTurns({ step, service, cli, ben, pia }: Turns): Promise<void> {
  await step(
    'Pia plans a sync',
    async () => {
      await share(pia);
      return pia.client().sync.plan(of(pia));
    },
    ({ changes, notIncluded }) => `${counted(changes, 'change')} signed off, ${notIncluded} not included`,
  );
  await step(
    "Pia's computer dies",
    () => breakOff(pia, service, cli),
    () => 'with a request in progress',
  );
  await step(
    'Ben waits for his turn',
    () => untilOver(ben),
    (seconds) => `${seconds} s`,
  );
  await step(
    'Ben takes over',
    () => ben.client().team.takeOver(of(ben)),
    ({ unconfirmed }) => `${counted(unconfirmed, 'row')} unconfirmed`,
  );
  await step(
    'Ben syncs',
    () => syncUntilDone(ben),
    (syncs) => `all that is signed off is on the service (${counted(syncs, 'sync')})`,
  );
}

/** Kills the process of a sync while the service delays a response. */
async function breakOff(pia: Computer, service: PracticeService, cli: readonly string[]): Promise<void> {
  const control = createPracticeControl(service.controlUrl, async () => {});
  const ordered = await control.delayNext('PUT', HELD_MS);
  if (!ordered.ok) throw new DemoFailed(`the simulated service refused the fault: ${ordered.error.data.detail}`);
  const passphraseFile = join(pia.dataDir, 'passphrase.txt');
  await writeFile(passphraseFile, PASSPHRASE, { mode: 0o600 });
  await pia.close();
  const [program = '', ...before] = cli;
  const child = spawn(program, [...before, 'sync', '--data', pia.dataDir, '--passphrase-file', passphraseFile], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(child, 'exit');
  while (await isDelayPending(control)) {
    if (child.exitCode !== null) throw new DemoFailed(`Pia's sync ended before it had sent anything: ${said}`);
    await systemClock.sleep(LOOK_MS);
  }
  child.kill('SIGKILL');
  await ended;
}

/** Whether the delayed response is still to come. */
async function isDelayPending(control: PracticeControl): Promise<boolean> {
  const pending = await control.pendingFaults();
  if (!pending.ok) throw new DemoFailed(`the simulated service does not respond: ${pending.error.data.detail}`);
  return pending.value > 0;
}

/** @returns seconds until the right to send of the broken sync has ended */
async function untilOver(ben: Computer): Promise<number> {
  const startedMs = systemClock.monotonicMs();
  for (;;) {
    await share(ben);
    const sender = (await ben.client().team.status(of(ben)))?.sender ?? null;
    const waitedMs = systemClock.monotonicMs() - startedMs;
    if (sender?.isOver === true) return Math.round(waitedMs / 1000);
    if (waitedMs > TURN_MAX_MS) throw new DemoFailed("Pia's right to send does not end");
    await systemClock.sleep(5 * LOOK_MS);
  }
}

/** Unconfirmed changes are read again once no request can still arrive. @returns the number of syncs needed */
async function syncUntilDone(ben: Computer): Promise<number> {
  for (let syncs = 1; syncs <= SYNCS_MAX; syncs++) {
    await ben.client().sync.run({ ...of(ben), submit: false });
    let report = await ben.client().sync.report(of(ben));
    while (report?.state === 'running') {
      await systemClock.sleep(LOOK_MS);
      report = await ben.client().sync.report(of(ben));
    }
    if (report?.stoppedBy != null) throw new DemoFailed(`the sync stopped: ${report.stoppedBy.detail}`);
    const { changes } = await ben.client().sync.plan({ ...of(ben), submit: false });
    if (report?.inDoubt === 0 && changes === 0) return syncs;
    await systemClock.sleep(SETTLE_LOOK_MS);
  }
  throw new DemoFailed('a row stays unconfirmed');
}

/** Counts in the service's own log how often each row was written. */
async function proveOnce({ controlUrl }: PracticeService): Promise<string> {
  const log = await createPracticeControl(controlUrl, async () => {}).requests(0);
  if (!log.ok) throw new DemoFailed('the simulated service does not return its request log');
  const writes = log.value.filter(({ method, status }) => method === 'PUT' && status < 300);
  const elements = writes.reduce((sum, { elementCount }) => sum + elementCount, 0);
  return `${counted(writes.length, 'write request')} with ${counted(elements, 'change')} in all.`;
}

/** Each computer in order loads the log and shares its changes. */
async function share(...computers: readonly Computer[]): Promise<void> {
  for (const computer of computers) await computer.client().team.share(of(computer));
}

const of = (computer: Computer): { readonly workspaceId: WorkspaceId } => ({ workspaceId: computer.workspaceId() });

/** Every member who syncs has a separate key and token; the simulated service issues the same to all. */
async function connectTo(
  { baseUrl, account, retailHost, headerPrefix }: PracticeService,
  who: Computer,
): Promise<void> {
  await who.client().accounts.connect({
    name: ACCOUNT,
    baseUrl,
    advertiserId: account.advertiserId,
    consumerId: account.consumerId,
    keyVersion: account.keyVersion,
    retailHost,
    headerPrefix,
    keyGrant: await who.grant('key.pem', Buffer.from(account.privateKeyPem)),
    tokenGrant: await who.grant('token.txt', Buffer.from(account.token)),
  });
  await who.open();
}

/** One member's computer: a separate data folder, with the account once it was added. */
async function aComputer(parent: string, name: string) {
  const dataDir = join(parent, name.toLowerCase());
  await mkdir(dataDir, { recursive: true });
  const start = async (): Promise<Running> => {
    const secrets = createCredentialStore({ dataDir, clock: systemClock, keychain: async () => null });
    const preferences = createFilePreferences(dataDir);
    const core = await createCore({ dataDir, host: 'cli', clock: systemClock, preferences, secrets });
    const client: Client = createRouterClient(core.router);
    if ((await secrets.status()).state === 'locked') await secrets.unlock(PASSPHRASE);
    else await secrets.choose('passphrase', PASSPHRASE);
    const [account] = await client.accounts.list();
    return { core, client, workspaceId: account?.workspaceId ?? null };
  };
  let running: Running | null = await start();
  const here = (): Running => {
    if (running === null) throw new DemoFailed(`${name}'s computer is off`);
    return running;
  };
  const workspaceId = (): WorkspaceId => {
    const { workspaceId: id } = here();
    if (id === null) throw new DemoFailed(`${name} has no account`);
    return id;
  };
  return {
    name,
    dataDir,
    client: (): Client => here().client,
    workspaceId,
    trees: async () => {
      const account = await here().core.open.get(workspaceId());
      if (!account.ok) throw new DemoFailed(`${name}'s account couldn't be opened`);
      return account.value.workspace.readTrees('all');
    },
    grant: async (fileName: string, bytes: Buffer): Promise<string> => {
      const path = join(dataDir, fileName);
      await writeFile(path, bytes, { mode: 0o600 });
      const file = await here().core.grants.grantPath(path);
      if (!file.ok) throw new DemoFailed(`can't read ${fileName}`);
      return file.value.grant;
    },
    /** Reads a file that a window would save. */
    read: async (url: string): Promise<Buffer> => {
      const file = await here().core.preview(url.split('/').at(-1) ?? '');
      if (file === null) throw new DemoFailed('the invitation was not saved');
      return buffer(file.open(0, file.bytes - 1));
    },
    /** Starts the computer; finds the account if it was added in the meantime. */
    open: async () => {
      if (running === null) running = await start();
      else {
        const [account] = await running.client.accounts.list();
        running = { ...running, workspaceId: account?.workspaceId ?? null };
      }
    },
    /** Shuts the computer down. */
    close: async () => {
      const last = running;
      running = null;
      await last?.core.close();
    },
  };
}

interface Running {
  readonly core: Core;
  readonly client: Client;
  readonly workspaceId: WorkspaceId | null;
}
