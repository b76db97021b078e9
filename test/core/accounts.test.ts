import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createRouterClient } from '@orpc/server';
import fc from 'fast-check';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type AccountRecord, newWorkspaceId, workspaceFile } from '../../main/accounts/account-record.ts';
import { testConnection } from '../../main/accounts/connection-test.ts';
import { createAccountRegistry } from '../../main/accounts/registry.ts';
import { systemClock } from '../../main/app/clock.ts';
import { runInSlices } from '../../main/app/long-task.ts';
import { freeBytesOn, LOW_SPACE_BYTES, lowSpace } from '../../main/app/system.ts';
import { stopWorker } from '../../main/app/workers.ts';
import { THREADS } from '../../main/core/core-options.ts';
import { createProber } from '../../main/files/probe/prober.ts';
import { startPracticeService } from '../../main/practice/practice-service.ts';
import { takeLock } from '../../main/store/lock.ts';
import { WorkspaceClosed } from '../../main/store/worker/pending-calls.ts';
import { anExchange } from '../files/an-exchange.ts';
import { testFolder } from '../folder.ts';
import { runs } from '../share.ts';
import { aFolder, done } from '../store/a-workspace.ts';
import { aCoreWithPractice, aSharedPractice, startCore } from './a-core.ts';

const anAccount = (name: string, more: Partial<AccountRecord> = {}): AccountRecord => ({
  workspaceId: newWorkspaceId(name),
  name,
  advertiserId: '900001',
  practice: false,
  baseUrl: 'https://api.example.com/partner',
  consumerId: 'c',
  keyVersion: '2',
  headerPrefix: 'SVC',
  retailHost: 'https://shop.example',
  extensions: false,
  migrated: null,
  color: '#1c7ed6',
  mode: 'normal',
  keyFingerprint: null,
  secrets: { kept: 'box' },
  ...more,
});

describe('accounts', () => {
  const folder = testFolder('accounts');
  const fresh = () => mkdtempSync(join(folder, 'data-'));
  const inPractice = (name: string) => anAccount(name, { practice: true });
  test('a name is taken without regard to case and blanks', async () => {
    const registry = createAccountRegistry(fresh());
    await registry.add(inPractice('North  Wind'));
    expect(await registry.add(inPractice(' north wind'))).toMatchObject({ error: { code: 'NAME_TAKEN' } });
  });
  test.each(['', '/', '/api', '/api/', '/api/v1'])('a base URL that ends in "%s" calls each path once', async (end) => {
    const at = (name: string, text: string) => {
      const path = join(fresh(), name);
      writeFileSync(path, text);
      return { grant: name, path, fileName: name, bytes: text.length, spooled: false, held: null };
    };
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const called: string[] = [];
    const draft = {
      baseUrl: `https://api.example.com/partner${end}`,
      advertiserId: '900001',
      consumerId: 'c',
      keyVersion: '1',
      headerPrefix: 'SVC',
      retailHost: 'https://shop.example',
      keyFile: at('key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
      keyPassphrase: null,
      keyPassphraseFile: null,
      tokenFile: at('token.txt', 'token'),
    };
    const found = await testConnection(
      draft,
      { timestampUnit: 'ms', signatureAlgorithm: 'RS256' },
      {
        clock: systemClock,
        // A gateway that refuses unknown paths as not authenticated, before it looks for them.
        fetch: async (input) => {
          const { pathname } = new URL(input instanceof Request ? input.url : input);
          called.push(pathname);
          return Response.json([], { status: pathname.startsWith('/partner/api/v1/') ? 200 : 401 });
        },
      },
    );
    expect(found).toMatchObject({ ok: true });
    expect(called).toEqual(['/partner/api/v1/media']);
  });
  test('accounts added at the same moment are all kept', async () => {
    const registry = createAccountRegistry(fresh());
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => registry.add(inPractice(name))));
    expect(await registry.list()).toHaveLength(4);
  });
  test('one account too many is refused, and a list that is too long is read whole', async () => {
    const dataDir = fresh();
    const registry = createAccountRegistry(dataDir);
    const write = (count: number): void => {
      const accounts = Array.from({ length: count }, (_, at) => inPractice(`Shop ${at}`));
      writeFileSync(join(dataDir, 'accounts.json'), JSON.stringify({ version: 1, accounts }));
    };
    write(1000);
    expect(await registry.add(inPractice('x'))).toMatchObject({ error: { code: 'TOO_MANY_ACCOUNTS' } });
    expect(await registry.list()).toHaveLength(1000);
    write(1001);
    expect(await registry.list()).toHaveLength(1001);
  });
  test('two programs that add a practice account at once give each an advertiser of its own', async () => {
    const dataDir = fresh();
    const cores = await Promise.all([startCore(dataDir), startCore(dataDir)]);
    const added = await Promise.all(
      cores.map(({ router }, at) => createRouterClient(router).accounts.addPractice({ name: `Shop ${at}` })),
    );
    await Promise.all(cores.map(({ close }) => close()));
    expect(added.map(({ advertiserId }) => advertiserId).sort()).toEqual(['900001', '900003']);
    expect(readdirSync(join(dataDir, 'practice'))).toHaveLength(2);
  });
  test('a damaged list is left alone and named', async () => {
    const dataDir = fresh();
    const registry = createAccountRegistry(dataDir);
    await registry.add(inPractice('x'));
    writeFileSync(join(dataDir, 'accounts.json'), '{"version": 1, "acc');
    await expect(registry.list()).rejects.toThrow('damaged');
    await expect(registry.add(inPractice('y'))).rejects.toThrow('damaged');
    expect(readFileSync(join(dataDir, 'accounts.json'), 'utf8')).toBe('{"version": 1, "acc');
  });
  test('a folder name tells the account and is fit for every file system', () => {
    expect(newWorkspaceId('Café Straße / 東京')).toMatch(/^cafe-stra-e-[a-f0-9]{8}$/);
    expect(newWorkspaceId('東京')).toMatch(/^account-[a-f0-9]{8}$/);
    expect(newWorkspaceId('x'.repeat(200)).length).toBeLessThanOrEqual(64);
  });
});

