import fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginSwap, offeredSwap, type Swap, swapState } from '../../shared/lifecycle/swap.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import { aCampaign, anAdGroup, anSbaProfile, aTree } from './builders.ts';

type Status = 'enabled' | 'disabled';
interface Said {
  readonly headline: string;
  readonly status: Status;
  readonly review: 'pending' | 'approved' | 'rejected';
}

/** A live campaign with two profiles: what the service has of them, and what was typed here. */
class World {
  readonly singleEnabled: boolean;
  from: Said = { headline: 'Old', status: 'enabled', review: 'approved' };
  to: Said = { headline: 'Spare', status: 'disabled', review: 'approved' };
  typed = { fromStatus: 'enabled' as Status, toStatus: 'disabled' as Status, headline: 'Spare' };
  reviewing = false;
  /** What the service showed, one entry whenever it changed. */
  readonly shown: Said[] = [this.from];

  constructor(singleEnabled: boolean) {
    this.singleEnabled = singleEnabled;
  }

  tree(): CampaignTree {
    const { from, to, typed } = this;
    return aTree({
      campaign: aCampaign({ campaignType: 'sba', serviceStatus: 'live' }, { remote: '1' }),
      adGroups: [anAdGroup({ reviewStatus: this.reviewing ? 'pending' : 'approved' }, { remote: '2' })],
      sbaProfiles: [
        anSbaProfile(
          { headline: from.headline, status: typed.fromStatus, reviewStatus: from.review },
          { id: 50, remote: '5', was: { status: from.status } },
        ),
        anSbaProfile(
          { headline: typed.headline, status: typed.toStatus, reviewStatus: to.review },
          { id: 51, remote: '6', was: { status: to.status, headline: to.headline } },
        ),
      ],
    });
  }

  /** Carries the changes out as the service allows: nothing while it reviews, no enabling of what is not approved. */
  sync(): void {
    if (this.reviewing) return;
    const { typed } = this;
    if (this.to.status === 'disabled' && typed.headline !== this.to.headline) {
      this.to = { ...this.to, headline: typed.headline, review: 'pending' };
    } else if (this.to.status === 'disabled' && typed.toStatus === 'enabled' && this.to.review === 'approved') {
      this.to = { ...this.to, status: 'enabled' };
      this.shown.push(this.to);
      if (this.singleEnabled) this.from = { ...this.from, status: 'disabled' };
    }
    // Another kind of deployment: the enabled one may be switched off.
    if (!this.singleEnabled && typed.fromStatus === 'disabled') this.from = { ...this.from, status: 'disabled' };
  }

  /** What is read back replaces what was not edited here. */
  refresh(): void {
    if (this.singleEnabled) this.typed.fromStatus = this.from.status;
  }

  decide(verdict: 'approved' | 'rejected'): void {
    if (!this.reviewing) return;
    this.reviewing = false;
    if (this.to.review === 'pending') this.to = { ...this.to, review: verdict };
  }
}

/** Does what the present step asks for, and nothing else. */
function obey(world: World, swap: Swap, headline: string): string {
  const state = swapState(world.tree(), swap, world.singleEnabled);
  if (state === null) throw new Error('both profiles are there');
  const { move } = state;
  if (move?.way === 'edit') world.typed.headline = headline;
  if (move?.way === 'write') {
    if (move.id === swap.to) world.typed.toStatus = move.status;
    else world.typed.fromStatus = move.status;
  }
  if (move?.way === 'sync') world.sync();
  if (move?.way === 'submit') world.reviewing = true;
  if (move?.way === 'look' && move.at === 'rows') world.refresh();
  return state.step;
}

function begun(world: World): Swap {
  const offered = offeredSwap(world.tree());
  if (offered === null) throw new Error('there is a pair');
  return beginSwap(offered, world.tree().campaign.id);
}

const disturbance = fc.constantFrom('obey', 'obey', 'obey', 'sync', 'refresh', 'approve', 'reject', 'type');

test('whatever comes between, one approved profile is shown at any time', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.array(disturbance, { maxLength: 60 }), (singleEnabled, events) => {
      const world = new World(singleEnabled);
      const swap = begun(world);
      events.forEach((event, at) => {
        if (event === 'obey') obey(world, swap, `Edit ${at}`);
        if (event === 'sync') world.sync();
        if (event === 'refresh') world.refresh();
        if (event === 'approve') world.decide('approved');
        if (event === 'reject') world.decide('rejected');
        if (event === 'type' && world.to.status === 'disabled') world.typed.headline = `Typed ${at}`;
        expect([world.from.status, world.to.status]).toContain('enabled');
        if (world.from.status === 'disabled') expect(world.to).toMatchObject({ status: 'enabled', review: 'approved' });
      });
    }),
  );
});

test('who does what each step asks for ends with the profiles in each other’s place, also after rejections', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.array(fc.boolean(), { maxLength: 5 }), (singleEnabled, verdicts) => {
      const world = new World(singleEnabled);
      const swap = begun(world);
      const left = [...verdicts];
      const seen: string[] = [];
      for (let turn = 0; turn < 80 && seen.at(-1) !== 'done'; turn++) {
        seen.push(obey(world, swap, `Edit ${turn}`));
        if (world.reviewing && turn % 2 === 0) world.decide(left.shift() === false ? 'rejected' : 'approved');
      }
      expect(seen.at(-1)).toBe('done');
      expect([world.from.status, world.to.status]).toEqual(['disabled', 'enabled']);
      expect(world.shown).toHaveLength(2);
    }),
  );
});

test('a spare that is approved already may go up as it is, without another review', () => {
  const world = new World(true);
  const swap = { ...begun(world), asItIs: true };
  expect(swapState(world.tree(), swap, true)).toMatchObject({
    step: 'enable',
    move: { way: 'write', status: 'enabled' },
  });
});

test('a rejected spare is edited anew, and its reason stands beside', () => {
  const world = new World(true);
  const swap = begun(world);
  world.typed.headline = 'Best of all';
  world.sync();
  world.reviewing = true;
  world.decide('rejected');
  expect(swapState(world.tree(), swap, true)).toMatchObject({
    step: 'edit',
    move: { way: 'edit', canStay: false },
    rejected: { reason: null },
  });
  world.typed.headline = 'Calm';
  expect(swapState(world.tree(), swap, true)).toMatchObject({ step: 'send', move: { way: 'sync' } });
});

test('without two profiles of which one is shown there is nothing to swap, and with one gone it is over', () => {
  const world = new World(true);
  const swap = begun(world);
  const tree = world.tree();
  const [from] = tree.sbaProfiles;
  const alone = { ...tree, sbaProfiles: from === undefined ? [] : [from] };
  expect(offeredSwap(alone)).toBeNull();
  expect(swapState(alone, swap, true)).toBeNull();
  world.to = { ...world.to, status: 'enabled' };
  expect(offeredSwap(world.tree())).toBeNull();
  world.to = { ...world.to, status: 'disabled' };
  world.from = { ...world.from, status: 'disabled' };
  expect(offeredSwap(world.tree())).toBeNull();
});
