import { beforeAll, describe, expect, test } from 'vitest';
import type { AppEvent } from '../../shared/api/app.ts';
import { aHostOfShop, type WebHost } from './a-web-host.ts';
import type { Facts } from './calls.ts';
import { type Client, LINE_NAMES, openLine } from './lines.ts';
import { prepare } from './prepared.ts';

let host: WebHost;
let facts: Facts;
beforeAll(async () => {
  host = await aHostOfShop();
  facts = await prepare(host.core, 'events');
  return () => host.close();
});

/** Renames the campaign and answers with the revision that this made. */
async function rename(client: Client, name: string): Promise<number> {
  const { revision } = await client.workspace.edit({
    workspaceId: facts.workspaceId,
    label: 'Rename',
    changes: [{ kind: 'campaign', id: facts.campaign, field: 'name', value: name }],
  });
  return revision;
}

/** Reads the stream until the workspace is said to have reached the revision. */
async function heardOf(revision: number, events: AsyncIterable<AppEvent>): Promise<boolean> {
  for await (const event of events) {
    if (event.type === 'workspace.changed' && event.revision === revision) return true;
  }
  return false;
}

describe.each(LINE_NAMES)('events over a %s', (name) => {
  test('say that another caller has changed the workspace', async () => {
    const listener = await openLine[name](host);
    const writer = await openLine['direct call'](host);
    const events = await listener.client.app.events();
    const revision = await rename(writer.client, `Heard over ${name}`);
    expect(await heardOf(revision, events)).toBe(true);
    await events.return?.(undefined);
    await listener.close();
  });

  test('reach every listener, and one that leaves takes nothing from the others', async () => {
    const [first, second] = [await openLine[name](host), await openLine[name](host)];
    const [leaving, staying] = [await first.client.app.events(), await second.client.app.events()];
    await leaving.return?.(undefined);
    await first.close();
    const revision = await rename(second.client, `Stays on ${name}`);
    expect(await heardOf(revision, staying)).toBe(true);
    await staying.return?.(undefined);
    await second.close();
  });

  test('a call is answered while a stream is open on the same line', async () => {
    const line = await openLine[name](host);
    const events = await line.client.app.events();
    expect((await line.client.app.info()).host).toBe('web');
    await events.return?.(undefined);
    await line.close();
  });
});