/** What windows do at the same moment: a new profile closes the account, a backup is put in its place. */
type Move = 'look' | 'new profile' | 'restore';
const moves = fc.array(
  fc.record({
    what: fc.constantFrom<Move>('look', 'look', 'look', 'new profile', 'new profile', 'restore'),
    /** After the move before it: a closing takes some ten milliseconds, an opening some hundred. */
    afterMs: fc.constantFrom(0, 0, 1, 10, 60),
  }),
  { minLength: 2, maxLength: 8 },
);

test('an account that is closed and asked for at once is opened again, and its lock is given back at last', async () => {
  const { client, dataDir, workspaceId, reopen } = await aCoreWithPractice();
  const campaign = { kind: 'campaign', parent: null, values: { name: 'Autumn' } } as const;
  await client().workspace.create({ workspaceId, label: 'New', rows: [campaign] });
  const { backupId } = await client().backups.make({ workspaceId });
  const doing: Readonly<Record<Move, () => Promise<unknown>>> = {
    look: () => client().workspace.summary({ workspaceId }),
    'new profile': () => client().accounts.setProfile({ workspaceId, text: '' }),
    restore: () => client().backups.restore({ workspaceId, backupId }),
  };
  await fc.assert(
    fc.asyncProperty(moves, async (planned) => {
      const under: Promise<unknown>[] = [];
      for (const { what, afterMs } of planned) {
        await sleep(afterMs);
        under.push(doing[what]());
      }
      await Promise.all(under);
      expect((await client().workspace.changes({ workspaceId, from: 0, count: 10 })).total).toBe(1);
    }),
    { numRuns: runs(15, 5) },
  );
  await reopen(() => {
    const lock = done(takeLock(workspaceFile(dataDir, workspaceId), 0));
    lock.release();
  });
});

