import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { implement } from '@orpc/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LogFields } from '../../main/app/log.ts';
import { createDispatch } from '../../main/hosts/dispatch/dispatch.ts';
import { contract } from '../../shared/api/contract.ts';
import { aWebHost, type WebHost } from './a-web-host.ts';
import { type Client, callAt } from './lines.ts';

let host: WebHost;
const logged: ({ readonly event: string } & LogFields)[] = [];
const { port1, port2 } = new MessageChannel();
let client: Client;
beforeAll(async () => {
  host = await aWebHost();
  const { router } = host.core;
  // A defect is what no operation declares, so one is planted among the operations that are real.
  const list = implement(contract).accounts.list.handler(() => {
    throw new Error(`accounts.json is damaged in ${host.dataDir}`);
  });
  const planted = { ...router, accounts: { ...router.accounts, list } };
  createDispatch(planted, (event, fields) => void logged.push({ event, ...fields })).servePort(port2);
  port2.start();
  client = createORPCClient(new RPCLink({ port: port1 }));
  port1.start();
});
afterAll(async () => {
  port1.close();
  await once(port2, 'close');
  await host.close();
});

test('a defect reaches the caller without a word of what went wrong, and the log with it', async () => {
  const outcome = await callAt(client, 'accounts.list', undefined);
  expect(outcome).toMatchObject({ code: 'INTERNAL_SERVER_ERROR', declared: false, data: undefined });
  expect(JSON.stringify(outcome)).not.toMatch(/damaged|accounts\.json|stack|node:/);
  expect(logged).toEqual([
    { event: 'unexpected failure', operation: 'accounts.list', error: expect.stringContaining('damaged') },
  ]);
});

test('a declared error crosses with its facts and is not worth a line in the log', async () => {
  logged.length = 0;
  const outcome = await callAt(client, 'workspace.summary', { workspaceId: 'nobody' });
  expect(outcome).toMatchObject({ code: 'NO_WORKSPACE', declared: true, data: { workspaceId: 'nobody' } });
  expect(logged).toEqual([]);
});

test('input that fits nothing is refused as such, and the log names the operation only', async () => {
  logged.length = 0;
  const outcome = await callAt(client, 'accounts.rename', { workspaceId: 'SECRET', name: '' });
  expect(outcome).toMatchObject({ code: 'BAD_REQUEST' });
  expect(logged).toEqual([{ event: 'call refused', operation: 'accounts.rename', code: 'BAD_REQUEST' }]);
});
