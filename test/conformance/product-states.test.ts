import { expect } from 'vitest';
import { conform } from './case.ts';
import { codes, fieldOf, idOf } from './client.ts';
import { aCampaign, createWorld } from './world.ts';

/** Items and keywords have the same life in different words: a switch of the partner, and an approval beside it. */
const world = createWorld();
const section = 'Ad items, keywords and video profile';
const owner = () => world.as('owner');
const REVIEW = 3_300_001;

interface Product {
  readonly name: 'adItem' | 'keyword';
  readonly rows: 'ad-items' | 'keywords';
  readonly path: (ids: { readonly campaignId: number; readonly adGroupId: number }) => string;
  readonly idField: string;
  /** The partner's switch, and the words for off and gone. */
  readonly switchField: string;
  readonly off: string;
  readonly gone: string;
  readonly turnOff: string;
  readonly turnAway: string;
  readonly approvalField: string;
}

const products: readonly Product[] = [
  {
    name: 'adItem',
    rows: 'ad-items',
    path: ({ campaignId }) => `/api/v1/adItems?campaignId=${campaignId}`,
    idField: 'adItemId',
    switchField: 'status',
    off: 'disabled',
    gone: 'deleted',
    turnOff: 'disable',
    turnAway: 'delete',
    approvalField: 'reviewStatus',
  },
  {
    name: 'keyword',
    rows: 'keywords',
    path: ({ adGroupId }) => `/api/v1/keywords?adGroupId=${adGroupId}`,
    idField: 'keywordId',
    switchField: 'state',
    off: 'paused',
    gone: 'archived',
    turnOff: 'pause',
    turnAway: 'archive',
    approvalField: 'status',
  },
];

for (const product of products) {
  const { name, off, gone, turnOff, turnAway } = product;
  const list = async (campaign: string) => owner().get(product.path(await world.campaign(campaign)));
  const approval = async (campaign: string, index = 0) => fieldOf(await list(campaign), product.approvalField, index);
  const turn = async (campaign: string, word: string, index = 0) => {
    const shown = await list(campaign);
    const row = (shown.body as readonly object[])[index];
    return codes(await owner().put(`/api/v1/${name}s`, [{ ...row, [product.switchField]: word }]))[0];
  };
  const decide = async (first: string, others: string) => {
    const { adGroupId } = await world.campaign('C-sba-review');
    const shown = await owner().get(`/api/v1/review?adGroupId=${adGroupId}`);
    const firstId = fieldOf(await list('C-sba-review'), product.idField);
    const components = (fieldOf(shown, 'components') as { type: string; id: number }[]).map((part) => ({
      ...part,
      status: part.type === name && part.id === firstId ? first : others,
    }));
    expect((await world.control('POST', `/reviews/${REVIEW}/decide`, { components })).status).toBe(200);
  };

  for (const word of ['enabled', off]) {
    conform(section, `a ${name} may be created ${word}, and is pending`, async () => {
      const { campaignId, adGroupId } = await world.campaign('C-vid');
      const { available } = (await world.state()).catalogue;
      const words = { itemId: available[0], keywordText: 'towel', matchType: 'exact', bid: 2 };
      const element = { campaignId, adGroupId, ...words, [product.switchField]: word };
      expect(codes(await owner().post(`/api/v1/${name}s`, [element]))).toEqual(['success']);
      const shown = await list('C-vid');
      expect([fieldOf(shown, product.switchField), fieldOf(shown, product.approvalField)]).toEqual([word, 'pending']);
    }).proves(`move.${name}.create (new)>${word}`, `move.${name}Review.create (new)>pending`);
  }

  conform(section, `a pending ${name} is approved by its review`, async () => {
    expect(await approval('C-sba-review')).toBe('pending');
    await decide('approved', 'approved');
    expect(await approval('C-sba-review')).toBe('approved');
  }).proves(`move.${name}Review.approve pending>approved`, 'move.reviewComponent.approve pending>approved');

  conform(
    section,
    `a pending ${name} is rejected by its review, its neighbour is not, and submitting again makes it pending`,
    async () => {
      await decide('rejected', 'approved');
      expect([await approval('C-sba-review', 0), await approval('C-sba-review', 1)]).toEqual(['rejected', 'approved']);
      expect(fieldOf(await list('C-sba-review'), 'reviewReason')).toEqual(expect.any(String));
      const { campaignId, adGroupId } = await world.campaign('C-sba-review');
      idOf(await owner().post('/api/v1/review', [{ campaignId, adGroupId }]), 'reviewId');
      expect([await approval('C-sba-review', 0), await approval('C-sba-review', 1)]).toEqual(['pending', 'approved']);
    },
  ).proves(
    `move.${name}Review.reject pending>rejected`,
    'move.reviewComponent.reject pending>rejected',
    `move.${name}Review.resubmit rejected>pending`,
  );

  conform(section, `a rejected ${name} that is switched off and on is pending`, async () => {
    await decide('rejected', 'approved');
    expect(await turn('C-sba-review', off)).toBe('success');
    expect(await approval('C-sba-review')).toBe('rejected');
    expect(await turn('C-sba-review', 'enabled')).toBe('success');
    expect(await approval('C-sba-review')).toBe('pending');
  }).proves(
    `move.${name}.${turnOff} enabled>${off}`,
    `move.${name}.enable ${off}>enabled`,
    `move.${name}Review.re-enable rejected>pending`,
  );

  conform(
    section,
    `an approved ${name} keeps its approval while it is off, and loses it when it is switched on`,
    async () => {
      expect(await turn('C-vid-live', off)).toBe('success');
      expect(await approval('C-vid-live')).toBe('approved');
      expect(await turn('C-vid-live', 'enabled')).toBe('success');
      expect(await approval('C-vid-live')).toBe('pending');
    },
  ).proves(`move.${name}Review.re-enable approved>pending`);

  conform(section, `a ${name} that is on or off can become ${gone}, and stays so`, async () => {
    expect(await turn('C-vid-live', gone, 0)).toBe('success');
    expect(await turn('C-vid-live', off, 1)).toBe('success');
    expect(await turn('C-vid-live', gone, 1)).toBe('success');
    for (const index of [0, 1]) {
      expect(await turn('C-vid-live', 'enabled', index)).not.toBe('success');
      expect(fieldOf(await list('C-vid-live'), product.switchField, index)).toBe(gone);
    }
  }).proves(`move.${name}.${turnAway} enabled>${gone}`, `move.${name}.${turnAway} ${off}>${gone}`);

  conform(section, `a ${name} cannot be created as ${gone}`, async () => {
    const { campaignId, adGroupId } = await world.campaign('C-vid');
    const { available } = (await world.state()).catalogue;
    const words = { itemId: available[0], keywordText: 'towel', matchType: 'exact', bid: 2 };
    const element = { campaignId, adGroupId, ...words, [product.switchField]: gone };
    expect((await owner().post(`/api/v1/${name}s`, [element])).status).toBe(400);
    expect((await list('C-vid')).body).toEqual([]);
  }).proves('message.invalidParameters');

  conform(section, `ad operations revise what they decided about a ${name}`, async () => {
    const id = idOf(await list('C-vid-live'), product.idField);
    for (const word of ['rejected', 'approved']) {
      await world.control('POST', `/console/${product.rows}/${id}`, { [product.approvalField]: word });
      expect(await approval('C-vid-live')).toBe(word);
    }
  }).proves(`move.${name}Review.revise approved>rejected`, `move.${name}Review.revise rejected>approved`);
}

