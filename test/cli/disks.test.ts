import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createFilePreferences } from '../../main/accounts/file-preferences.ts';
import { NOBODY, readableByNobody } from '../../main/hosts/cli/demo/postgres.ts';
import { startCore } from '../core/a-core.ts';
import { testFolder } from '../folder.ts';
import { copyAccount } from '../prepared-account.ts';
import { share } from '../share.ts';
import { cli, cliJson, Problem } from './cli.ts';

/** What the disk does to the command line and to the program behind it: it is told as what it is, and never as a stack. */
const folder = testFolder('disks');
afterAll(() => {
  unlock(folder);
});
const place = (name: string): string => join(folder, name);
const aFile = (name: string): string => {
  writeFileSync(place(name), 'x');
  return place(name);
};
const programs = testFolder('programs');
chmodSync(programs, 0o755);
const CLI = join(readableByNobody(join(import.meta.dirname, '..', '..', 'out', 'main'), programs), 'cli.js');
const NODE = readableByNobody(process.execPath, programs);
/** Each of these starts the program several times. */
const SLOW_MS = 300_000;

function eachBelow(path: string, work: (path: string, isFolder: boolean) => void): void {
  const isFolder = lstatSync(path).isDirectory();
  if (isFolder) {
    chmodSync(path, 0o755);
    for (const name of readdirSync(path)) eachBelow(join(path, name), work);
  }
  work(path, isFolder);
}
const lock = (path: string): void => eachBelow(path, (each, isFolder) => chmodSync(each, isFolder ? 0o555 : 0o444));
const unlock = (path: string): void => eachBelow(path, (each, isFolder) => chmodSync(each, isFolder ? 0o755 : 0o644));

/**
 * The command line as a program of its own, for somebody who cannot write what `lock` has locked: root can write everywhere,
 * so another user does it for him.
 */
function program(...args: readonly string[]): {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
} {
  const done = spawnSync(NODE, [CLI, ...args], { encoding: 'utf8', cwd: '/', ...NOBODY });
  if (done.error !== undefined) throw done.error;
  return { code: done.status, out: done.stdout, err: done.stderr };
}

const STACK = /\n\s+at |file:\/\//u;

describe('a data folder or a file in it that cannot be used', () => {
  const inPlace = (name: string, put: (path: string) => void): string => {
    const dataDir = place(name);
    mkdirSync(dataDir);
    put(join(dataDir, 'accounts.json'));
    return dataDir;
  };
  const UNUSABLE: readonly (readonly [string, () => string, RegExp])[] = [
    ['is a file', () => aFile('file'), /is a file, and not a folder/],
    ['lies below a file', () => join(aFile('file-above'), 'below'), /ENOTDIR/],
    ['has a path that is too long', () => place('x'.repeat(5000)), /path is too long/],
    ['has a path with a NUL', () => place('a\0b'), /NUL/],
    ['has a folder for its accounts', () => inPlace('a1', (path) => mkdirSync(path)), /accounts\.json: it is a folder/],
    ['has no text in its accounts', () => inPlace('a2', (path) => writeFileSync(path, '')), /accounts\.json: /],
    ['has noise in its accounts', () => inPlace('a3', (path) => writeFileSync(path, '\0\xff[')), /accounts\.json: /],
    [
      'has far too much in its accounts',
      () => inPlace('a4', (path) => writeFileSync(path, Buffer.alloc(33 * 2 ** 20, 32))),
      /accounts\.json: it holds/,
    ],
  ];
  test.each(share('data folders that cannot be used', UNUSABLE, 4))(
    'fault D1: a data folder that %s ends with 5 and one message',
    async (_what, make, says) => {
      const dataDir = make();
      for (const verb of [['account', 'list'], ['status'], ['account', 'add', '--practice', '--name', 'A']]) {
        const { code, json } = await cliJson(Problem, dataDir, ...verb);
        expect({ code, ...json }).toMatchObject({ code: 5, error: { message: expect.stringMatching(says) } });
      }
      const { code, out, err } = await cli(dataDir, 'account', 'list');
      expect({ code, out }).toEqual({ code: 5, out: '' });
      expect(err).not.toMatch(STACK);
    },
  );
});