describe('closing accounts', () => {
  async function anAccount() {
    const dataDir = aFolder();
    const core = await startCore(dataDir);
    onTestFinished(() => core.close());
    const { workspaceId } = await createRouterClient(core.router).accounts.addPractice({ name: 'Shop' });
    return { ...core, workspaceId, isFree: () => isFree(workspaceFile(dataDir, workspaceId)) };
  }

  /** Whether nobody holds the workspace, this program included. */
  function isFree(file: string): boolean {
    const lock = takeLock(file, systemClock.nowMs());
    if (lock.ok) lock.value.release();
    return lock.ok;
  }

  test('who asks for an account while its files are changed gets it afterwards, also when the change fails', async () => {
    const { open, workspaceId, isFree } = await anAccount();
    await open.get(workspaceId);
    const order: string[] = [];
    const change = open.whileClosed(workspaceId, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push(isFree() ? 'changed' : 'changed under somebody');
      throw new Error('no such file');
    });
    const asked = open.get(workspaceId).then(({ ok }) => order.push(ok ? 'opened' : 'refused'));
    await expect(change).rejects.toThrow('no such file');
    await asked;
    expect(order).toEqual(['changed', 'opened']);
  });

  test('once the program has closed its accounts, none is opened', async () => {
    const { close, open, workspaceId, isFree } = await anAccount();
    await open.get(workspaceId);
    const late = close().then(() => open.get(workspaceId));
    expect(await late).toMatchObject({ ok: false, error: { code: 'NOT_WRITABLE', data: { why: 'failed' } } });
    expect(isFree()).toBe(true);
  });
});

describe('same advertiser', () => {
  /** Two accounts that are the same advertiser would each create what the other has created. */
  const folder = testFolder('same');
  const fresh = () => join(folder, randomUUID());

  const SAME: readonly (readonly [string, Partial<AccountRecord>])[] = [
    ['nothing', {}],
    ['capitals of the host', { baseUrl: 'HTTPS://API.Example.COM/partner' }],
    ['capitals of the path', { baseUrl: 'https://api.example.com/Partner' }],
    ['a slash at the end', { baseUrl: 'https://api.example.com/partner/' }],
    ['several slashes', { baseUrl: 'https://api.example.com//partner///' }],
    ['the port that is meant anyway', { baseUrl: 'https://api.example.com:443/partner' }],
    ['a point behind the host', { baseUrl: 'https://api.example.com./partner' }],
    ['a letter of the path in another form', { baseUrl: 'https://api.example.com/%70artner' }],
    ['zeros before the advertiser', { advertiserId: '0900001' }],
    ['the names of headers', { headerPrefix: 'WM' }],
    ['consumer and key', { consumerId: 'other', keyVersion: '3', retailHost: 'https://other.example' }],
  ];

  test.each(SAME)('a second account that differs by %s is refused with the name of the first', async (_what, more) => {
    const registry = createAccountRegistry(fresh());
    await registry.add(anAccount('First'));
    expect(await registry.add(anAccount('Second', more))).toEqual({
      ok: false,
      error: { code: 'ALREADY_CONNECTED', data: { name: 'First' } },
    });
    expect(await registry.list()).toHaveLength(1);
  });

  const OTHERS: readonly (readonly [string, Partial<AccountRecord>])[] = [
    ['advertiser', { advertiserId: '900002' }],
    ['host', { baseUrl: 'https://api2.example.com/partner' }],
    ['port', { baseUrl: 'https://api.example.com:8443/partner' }],
    ['path', { baseUrl: 'https://api.example.com/sandbox' }],
    ['service, that of a practice account', { practice: true, baseUrl: '', secrets: { kept: 'practice' } }],
  ];

  test.each(OTHERS)('another %s is another account', async (_what, more) => {
    const registry = createAccountRegistry(fresh());
    await registry.add(anAccount('First'));
    expect(await registry.add(anAccount('Second', more))).toMatchObject({ ok: true });
  });

  test('of programs that add the same advertiser at once one does, and what each adds is kept', async () => {
    const dataDir = fresh();
    // Each registry has a line of its own, as each process has; between them there is the file alone.
    const added = await Promise.all(
      Array.from({ length: 12 }, (_, at) => {
        const account = at % 2 === 0 ? anAccount(`Same ${at}`) : anAccount(`Other ${at}`, { advertiserId: `${at}` });
        return createAccountRegistry(dataDir).add(account);
      }),
    );
    expect(added.filter(({ ok }) => ok)).toHaveLength(1 + 6);
    expect(await createAccountRegistry(dataDir).list()).toHaveLength(1 + 6);
  });

  test('connecting it a second time is refused before anything is sent, with the name to work under', async () => {
    const dataDir = fresh();
    await createAccountRegistry(dataDir).add(anAccount('First'));
    let asked = 0;
    let heard = (): void => undefined;
    const core = await startCore(dataDir, {
      fetch: async () => {
        asked += 1;
        heard();
        return new Response('', { status: 401 });
      },
    });
    const client = createRouterClient(core.router);
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const connect = async (name: string, signal = new AbortController().signal) => {
      const grants = await Promise.all(
        [pem, 'token'].map((text) => core.grants.hold('secret', Readable.from([Buffer.from(text)]))),
      );
      const [keyGrant = '', tokenGrant = ''] = grants.map((granted) => (granted.ok ? granted.value.grant : ''));
      return client.accounts.connect(
        {
          name,
          baseUrl: 'https://API.example.com:443/partner/',
          advertiserId: '900001',
          consumerId: 'another',
          keyVersion: '1',
          retailHost: 'www.example.com',
          keyGrant,
          tokenGrant,
        },
        { signal },
      );
    };
    await expect(connect('Second')).rejects.toMatchObject({ code: 'ALREADY_CONNECTED', data: { name: 'First' } });
    expect(asked).toBe(0);
    // Under its own name the new key and token are proven, as ever.
    await expect(connect(' first ')).rejects.toMatchObject({ code: 'BAD_CREDENTIALS' });
    expect(asked).toBeGreaterThan(0);
    // The user may cancel while the service is asked.
    const stop = new AbortController();
    heard = () => stop.abort();
    await expect(connect('first', stop.signal)).rejects.toMatchObject({ code: 'CANCELLED' });
    await core.close();
  });
});

