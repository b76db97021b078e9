import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readStartOptions } from '../../main/hosts/start/start-options.ts';
import { type HostProcess, startHostProcess } from '../e2e/host-process.ts';
import { testFolder } from '../folder.ts';

/** The web host as a process of its own: how it starts, how it refuses to, how it ends. A start costs 2 s of CPU. */
const ROOT = join(import.meta.dirname, '..', '..');
const ENTRY = join(ROOT, 'out', 'main', 'web.js');
const START = join(ROOT, 'scripts', 'start.mjs');

const folder = testFolder('process');
const start = (dataDir: string, ...args: readonly string[]): Promise<HostProcess> =>
  startHostProcess(ENTRY, ['--data', dataDir, '--no-open', ...args]);
const startInVain = (...args: readonly string[]) =>
  spawnSync(process.execPath, [ENTRY, ...args, '--no-open'], { encoding: 'utf8', timeout: 120_000 });

describe('a start on a new folder and a port', () => {
  const dataDir = join(folder, 'new one');
  let host: HostProcess;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    host = await start(dataDir, '--port', String(port));
    return () => host.stop('SIGKILL');
  });

  test('says in one line for programs where it is; that link signs in once, and nothing of it is on the disk', async () => {
    expect(host.origin).toBe(`http://127.0.0.1:${port}`);
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

  test('opens nothing that was not asked for, in a folder that it keeps from other users', () => {
    expect(statSync(dataDir).mode & 0o077).toBe(0);
    expect(existsSync(join(dataDir, 'accounts.json'))).toBe(false);
  });

  test('a second start on the same folder names the holder and the next step', () => {
    const second = startInVain('--data', dataDir);
    expect(second.status).toBe(5);
    expect(second.stdout).toBe('');
    expect(second.stderr).toMatch(/already open with the data folder .*open in process \d+.*--data/s);
  });

  test('another start on its port names it, with the way out', () => {
    const refused = startInVain('--data', join(folder, 'other'), '--port', String(port));
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/EADDRINUSE.*--port/s);
  });
});

describe('a practice account', () => {
  const dataDir = join(folder, 'open');
  const accounts = (): unknown => JSON.parse(readFileSync(join(dataDir, 'accounts.json'), 'utf8'));
  let host: HostProcess;
  beforeAll(async () => {
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o777);
    host = await start(dataDir, '--practice');
    return () => host.stop('SIGKILL');
  });

  test('in a folder that was there and open to everybody, nothing of ours is', () => {
    expect(accounts()).toMatchObject({ accounts: [{ name: 'Practice', practice: true }] });
    expect(openToOthers(dataDir)).toEqual([]);
  });

  test('after a kill the next start takes the folder over, and throws away what pages had handed to the run', async () => {
    const before = accounts();
    await host.stop('SIGKILL');
    mkdirSync(join(dataDir, 'spool', 'spool-of-before'), { recursive: true });
    writeFileSync(join(dataDir, 'spool', 'spool-of-before', 'plan.csv'), 'left behind');
    host = await start(dataDir, '--practice');
    expect(filesBelow(dataDir).filter((name) => name.includes('spool'))).toEqual([]);
    expect(host.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(accounts()).toEqual(before);
  });

  test('a polite end leaves nothing half written', async () => {
    await host.stop('SIGTERM');
    expect(filesBelow(dataDir).filter((name) => name.endsWith('.part') || name.includes('spool-'))).toEqual([]);
    expect(host.said()).not.toMatch(/error|warn/i);
  });
});

test('npm start -- --help names every option that a host takes, and starts nothing', () => {
  const asked = spawnSync(process.execPath, [START, '--help'], { encoding: 'utf8', timeout: 120_000 });
  expect(asked.status).toBe(0);
  const refused = startInVain('--colour');
  expect(refused.status).toBe(2);
  const [, known = ''] = /Use (.*)\./.exec(refused.stderr) ?? [];
  const options = known.split(/, | or /);
  expect(options.length).toBeGreaterThan(3);
  for (const option of ['--host', ...options]) expect(asked.stdout).toMatch(new RegExp(`^  ${option} `, 'm'));
});

test.each([
  { args: ['--port', 'many'], says: /--port must be a number from 0 to 65535, not "many"/ },
  { args: ['--port', '70000'], says: /--port must be a number/ },
  { args: ['--colour'], says: /Use --data, --port, --no-open, --practice, --sample or --ready-json/ },
  { args: ['stray'], says: /Use --data/ },
])('$args is not understood, and it says what is', ({ args, says }) => {
  expect(readStartOptions(args)).toEqual({ ok: false, error: { message: expect.stringMatching(says) } });
});

const filesBelow = (top: string): readonly string[] =>
  readdirSync(top, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(top.length + 1));

/** What another user can read or write of a folder that he can enter. */
function openToOthers(top: string): readonly string[] {
  return readdirSync(top, { withFileTypes: true }).flatMap((entry) => {
    const path = join(top, entry.name);
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