describe('an account name', () => {
  test.each([
    ['of 300 emoji', '😀'.repeat(300), /account name has 300 characters\. The maximum is 60/],
    ['with a character without width', 'A\u200BB', /"A\[U\+200B\]B"/],
    ['with a control character', 'A\u0007B', /"A\[U\+0007\]B"/],
    ['that turns the direction of reading', 'A\u202EB', /"A\[U\+202E\]B"/],
    ['of blanks', '   ', /name/],
  ])('fault D2: %s is refused with the field and what is wrong, and nothing is stored', async (_what, name, says) => {
    const dataDir = place('names');
    const { code, json } = await cliJson(Problem, dataDir, 'account', 'add', '--practice', '--name', name);
    expect(code).toBe(2);
    expect(json.error.message).toMatch(says);
    expect(existsSync(dataDir)).toBe(false);
  });
  test('of 60 emoji, some of them joined, is taken and found again', async () => {
    const name = `👩🏽‍🚀${'😀'.repeat(56)}`;
    const dataDir = place('long-name');
    expect((await cli(dataDir, 'account', 'add', '--practice', '--name', name)).code).toBe(0);
    const shape = z.object({ accounts: z.array(z.object({ account: z.string() })) });
    expect((await cliJson(shape, dataDir, 'account', 'list')).json.accounts).toEqual([{ account: name }]);
  });
});

describe('a data folder that can only be read', () => {
  const dataDir = place('locked');
  beforeAll(async () => {
    copyAccount(dataDir);
    await cli(dataDir, 'import', 'examples/campaigns.csv');
    chmodSync(folder, 0o755);
    mkdirSync(place('elsewhere'), { recursive: true });
    chmodSync(place('elsewhere'), 0o777);
    lock(dataDir);
    const tried = spawnSync('touch', [join(dataDir, 'tried')], { ...NOBODY });
    if (tried.status === 0) throw new Error('the data folder could be written all the same');
  });
  test('fault D3: it is looked at and exported elsewhere', { timeout: SLOW_MS }, () => {
    const sheet = join(place('elsewhere'), 'all.csv');
    for (const verb of share('verbs that look', [['status'], ['backup', 'list'], ['export', sheet]], 3)) {
      expect({ verb, ...program(...verb, '--data', dataDir, '--json') }).toMatchObject({ code: 0, err: '' });
      if (verb.includes(sheet)) expect(readFileSync(sheet, 'utf8')).toContain('Kitchen roll video');
    }
  });
  test('fault D3: it refuses what would write with one message that says so', { timeout: SLOW_MS }, () => {
    const writing = [
      ['account', 'add', '--practice', '--name', 'Two'],
      ['practice', 'clock', 'PT1M'],
      ['sync', '--yes'],
      ['deployment', '--reset'],
    ];
    for (const verb of share('verbs that would write', writing, 4)) {
      const { code, out, err } = program(...verb, '--data', dataDir, '--json');
      expect({ verb, code, err }).toEqual({ verb, code: 5, err: '' });
      expect(Problem.parse(JSON.parse(out)).error).toMatchObject({
        code: 'NOT_WRITABLE',
        message: expect.stringMatching(/^This data folder is read-only/),
      });
    }
  });
});