describe('end thread', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** A thread that says when it runs, and does then what it is given, with every message it gets. */
  async function aThread(onMessage: string): Promise<Worker> {
    const code = `const { parentPort } = require('node:worker_threads');
    parentPort.on('message', () => { ${onMessage} });
    parentPort.postMessage('up');`;
    const worker = new Worker(code, { eval: true });
    await once(worker, 'message');
    return worker;
  }

  test('a thread that closes when it is told to ends by itself', async () => {
    const worker = await aThread('parentPort.close()');
    worker.unref();
    worker.postMessage('close');
    const forced = vi.spyOn(worker, 'terminate');
    await stopWorker(worker);
    expect(forced).not.toHaveBeenCalled();
  });
  test('a thread that is stuck is ended from outside, after the limit', async () => {
    const worker = await aThread('for (;;);');
    worker.postMessage('close');
    const forced = vi.spyOn(worker, 'terminate');
    await stopWorker(worker, 50);
    expect(forced).toHaveBeenCalledOnce();
  });
  test('for one that has ended already nobody waits', async () => {
    const worker = await aThread('process.exit()');
    const ended = once(worker, 'exit');
    worker.postMessage('close');
    await ended;
    await stopWorker(worker);
  });
  test('an account whose sheets, media and service were used is closed without ending a thread from outside', async () => {
    const ended = vi.spyOn(Worker.prototype, 'terminate');
    const folder = aFolder();
    const sheet = join(folder, 'sheet.csv');
    const rows = Array.from({ length: 2000 }, (_, row) => `Campaign ${row},sponsoredProducts,auto,50`);
    writeFileSync(sheet, ['Campaign name,Campaign type,Targeting,Daily budget', ...rows].join('\n'));

    const desk = await anExchange(join(folder, 'data'), THREADS);
    await desk.preview(await desk.grant(sheet));
    const looked = await desk.preview(await desk.grant(sheet));
    await desk.dismiss(looked.previewId);
    // One preview is left open, and one is under way when everything closes.
    const late = expect(desk.tryPreview(await desk.grant(sheet))).rejects.toThrow(WorkspaceClosed);
    await desk.close();
    await late;

    const prober = createProber();
    expect(await prober.probe(sheet)).toMatchObject({ ok: false });
    await prober.close();
    const service = done(await startPracticeService(join(folder, 'service')));
    await service.close();
    expect(ended).not.toHaveBeenCalled();
  });
  test('a service that cannot start is not ended from outside either', async () => {
    const ended = vi.spyOn(Worker.prototype, 'terminate');
    const folder = aFolder();
    writeFileSync(join(folder, 'sandbox.db'), 'no database at all, and long enough to be looked at as one'.repeat(99));
    expect(await startPracticeService(folder)).toMatchObject({ ok: false });
    expect(ended).not.toHaveBeenCalled();
  });
});

