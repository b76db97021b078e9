import { expect, test } from 'vitest';
import { asRowId } from '../../shared/model/scalars.ts';
import { runs, share } from '../share.ts';
import type { Said } from './killed-child.ts';
import { Heard, playKills } from './sync-kills.ts';

/**
 * A few of the thousand that `npm run test:sync-kills` plays. With this seed most of them die after they have opened
 * their workspace, however slow the machine, and one of the first six while it announces an edit.
 */
const KILLS = runs(6, 3);

const SERVICES = [
  ['documented calls alone', false],
  ['the extensions', true],
] as const;
test.each(share('kills of a sync', SERVICES, 2))(
  'with %s nothing is lost or made twice when processes are killed at random moments',
  async (_, extensions) => {
    const kills = await playKills({ kills: KILLS, seed: 4243, extensions });
    expect(kills).toMatchObject({ kills: KILLS, lost: [], twice: [], wrongIds: [], unsettled: [] });
    expect(kills.working).toBeGreaterThan(KILLS / 2);
    expect(kills.made).toBeGreaterThan(2);
  },
  180_000,
);

const item = asRowId(7);
const will = (bid: number): Said => ({ say: 'will', id: item, bid, from: 160 });
const edited = (bid: number): Said => ({ say: 'edited', id: item, bid });

test.each<[string, readonly Said[], readonly number[] | null]>([
  ['announced once', [will(280)], [160, 280]],
  ['announced twice', [will(280), will(300)], [160, 280, 300]],
  ['acknowledged', [will(280), edited(280)], [280]],
  ['announced twice and then acknowledged', [will(280), will(300), edited(300)], [300]],
  ['acknowledged and announced again', [will(280), edited(280), will(300)], [280, 300]],
  ['that nobody edited', [{ say: 'made', rows: [{ kind: 'adItem', id: item }] }], null],
])('a bid %s is held to what a user could have seen', (_, said, allowed) => {
  const heard = new Heard();
  for (const line of said) heard.hear(line);
  expect(heard.allowedBids(item)).toEqual(allowed);
});