conform('Keyword', 'keywords of sponsoredProducts campaigns are approved without a review', async () => {
  const { campaignId, adGroupId } = await world.campaign('C-man');
  const keyword = { campaignId, adGroupId, keywordText: 'towel', matchType: 'exact', bid: 1 };
  expect(codes(await owner().post('/api/v1/keywords', [keyword]))).toEqual(['success']);
  await world.advance('PT1H');
  expect(fieldOf(await owner().get(`/api/v1/keywords?adGroupId=${adGroupId}`), 'status')).toBe('approved');
}).proves('move.keywordReview.approve pending>approved');

for (const status of ['enabled', 'disabled']) {
  conform('Campaign and ad group', `an ad group may be created ${status}`, async () => {
    const campaignId = idOf(await owner().post('/api/v1/campaigns', [aCampaign()]), 'campaignId');
    const adGroupId = idOf(
      await owner().post('/api/v1/adGroups', [{ campaignId, name: 'Group', status }]),
      'adGroupId',
    );
    expect(fieldOf(await owner().get(`/api/v1/adGroups?adGroupId=${adGroupId}`), 'status')).toBe(status);
  }).proves(`move.adGroup.create (new)>${status}`);
}

conform('Campaign and ad group', 'an ad group is switched off and on', async () => {
  const { adGroupId } = await world.campaign('C-vid');
  for (const status of ['disabled', 'enabled']) {
    expect(codes(await owner().put('/api/v1/adGroups', [{ adGroupId, status }]))).toEqual(['success']);
    expect(fieldOf(await owner().get(`/api/v1/adGroups?adGroupId=${adGroupId}`), 'status')).toBe(status);
  }
}).proves('move.adGroup.disable enabled>disabled', 'move.adGroup.enable disabled>enabled');