test('work that takes several turns lets others pass between them, and answers what it came to', async () => {
  let passed = 0;
  const others = setInterval(() => passed++, 0);
  const passedAt: number[] = [];
  const sum = await runInSlices(
    (function* () {
      let total = 0;
      for (let part = 1; part <= 60; part++) {
        passedAt.push(passed);
        spin(1);
        total += part;
        yield;
      }
      return total;
    })(),
  );
  clearInterval(others);
  expect(sum).toBe(1830);
  expect(new Set(passedAt).size).toBeGreaterThan(2);
});

test('what goes wrong in a later turn is told to whoever asked', async () => {
  const failing = (function* (): Generator<void, never> {
    spin(10);
    yield;
    throw new Error('in the second turn');
  })();
  await expect(runInSlices(failing)).rejects.toThrow('in the second turn');
});

function spin(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

const MINUTE_MS = 60_000;

const { client, workspaceId } = await aSharedPractice('account-status');

test('an account says what an hour allows, what is left of it, and when it asks by itself again', async () => {
  const before = Date.now();
  const standing = await client.accountStatus.get({ workspaceId });
  expect(standing).toMatchObject({ budgetLeft: 3000, budgetPerHour: 3000 });
  const wait = (standing.nextPollAt ?? 0) - before;
  expect(wait).toBeGreaterThan(26 * MINUTE_MS);
  expect(wait).toBeLessThan(34 * MINUTE_MS);
});

test('whether the service answers is not known before it was asked', async () => {
  expect((await client.accountStatus.get({ workspaceId })).reachable).toBeNull();
  await client.sync.refresh({ workspaceId });
  expect((await client.accountStatus.get({ workspaceId })).reachable).toBe(true);
});

test('a deployment profile moves the limits at once, and windows hear that everything may be different', async () => {
  const stop = new AbortController();
  const events = await client.app.events(undefined, { signal: stop.signal });
  const { revision } = await client.workspace.summary({ workspaceId });
  await client.accounts.setProfile({ workspaceId, text: 'rate.opsPerHour=40\nreview.pollMinutes=5' });
  const standing = await client.accountStatus.get({ workspaceId });
  expect(standing).toMatchObject({ budgetLeft: 40, budgetPerHour: 40 });
  for await (const event of events) {
    if (event.type !== 'workspace.changed') continue;
    expect(event).toMatchObject({ workspaceId, revision });
    expect(event.kinds).toContain('media');
    break;
  }
  stop.abort();
});

test('a disk with less than 512 MiB free is told about, and one that has more or cannot say is not', async () => {
  let free = LOW_SPACE_BYTES;
  const { client, workspaceId } = await aCoreWithPractice({ freeBytes: async () => free });
  expect((await client().accountStatus.get({ workspaceId })).lowSpaceBytes).toBeNull();
  free -= 1;
  expect((await client().accountStatus.get({ workspaceId })).lowSpaceBytes).toBe(LOW_SPACE_BYTES - 1);
  const silent = async () => {
    throw Object.assign(new Error('not here'), { code: 'ENOSYS' });
  };
  expect(await lowSpace('/', silent)).toBeNull();
  expect(await freeBytesOn('/')).toBeGreaterThan(0);
});
