import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { cli, cliJson, temporaryFolder } from './cli.ts';

/** The catalog on the command line, against the practice service. */
const folder = temporaryFolder('items');
beforeAll(async () => {
  expect((await cli(folder.path, 'account', 'add', '--name', 'Practice', '--practice')).code).toBe(0);
});
afterAll(folder.remove);

const Items = z.strictObject({
  items: z.array(
    z.strictObject({
      itemId: z.string(),
      name: z.string(),
      suggestedBidCents: z.int().nullable(),
      imageUrl: z.string().nullable(),
      pageUrl: z.string().nullable(),
      variants: z.array(z.strictObject({ itemId: z.string(), name: z.string(), imageUrl: z.string().nullable() })),
    }),
  ),
  notFound: z.array(z.string()),
});

test('items are found by words with their variants, and looked up by the very ids that were given', async () => {
  const searched = await cliJson(Items, folder.path, 'items', 'search', 'coffee', 'maker');
  expect(searched.code).toBe(0);
  const item = searched.json.items.find(({ variants }) => variants.length > 0);
  const variant = item?.variants[0];
  if (item === undefined || variant === undefined) throw new Error('no item with variants');
  expect(item.name).toMatch(/coffee maker/i);

  const got = await cliJson(Items, folder.path, 'items', 'get', item.itemId, variant.itemId, 'prod1');
  expect(got.code).toBe(1);
  expect(got.json.items.map(({ itemId, name }) => [itemId, name])).toEqual([
    [item.itemId, item.name],
    [variant.itemId, variant.name],
  ]);
  expect(got.json.notFound).toEqual(['prod1']);

  const { out } = await cli(folder.path, 'items', 'get', item.itemId);
  expect(out).toContain(variant.name);
});

test('a search without words is a wrong use', async () => {
  expect((await cli(folder.path, 'items', 'search', ' ')).code).toBe(2);
});
