import { expect } from 'vitest';
import { conform } from './case.ts';
import { codes, expectRefusal, fieldOf, idOf, outcomes } from './client.ts';
import { createWorld } from './world.ts';

const world = createWorld();
const section = 'Keywords';
const owner = () => world.as('owner');
const path = '/api/v1/keywords';

async function keyword(name: string, fields: Readonly<Record<string, unknown>> = {}) {
  const { campaignId, adGroupId } = await world.campaign(name);
  return {
    campaignId,
    adGroupId,
    keywordText: 'paper towel',
    matchType: 'phrase',
    bid: 1.65,
    state: 'enabled',
    ...fields,
  };
}
const list = async (name: string) => owner().get(`${path}?adGroupId=${(await world.campaign(name)).adGroupId}`);

conform(section, 'one list of texts per match type and bid returns keywordIds', async () => {
  const { campaignId, adGroupId } = await world.campaign('C-vid');
  const answer = await owner().post(path, {
    campaignId,
    adGroupId,
    keywords: ['paper towel', 'kitchen roll'],
    matchType: 'exact',
    bid: 1.65,
  });
  const [first, second] = fieldOf(answer, 'keywordIds') as number[];
  expect(answer.body).toEqual({
    keywordIds: [first, second],
    results: [
      { code: 'success', details: '', keywordId: first, keywordText: 'paper towel' },
      { code: 'success', details: '', keywordId: second, keywordText: 'kitchen roll' },
    ],
  });
});

conform(section, 'one element per keyword returns one result per element', async () => {
  const answer = await owner().post(path, [await keyword('C-vid'), await keyword('C-vid', { keywordText: 'sponge' })]);
  expect(outcomes(answer)).toEqual(['success', 'success']);
  expect((await list('C-vid')).body).toMatchObject([
    {
      keywordId: idOf(answer, 'keywordId'),
      keywordText: 'paper towel',
      matchType: 'phrase',
      bid: 1.65,
      state: 'enabled',
      status: 'pending',
    },
    { keywordText: 'sponge' },
  ]);
});

conform('Limits', 'the minimum keyword bid of sponsored video is 1.50', async () => {
  const answer = await owner().post(path, [
    await keyword('C-vid', { bid: 1.499 }),
    await keyword('C-vid', { bid: 1.5 }),
  ]);
  expect(outcomes(answer)).toEqual(['Bid should be higher than : 1.50', 'success']);
  expect(fieldOf(answer, 'keywordId')).toBe(0);
}).proves('limit.videoKeywordBidFloorCents', 'message.bidBelowFloor');

conform('Limits', 'other campaigns have a lower floor', async () => {
  const answer = await owner().post(path, [
    await keyword('C-man', { bid: 0.19 }),
    await keyword('C-man', { bid: 0.2 }),
  ]);
  expect(outcomes(answer)).toEqual(['Bid should be higher than : 0.20', 'success']);
}).proves('limit.keywordBidFloorCents');

conform(section, 'one to three match types per distinct keyword', async () => {
  const types = ['exact', 'phrase', 'broad'];
  const elements = await Promise.all(types.map((matchType) => keyword('C-vid', { matchType })));
  expect(outcomes(await owner().post(path, elements))).toEqual(['success', 'success', 'success']);
  expectRefusal(
    await owner().post(path, [await keyword('C-vid', { matchType: 'Exact' })]),
    400,
    'Invalid request parameter(s)',
  );
}).proves('limit.keywordMatchTypes');

conform(section, 'a keyword is the same in any case and spacing', async () => {
  const texts = ['paper towel', ' Paper   TOWEL '];
  const elements = await Promise.all(texts.map((keywordText) => keyword('C-vid', { keywordText })));
  expect(codes(await owner().post(path, elements))).toEqual(['success', 'failure']);
}).proves('own.duplicateKeyword');

conform('Limits', '200 distinct keywords enabled per ad group', async () => {
  const { campaignId, adGroupId } = await world.campaign('C-vid');
  const keywords = Array.from({ length: 201 }, (_, index) => `keyword ${index}`);
  const answer = await owner().post(path, { campaignId, adGroupId, keywords, matchType: 'exact', bid: 1.65 });
  const results = fieldOf(answer, 'results') as { code: string }[];
  expect(results.filter((result) => result.code === 'success')).toHaveLength(200);
  expect(results[200]).toMatchObject({ code: 'failure', keywordId: 0 });
  // A further match type of an enabled text, and a paused keyword, are no further enabled text.
  const more = [
    await keyword('C-vid', { keywordText: 'keyword 0', matchType: 'broad' }),
    await keyword('C-vid', { keywordText: 'one more', state: 'paused' }),
    await keyword('C-vid', { keywordText: 'another' }),
  ];
  expect(codes(await owner().post(path, more))).toEqual(['success', 'success', 'failure']);
}).proves('limit.keywordsMaxDistinctEnabled', 'own.tooManyKeywords');

