import { expect, test } from 'vitest';
import { readTreesInChunks } from '../../main/store/store.ts';
import { aSmallCampaign, aWorkspace, edit } from './a-workspace.ts';

test('many campaigns come in several messages, once each and by their ids, whatever the order they are asked for', async () => {
  const workspace = await aWorkspace();
  const creates = Array.from({ length: 60 }, (_, at) => aSmallCampaign(`Campaign ${at}`)[0]).filter(
    (row) => row !== undefined,
  );
  const { touched } = await edit(workspace, { creates });
  const ids = touched.map(({ id }) => id);
  const messages: number[] = [];
  const trees = await readTreesInChunks(
    (some) => {
      messages.push(some.length);
      return workspace.readTrees(some);
    },
    [...ids.toReversed(), ...ids.slice(0, 5)],
  );
  expect(trees.map(({ campaign }) => campaign.id)).toEqual(ids);
  expect(messages.length).toBeGreaterThan(1);
  expect(messages.reduce((sum, count) => sum + count, 0)).toBe(60);
  expect(await workspace.readTrees('all')).toEqual(trees);
});
