import { beforeEach, describe, expect, test } from 'vitest';
import { asRowId } from '../../shared/model/scalars.ts';
import { DEPLOYMENTS, type WaitingAccount, waitingAccount } from './a-waiting-account.ts';

/** What is refused or unresolved concerns itself alone: other rows and other campaigns are sent. */
const ALL = { submit: false, campaignIds: null };

describe.each(DEPLOYMENTS)('with %s', (_what, capabilities) => {
  let it: WaitingAccount;
  beforeEach(async () => {
    it = await waitingAccount(capabilities);
  });
  const sync = async () => {
    await it.now().sync.run(ALL);
    return it.settled();
  };

  test('a refused row leaves the other rows of its batch and the other campaigns alone', async () => {
    const low = it.items.get('A') ?? asRowId(0);
    await it.now().edit('adItem', low, { bid: 1 });
    const report = await sync();
    expect(report?.refused).toMatchObject([{ kind: 'adItem', id: low }]);
    expect(report).toMatchObject({ state: 'finished', done: 17, untouched: 0 });
  });

  test('a batch that is refused whole leaves the other campaigns alone', async () => {
    await it.control.fault({
      match: { method: 'POST', path: '/api/v1/adItems' },
      times: 1,
      kind: 'status',
      status: 400,
      body: { error: 'Bid is not valid' },
    });
    const report = await sync();
    expect(report?.refused.map(({ kind }) => kind)).toEqual(['adItem', 'adItem']);
    expect(report).toMatchObject({ state: 'finished', done: 16, untouched: 0 });
  });

  test('an update that is refused whole goes in halves, until the row at fault stands alone', async () => {
    await sync();
    const [first, other] = [it.items.get('A') ?? asRowId(0), it.otherItems.get('A') ?? asRowId(0)];
    await it.now().edit('adItem', first, { bid: 177 });
    await it.now().edit('adItem', other, { bid: 178 });
    const refusal = { kind: 'status', status: 404, body: { error: 'AdGroup item not found' } };
    await it.control.fault({ match: { method: 'PUT', path: '/api/v1/adItems' }, times: 2, ...refusal });
    const report = await sync();
    expect(report).toMatchObject({ state: 'finished', done: 1, untouched: 0 });
    expect(report?.refused).toMatchObject([{ id: first, message: 'AdGroup item not found' }]);
    expect(await sync()).toMatchObject({ state: 'finished', done: 1, refused: [] });
  });

  test('a campaign whose creation is unresolved leaves the others alone, in this sync and in the next', async () => {
    await it.control.fault({ match: { method: 'POST', path: '/api/v1/campaigns' }, times: 1, kind: 'drop-before' });
    expect(await sync()).toMatchObject({ state: 'finished', refused: [], done: capabilities.campaignRead ? 18 : 12 });
    const [there = ''] = await it.onService();
    await it.now().edit('adItem', it.items.get(there) ?? asRowId(0), { bid: 177 });
    expect(await sync()).toMatchObject({
      state: 'finished',
      done: 1,
      questions: capabilities.campaignRead ? 0 : 1,
    });
  });

  test('a read that is refused for one campaign leaves the others alone', async () => {
    await sync();
    for (const item of it.items.values()) await it.now().edit('adItem', item, { bid: 177 });
    await it.control.fault({
      match: { method: 'GET', path: '/api/v1/adItems' },
      times: 1,
      kind: 'status',
      status: 404,
    });
    expect(await sync()).toMatchObject({ state: 'finished' });
    expect((await sync())?.inDoubt).toBe(0);
    expect((await it.now().run()).done).toBe(0);
  });
});
