import { execFile } from 'node:child_process';
import { chmodSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NOBODY, readableByNobody } from '../../main/hosts/cli/demo/postgres.ts';
import { onlyAccount } from '../core/a-core.ts';
import { testFolder } from '../folder.ts';
import { aHostOfShop, signedIn, type WebHost } from './a-web-host.ts';
import { openLine } from './lines.ts';

/** Others on the same machine: programs that hold connections open, and another user. */
let host: WebHost;
const crowd: Socket[] = [];
const openFolder = testFolder('crowd');
chmodSync(openFolder, 0o755);
beforeEach(async () => {
  host = await aHostOfShop();
});
afterEach(async () => {
  for (const socket of crowd.splice(0)) socket.destroy();
  await host.close();
});

const CROWD = 500;
/** What a hostile connection says before it falls silent, by turns. */
const BEGINNINGS = [
  '',
  'GET / HTTP/1.1\r\nHost: ',
  'POST /session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n',
  'GET /rpc HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n',
  '\u0016\u0003\u0001',
];

function join500(): Promise<unknown> {
  const arrivals = Array.from({ length: CROWD }, (_, at) => {
    const socket = connect(host.server.port, '127.0.0.1');
    crowd.push(socket);
    socket.on('error', () => socket.destroy());
    socket.resume(); // unread, an end would never be noticed
    return new Promise((resolve) => {
      socket.once('close', resolve);
      socket.once('connect', () => socket.write(BEGINNINGS[at % BEGINNINGS.length] ?? '', resolve));
    });
  });
  return Promise.all(arrivals);
}

test('beside 500 connections that say nothing, a page works on, and those that began a request are cut off', async () => {
  const line = await openLine.WebSocket(host);
  const workspaceId = await onlyAccount(line.client);
  await join500();
  for (let turn = 0; turn < 20; turn += 1) {
    const label = `Campaign ${turn}`;
    await line.client.workspace.create({
      workspaceId,
      label,
      rows: [{ kind: 'campaign', parent: null, values: { name: label } }],
    });
  }
  expect((await line.client.workspace.summary({ workspaceId })).rows.campaign).toBe(20);
  expect((await signedIn(host)).token, 'and another page comes in').toMatch(/^[a-f0-9]{64}$/);
  const isOpen = (socket: Socket): boolean => !socket.destroyed;
  const begun = crowd.filter((_, at) => BEGINNINGS[at % BEGINNINGS.length] !== '');
  for (let second = 0; second < 30 && begun.some(isOpen); second += 1) await wait(1000);
  expect(begun.filter(isOpen)).toHaveLength(0);
  expect(await line.client.accounts.list()).toHaveLength(1);
  await line.close();
});

/** Runs as another user of the machine: reads the folder, asks without and with a guessed token. */
const STRANGER = `
const fs = require('node:fs'), [dataDir, port] = process.argv.slice(1), found = [];
const attempt = (what, work) => { try { work(); found.push(what); } catch (error) { if (error.code !== 'EACCES') found.push(what + ' ' + error.code); } };
attempt('list', () => fs.readdirSync(dataDir));
attempt('accounts', () => fs.readFileSync(dataDir + '/accounts.json'));
attempt('write', () => fs.writeFileSync(dataDir + '/planted', ''));
const origin = 'http://127.0.0.1:' + port;
const ask = (path, init) => fetch(origin + path, init).then((answer) => answer.status);
Promise.all([
  ask('/spool?name=a', { method: 'PUT', headers: { origin, 'x-adslate-token': 'a'.repeat(64) }, body: 'x' }),
  ask('/session', { method: 'POST', headers: { origin, 'content-type': 'application/json' }, body: '{"code":"guess"}' }),
  ask('/sign-out', { method: 'POST', headers: { origin } }),
  ask('/preview/' + 'a'.repeat(32), {}),
]).then((statuses) => console.log(JSON.stringify({ uid: process.getuid(), found, statuses })));
`;

test('another user of the machine reads no file of the folder and gets no answer but a refusal', async () => {
  for (const path of ['', 'accounts.json']) {
    expect(statSync(join(host.dataDir, path)).mode & 0o077, `mode of ${path}`).toBe(0);
  }
  // Only root may become somebody else; for everybody else the modes above and the refusals below are what there is.
  const { stdout, stderr } = await runBeside();
  expect(stderr).toBe('');
  const said: unknown = JSON.parse(stdout);
  expect(said).toMatchObject({ statuses: [403, 403, 403, 403] });
  if (NOBODY.uid !== undefined) expect(said).toMatchObject({ uid: NOBODY.uid, found: [] });
});

/** Not waited for in this thread, which has to answer meanwhile. */
async function runBeside(): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      readableByNobody(process.execPath, openFolder),
      ['-e', STRANGER, host.dataDir, String(host.server.port)],
      { ...NOBODY, cwd: '/', env: {} },
      (_error, stdout, stderr) => resolve({ stdout, stderr }),
    );
  });
}