test('fault D4: a data folder that is taken away while running is told at every call, and never made anew', async () => {
  const dataDir = place('running');
  mkdirSync(dataDir);
  const core = await startCore(dataDir);
  try {
    const client = createRouterClient(core.router);
    const { workspaceId } = await client.accounts.addPractice({ name: 'Shop' });
    await client.workspace.summary({ workspaceId });
    renameSync(dataDir, place('away'));
    const gone = { code: 'NOT_WRITABLE', data: { why: 'folder-moved' } };
    const calls = [
      () => client.accounts.list(),
      () => client.workspace.summary({ workspaceId }),
      () => client.backups.make({ workspaceId }),
      () => client.accounts.addPractice({ name: 'Other' }),
      () => client.app.preferences.set({ colorScheme: 'dark' }),
      () => client.exchange.export({ workspaceId, format: 'csv', view: null }),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject(gone);
    expect(existsSync(dataDir)).toBe(false);
    renameSync(place('away'), dataDir);
    expect(await client.accounts.list()).toHaveLength(1);
    rmSync(dataDir, { recursive: true, force: true });
    mkdirSync(dataDir);
    await expect(client.accounts.list()).rejects.toMatchObject(gone);
    expect(readdirSync(dataDir)).toEqual([]);
  } finally {
    await core.close().catch(() => undefined);
  }
});

describe('damaged preferences', () => {
  test.each([
    ['no JSON', '{"colorScheme": "da', { colorScheme: 'system', locale: null }],
    ['one part that does not fit', '{"colorScheme": 5, "locale": "de-DE"}', { colorScheme: 'system', locale: 'de-DE' }],
    ['no text', '', { colorScheme: 'system', locale: null }],
  ])('fault D5: %s: kept as a copy, told once, the usual ones stand in', async (what, text, read) => {
    const dataDir = place(`preferences ${what}`);
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'preferences.json'), text);
    const first = await cli(dataDir, 'account', 'list', '--json');
    expect(JSON.parse(first.out)).toEqual({ accounts: [] });
    const [, copy = ''] = /kept as (preferences-damaged-\S+\.json)\./u.exec(first.err) ?? [];
    expect(readFileSync(join(dataDir, copy), 'utf8')).toBe(text);
    expect(await cli(dataDir, 'account', 'list', '--json')).toMatchObject({ code: 0, err: '' });
    expect(createFilePreferences(dataDir).get()).toMatchObject(read);
  });
  test('the first window to listen is told', async () => {
    const dataDir = place('preferences of a window');
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'preferences.json'), '[');
    const core = await startCore(dataDir);
    const events = await createRouterClient(core.router).app.events();
    expect((await events.next()).value).toMatchObject({
      type: 'notice',
      message: expect.stringMatching(/kept as preferences-damaged-/),
    });
    await core.close();
  });
});

/** A line of the shell; `$CLI` is the command line as a program of its own. */
function shell(line: string, ...places: readonly string[]) {
  const env = { ...process.env, NODE: process.execPath, MAIN: CLI };
  return spawnSync('sh', ['-c', line.replaceAll('$CLI', '"$NODE" "$MAIN"'), 'sh', ...places], {
    encoding: 'utf8',
    env,
  });
}

test('fault D6: a reader that closes the pipe ends a command without a stack', () => {
  expect(shell('$CLI --help | head -1')).toMatchObject({ status: 0, stderr: '' });
});

test('fault L2: an answer with no room ends with one line and 1, whatever the verb and however many lines it has', {
  timeout: SLOW_MS,
}, () => {
  if (!existsSync('/dev/full')) throw new Error('this system has no /dev/full to write to');
  const dataDir = place('unheard');
  copyAccount(dataDir);
  const told = { status: 1, stderr: expect.stringMatching(/^Can't write the result to standard output: [^\n]+\n$/) };
  const commands: readonly (readonly [words: string, ends: object])[] = [
    ['plan --json', told],
    ['status', told],
    ['--help', told],
    // A failure keeps its own code.
    ['nonsense --json', { status: 2 }],
  ];
  for (const [words, ends] of share('answers with no room', commands, 4)) {
    expect({ words, ...shell(`$CLI ${words} --data "$1" > /dev/full`, dataDir) }).toMatchObject({ words, ...ends });
  }
});

test('fault L3: a command started in a folder that was removed names the cause and ends with 2', {
  timeout: SLOW_MS,
}, () => {
  const dataDir = place('from-nowhere');
  const told = expect.stringMatching(/^The current folder no longer exists\. [^\n]+\n$/);
  const lost = { status: 2, stdout: '', stderr: told };
  const commands: readonly (readonly [words: string, ends: object])[] = [
    ['status', lost],
    ['status --json', { status: 2, stdout: expect.stringContaining('"code":"NO_WORKING_FOLDER"') }],
    ['status --data below', lost],
    ['account add --name A --practice --data "$2"', lost],
    ['--help', { status: 0, stderr: '' }],
  ];
  for (const [words, ends] of share('commands in a folder that was removed', commands, 5)) {
    mkdirSync(place('gone'));
    const found = shell(`cd "$1" && rmdir "$1" && exec $CLI ${words}`, place('gone'), dataDir);
    expect({ words, ...found }).toMatchObject({ words, ...ends });
  }
  expect(existsSync(dataDir)).toBe(false);
});
