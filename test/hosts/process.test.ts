import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type HostProcess, startHostProcess } from '../e2e/host-process.ts';
import { copyAccount } from '../prepared-account.ts';
import { share } from '../share.ts';

/** The web host as a process of its own: how it starts, how it refuses to, how it ends. */
const ROOT = join(import.meta.dirname, '..', '..');
const ENTRY = join(ROOT, 'out', 'main', 'web.js');
const START = join(ROOT, 'scripts', 'start.mjs');

let dataDir: string;
const running: HostProcess[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'adslate-process-'));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((host) => host.stop('SIGKILL')));
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(...args: readonly string[]): Promise<HostProcess> {
  const host = await startHostProcess(ENTRY, ['--data', dataDir, '--no-open', ...args]);
  running.push(host);
  return host;
}
const startInVain = (...args: readonly string[]) =>
  spawnSync(process.execPath, [ENTRY, ...args, '--no-open'], { encoding: 'utf8', timeout: 120_000 });

describe('starting', () => {
  test('says in one line for programs where it is; that link signs in once, and nothing of it is on the disk', async () => {
    const host = await start();
    expect(host.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const code = new URL(host.url).hash.slice('#code='.length);
    const signIn = () =>
      fetch(`${host.origin}/session`, {
        method: 'POST',
        headers: { origin: host.origin, 'content-type': 'application/json' },
        body: JSON.stringify({ code }),
      });
    expect((await signIn()).status).toBe(200);
    expect((await signIn()).status).toBe(403);
    expect(filesBelow(dataDir)).toContain(join('log', 'adslate.log'));
    for (const name of filesBelow(dataDir)) {
      expect(readFileSync(join(dataDir, name), 'latin1').includes(code)).toBe(false);
    }
  });

  test('opens what was asked for, nothing or the practice account, in a folder that it keeps from other users', async () => {
    const folder = dataDir;
    const accounts = (): unknown => {
      const file = join(dataDir, 'accounts.json');
      return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
    };
    for (const [word, found] of [
      ['--port=0', null],
      ['--practice', { accounts: [{ name: 'Practice', practice: true }] }],
    ] as const) {
      dataDir = join(folder, word, 'new one');
      await start(word);
      expect(statSync(dataDir).mode & 0o077).toBe(0);
      if (found === null) expect(accounts()).toBeNull();
      else expect(accounts()).toMatchObject(found);
    }
    dataDir = folder;
  });

  test('in a folder that was there and open to everybody, nothing of ours is; a polite end leaves nothing half written', async () => {
    chmodSync(dataDir, 0o777);
    const host = await start('--practice');
    expect(filesBelow(dataDir)).toContain('accounts.json');
    expect(openToOthers(dataDir)).toEqual([]);
    await host.stop('SIGTERM');
    expect(filesBelow(dataDir).filter((name) => name.endsWith('.part') || name.includes('spool-'))).toEqual([]);
    expect(host.said()).not.toMatch(/error|warn/i);
  });
});

test('npm start -- --help names every option that a host takes, and starts nothing', () => {
  const asked = spawnSync(process.execPath, [START, '--help'], { encoding: 'utf8', timeout: 120_000 });
  expect(asked.status).toBe(0);
  const [, known = ''] = /Use (.*)\./.exec(startInVain('--colour').stderr) ?? [];
  const options = known.split(/, | or /);
  expect(options.length).toBeGreaterThan(3);
  for (const option of ['--host', ...options]) expect(asked.stdout).toMatch(new RegExp(`^  ${option} `, 'm'));
});

describe('refusing to start', () => {
  test('a second start on the same folder names the holder and the next step', async () => {
    await start();
    const second = startInVain('--data', dataDir);
    expect(second.status).toBe(5);
    expect(second.stdout).toBe('');
    expect(second.stderr).toMatch(/already open with the data folder .*open in process \d+.*--data/s);
  });

  const UNKNOWN: readonly { readonly args: readonly string[]; readonly says: RegExp }[] = [
    { args: ['--port', 'many'], says: /--port must be a number from 0 to 65535, not "many"/ },
    { args: ['--port', '70000'], says: /--port must be a number/ },
    { args: ['--colour'], says: /Use --data, --port, --no-open, --practice, --sample or --ready-json/ },
    { args: ['stray'], says: /Use --data/ },
  ];
  test.each(share('wrong words of a start', UNKNOWN, 4))(
    '$args is not understood, and it says what is',
    ({ args, says }) => {
      const refused = startInVain(...args);
      expect(refused.status).toBe(2);
      expect(refused.stderr).toMatch(says);
    },
  );

  test('it listens on the port that was asked for; one that is taken is named, with the way out', async () => {
    const port = await freePort();
    const first = await start('--port', String(port));
    expect(first.origin).toBe(`http://127.0.0.1:${port}`);
    const other = mkdtempSync(join(tmpdir(), 'adslate-process-'));
    const refused = startInVain('--data', other, '--port', String(port));
    rmSync(other, { recursive: true, force: true });
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/EADDRINUSE.*--port/s);
  });
});

describe('ending', () => {
  test('after a kill the next start takes the folder over, and throws away what pages had handed to the run', async () => {
    copyAccount(dataDir);
    const first = await start('--practice');
    await first.stop('SIGKILL');
    mkdirSync(join(dataDir, 'spool', 'spool-of-before'), { recursive: true });
    writeFileSync(join(dataDir, 'spool', 'spool-of-before', 'plan.csv'), 'left behind');
    const second = await start('--practice');
    expect(filesBelow(dataDir).filter((name) => name.includes('spool'))).toEqual([]);
    expect(second.origin).toMatch(/^http/);
    const accounts: unknown = JSON.parse(readFileSync(join(dataDir, 'accounts.json'), 'utf8'));
    expect(accounts).toMatchObject({ accounts: [{ name: 'Shop' }] });
  });
});

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

/** What another user can read or write of a folder that he can enter. */
function openToOthers(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    const { mode } = statSync(path);
    if (entry.isDirectory()) return (mode & 0o001) === 0 ? [] : [path, ...openToOthers(path)];
    return (mode & 0o006) === 0 ? [] : [path];
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port.');
  return address.port;
}
