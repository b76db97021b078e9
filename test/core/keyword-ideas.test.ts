import { createRouterClient } from '@orpc/server';
import { expect, test } from 'vitest';
import type { Client } from '../../main/hosts/cli/command.ts';
import { testFolder } from '../folder.ts';
import { startCore } from './a-core.ts';

test('ideas are words of the items that are no keywords yet, and one that was added is none any more', async () => {
  const core = await startCore(testFolder('ideas'));
  try {
    const client: Client = createRouterClient(core.router);
    const { workspaceId } = await client.accounts.addSample({ name: 'Northwind Home' });
    const at = { workspaceId };
    const { launches } = await client.launch.list({ ...at, from: 0, count: 20 });
    const idOf = (name: string) => launches.find((launch) => launch.name === name)?.campaignId ?? 0;
    const campaignId = idOf('Water bottles manual');
    const before = await client.items.ideas({ ...at, campaignId });
    const { adGroupId, bid } = before;
    const texts = before.ideas.map(({ text }) => text);
    expect(before.items).toBe(4);
    expect(texts).toContain('steel bottle');
    if (adGroupId === null || bid === null) throw new Error('no place for keywords');

    const values = { text: 'Steel Bottle', matchType: 'phrase', bid };
    const rows = [{ kind: 'keyword' as const, parent: { id: adGroupId }, values }];
    const { touched } = await client.workspace.create({ ...at, label: 'Add keyword', rows });
    const after = (await client.items.ideas({ ...at, campaignId })).ideas.map(({ text }) => text);
    expect(after).toEqual(texts.filter((text) => text !== 'steel bottle'));

    const changes = touched.map(({ id }) => ({ kind: 'keyword' as const, id, field: 'state', value: 'archived' }));
    await client.workspace.edit({ ...at, label: 'Archive', changes });
    const again = await client.items.ideas({ ...at, campaignId });
    expect(again.ideas.map(({ text }) => text)).toEqual(texts);
    expect(again.bid).toBe(bid);

    // Automatic targeting finds its keywords itself.
    expect(await client.items.ideas({ ...at, campaignId: idOf('Paper towels auto') })).toMatchObject({
      adGroupId: null,
    });
  } finally {
    await core.close();
  }
});
