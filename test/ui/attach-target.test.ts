import { expect, test } from 'vitest';
import { captionPlace, profileTarget } from '../../renderer/app/move-commands.ts';
import { DELETED } from '../../shared/model/row.ts';
import { aWindowRow } from './a-window-row.ts';

const group = aWindowRow('adGroup', 2);

test('a logo goes to the profile that has none, else to the only one', () => {
  const full = aWindowRow('sbaProfile', 10, { logo: 5 });
  expect(profileTarget('sbaProfile', [full, aWindowRow('sbaProfile', 11)], [group])).toEqual({
    is: 'set',
    kind: 'sbaProfile',
    id: 11,
  });
  expect(profileTarget('sbaProfile', [full], [group])).toEqual({ is: 'set', kind: 'sbaProfile', id: 10 });
});

test('of two profiles with a file nobody is guessed', () => {
  const full = [aWindowRow('videoProfile', 10, { video: 5 }), aWindowRow('videoProfile', 11, { video: 6 })];
  expect(profileTarget('videoProfile', full, [group])).toEqual({ is: 'which' });
});

test('without a profile one is made in the one ad group; deleted profiles do not count', () => {
  const gone = aWindowRow('videoProfile', 10, {}, DELETED);
  expect(profileTarget('videoProfile', [gone], [group])).toEqual({ is: 'create', groupId: 2 });
  expect(profileTarget('videoProfile', [], [group, aWindowRow('adGroup', 3)])).toEqual({ is: 'none' });
  expect(profileTarget('videoProfile', [], [])).toEqual({ is: 'none' });
});

test('a caption goes with the one video of the campaign', () => {
  expect(
    captionPlace([aWindowRow('videoProfile', 10, { video: 5 }), aWindowRow('videoProfile', 11, { video: 5 })]),
  ).toEqual({
    is: 'set',
    kind: 'media',
    id: 5,
  });
  expect(captionPlace([aWindowRow('videoProfile', 10)])).toEqual({ is: 'no-video' });
  expect(
    captionPlace([aWindowRow('videoProfile', 10, { video: 5 }), aWindowRow('videoProfile', 11, { video: 6 })]),
  ).toEqual({
    is: 'which',
  });
});