conform(section, 'a campaign with automatic targeting takes no keywords', async () => {
  expect(codes(await owner().post(path, [await keyword('C-auto')]))).toEqual(['failure']);
}).proves('own.keywordsNotForAuto');

conform(section, 'an empty text fails its element', async () => {
  expect(
    codes(await owner().post(path, [await keyword('C-vid', { keywordText: '  ' }), await keyword('C-vid')])),
  ).toEqual(['failure', 'success']);
}).proves('own.keywordTextInvalid');

for (const field of ['adGroupId', 'keywordText', 'matchType', 'bid']) {
  conform(section, `a keyword without ${field} is a 400`, async () => {
    const { [field]: _left, ...rest } = (await keyword('C-vid')) as Record<string, unknown>;
    const named = field === 'keywordText' ? 'keywords' : field;
    expectRefusal(await owner().post(path, [rest]), 400, `Field [${named}] not found in request`);
  }).proves('message.fieldMissing');
}

conform(section, 'a missing ad group is a 404', async () => {
  expectRefusal(await owner().post(path, [await keyword('C-vid', { adGroupId: 1 })]), 404, 'AdGroup not found');
}).proves('message.adGroupNotFound');

conform(section, 'bid and state can be updated by extension; re-enabling makes it pending', async () => {
  const keywordId = idOf(await list('C-vid-live'), 'keywordId');
  const put = async (fields: object) => codes(await owner().put(path, [{ keywordId, ...fields }]))[0];
  expect(await put({ bid: 2.5 })).toBe('success');
  expect((await list('C-vid-live')).body).toMatchObject([{ bid: 2.5, status: 'approved' }, {}, {}]);
  expect(await put({ bid: 1.49 })).toBe('failure');
  expect(await put({ state: 'paused' })).toBe('success');
  expect((await list('C-vid-live')).body).toMatchObject([{ state: 'paused', status: 'approved' }, {}, {}]);
  expect(await put({ state: 'enabled' })).toBe('success');
  expect((await list('C-vid-live')).body).toMatchObject([{ state: 'enabled', status: 'pending' }, {}, {}]);
  expect(await put({ state: 'archived' })).toBe('success');
  expect(await put({ state: 'enabled' })).toBe('failure');
}).proves(
  'own.keywordNotFound',
  'message.bidBelowFloor',
  'move.keyword.pause enabled>paused',
  'move.keyword.enable paused>enabled',
  'move.keywordReview.re-enable approved>pending',
);

conform(section, 'an update of a stranger’s keyword is refused whole; an unknown one fails alone', async () => {
  const keywordId = idOf(await list('C-vid-live'), 'keywordId');
  const elements = [
    { keywordId: 1, bid: 3 },
    { keywordId, bid: 3 },
  ];
  const other = await world.as('owner', 900002).put(path, elements);
  expectRefusal(other, 403, "You don't have access to this advertiser");
  expect(fieldOf(await list('C-vid-live'), 'bid')).toBe(1.65);
  expect(codes(await owner().put(path, elements))).toEqual(['failure', 'success']);
}).proves('message.noAdvertiserAccess', 'own.keywordNotFound');

conform('Limits', 'the console keeps to 200 enabled keywords as well', async () => {
  const { campaignId, adGroupId } = await world.campaign('C-vid');
  const texts = Array.from({ length: 200 }, (_, index) => `keyword ${index}`);
  await owner().post(path, { campaignId, adGroupId, keywords: texts, matchType: 'exact', bid: 1.65 });
  await owner().post(path, [await keyword('C-vid', { keywordText: 'one more', state: 'paused' })]);
  const shown = await list('C-vid');
  const edit = async (index: number, body: unknown) =>
    (await world.control('POST', `/console/keywords/${idOf(shown, 'keywordId', index)}`, body)).status;
  expect(await edit(0, { bid: 2 })).toBe(200);
  expect(await edit(200, { state: 'enabled' })).toBe(409);
}).proves('limit.keywordsMaxDistinctEnabled', 'own.tooManyKeywords');

conform('Review status', 'during a review no keyword is added', async () => {
  expect(outcomes(await owner().post(path, [await keyword('C-sba-review', { keywordText: 'new' })]))).toEqual([
    'Campaign is Under review, adding is not allowed',
  ]);
}).proves('message.underReviewAdd');
