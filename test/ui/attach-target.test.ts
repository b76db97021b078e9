import { expect, test } from 'vitest';
import { captionPlace, profileTarget } from '../../renderer/app/move-commands.ts';
import type { WindowRow } from '../../shared/api/workspace.ts';
import { fieldNames } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { DELETED } from '../../shared/model/row.ts';
import { asRowId } from '../../shared/model/scalars.ts';

const aRow = (kind: Kind, id: number, values: Readonly<Record<string, number>> = {}, dirty = 0): WindowRow => ({
  id: asRowId(id),
  campaignId: asRowId(1),
  adGroupId: asRowId(2),
  remoteId: null,
  campaignName: 'Pots',
  dirty,
  severity: null,
  outbox: null,
  cells: fieldNames(kind).map((field) => values[field] ?? null),
});
const group = aRow('adGroup', 2);

test('a logo goes to the profile that has none, else to the only one', () => {
  const full = aRow('sbaProfile', 10, { logo: 5 });
  expect(profileTarget('sbaProfile', [full, aRow('sbaProfile', 11)], [group])).toEqual({
    is: 'set',
    kind: 'sbaProfile',
    id: 11,
  });
  expect(profileTarget('sbaProfile', [full], [group])).toEqual({ is: 'set', kind: 'sbaProfile', id: 10 });
});

test('of two profiles with a file nobody is guessed', () => {
  const full = [aRow('videoProfile', 10, { video: 5 }), aRow('videoProfile', 11, { video: 6 })];
  expect(profileTarget('videoProfile', full, [group])).toEqual({ is: 'which' });
});

test('without a profile one is made in the one ad group; deleted profiles do not count', () => {
  const gone = aRow('videoProfile', 10, {}, DELETED);
  expect(profileTarget('videoProfile', [gone], [group])).toEqual({ is: 'create', groupId: 2 });
  expect(profileTarget('videoProfile', [], [group, aRow('adGroup', 3)])).toEqual({ is: 'none' });
  expect(profileTarget('videoProfile', [], [])).toEqual({ is: 'none' });
});

test('a caption goes with the one video of the campaign', () => {
  expect(captionPlace([aRow('videoProfile', 10, { video: 5 }), aRow('videoProfile', 11, { video: 5 })])).toEqual({
    is: 'set',
    kind: 'media',
    id: 5,
  });
  expect(captionPlace([aRow('videoProfile', 10)])).toEqual({ is: 'no-video' });
  expect(captionPlace([aRow('videoProfile', 10, { video: 5 }), aRow('videoProfile', 11, { video: 6 })])).toEqual({
    is: 'which',
  });
});
