import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { createPartnerApi, type PartnerApi } from '../../main/api/partner-api.ts';
import { systemClock } from '../../main/app/clock.ts';
import type { RemoteId } from '../../shared/model/scalars.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** The rows that the client makes of an answer, and the elements that it could not read. */
async function read(body: string, list: (api: PartnerApi) => ReturnType<PartnerApi['campaigns']>): Promise<unknown> {
  const api = createPartnerApi(
    {
      baseUrl: 'https://service.example',
      advertiserId: '900001' as RemoteId,
      consumerId: 'consumer',
      keyVersion: '2',
      headerPrefix: 'SVC',
      timestampUnit: 'ms',
      signatureAlgorithm: 'RS256',
    },
    {
      secrets: async () => ({ token: 'secret-token', privateKeyPem }),
      clock: systemClock,
      fetch: async () => new Response(body, { status: 200 }),
    },
  );
  const rows = await list(api);
  api.close();
  return rows.ok ? { rows: [...rows.value], broken: rows.value.broken ?? [] } : rows.error;
}

const campaign = '10' as RemoteId;
const group = '20' as RemoteId;

const CAMPAIGN = `{"campaignId":10,"Name":"Spring","campaignType":"Video","targetingType":"MANUAL","budget":1500.009,
  "dailyBudget":"75","startDate":"2026-05-10T00:00:00Z","endDate":"9999-12-30","status":"live"}`;

test.each([
  ['all of it', CAMPAIGN],
  ['other names', '{"id":"11","totalBudget":12,"status":"paused"}'],
  ['words that are not known', '{"campaignId":12,"campaignType":"audio","status":"dreaming"}'],
  ['empty and wrong', '{"campaignId":13,"name":null,"budget":[1],"dailyBudget":null,"startDate":5,"status":{}}'],
  ['no id', '{"name":"Spring"}'],
])('a campaign is read: %s', async (_, element) => {
  expect(await read(`[${element}]`, (api) => api.campaigns())).toMatchSnapshot();
});

test.each([
  ['all of it', '{"adGroupId":20,"campaignId":10,"name":"Group","status":"disabled","reviewStatus":"approved"}'],
  ['other names', '{"id":21,"name":7}'],
  ['of another campaign', '{"adGroupId":22,"campaignId":99,"name":"Group"}'],
  ['empty and wrong', '{"adGroupId":23,"name":null,"status":[]}'],
])('an ad group is read: %s', async (_, element) => {
  expect(await read(`[${element}]`, (api) => api.adGroups(campaign))).toMatchSnapshot();
});

test.each([
  [
    'all of it',
    `{"adItemId":30,"adGroupId":20,"itemId":"0012345678","bid":1.659,"status":"enabled","itemName":"Pot",
      "reviewStatus":"Rejected","reviewReason":"Blurred"}`,
  ],
  ['other names', '{"adItemId":31,"itemId":5012345001,"name":"Pan","reviewComments":"Fine","reviewStatus":"approved"}'],
  ['empty and wrong', '{"adItemId":32,"itemId":null,"bid":null,"status":1,"itemName":null,"reviewStatus":null}'],
  ['words that are not known', '{"adItemId":33,"status":"sleeping","reviewStatus":"musing"}'],
])('an ad item is read: %s', async (_, element) => {
  expect(await read(`[${element}]`, (api) => api.adItems(campaign))).toMatchSnapshot();
});

test.each([
  [
    'all of it',
    `{"keywordId":40,"adGroupId":20,"keywordText":"roll","matchType":"Exact","bid":1.65,"state":"paused",
      "status":"pending","reviewReason":"Brand"}`,
  ],
  ['other names', '{"id":41,"text":"towel","reviewStatus":"approved","status":"rejected","reviewComments":"No"}'],
  ['of another group', '{"keywordId":42,"adGroupId":99,"keywordText":"roll"}'],
  ['empty and wrong', '{"keywordId":43,"keywordText":null,"matchType":null,"bid":"much","state":null}'],
])('a keyword is read: %s', async (_, element) => {
  expect(await read(`[${element}]`, (api) => api.keywords(campaign, group))).toMatchSnapshot();
});

test.each([
  [
    'all of it',
    `{"sbaProfileId":50,"campaignId":10,"searchAmpName":"Softly","headlineText":"Rolls","clickUrl":"https://a.example",
      "status":"enabled","reviewStatus":"in progress","reviewReason":"Seen","logoUrl":"https://a.example/logo.png"}`,
  ],
  ['other names', '{"sbaProfileId":51,"brandName":"Softly","headline":"Rolls"}'],
  [
    'empty and wrong',
    '{"sbaProfileId":52,"searchAmpName":null,"headlineText":null,"clickUrl":null,"logoUrl":[],"reviewReason":{}}',
  ],
])('a brand profile is read: %s', async (_, element) => {
  expect(await read(`[${element}]`, (api) => api.sbaProfiles(group, campaign))).toMatchSnapshot();
});

test.each([
  [
    'all of it',
    `{"adGroupMediaId":60,"mediaId":90,"mediaName":"Cut","status":"disabled","thumbnail":"https://a.example/t.png",
      "reviewStatus":"rejected","reviewReason":"Dark"}`,
  ],
  ['other names', '{"adGroupMediaId":61,"name":"Cut","thumbnailUrl":"https://a.example/t.png"}'],
  ['empty and wrong', '{"adGroupMediaId":62,"mediaId":0,"status":5,"thumbnail":null}'],
])('a video profile is read: %s', async (_, element) => {
  expect(await read(`[${element}]`, (api) => api.videoProfiles(campaign, group))).toMatchSnapshot();
});

test.each([
  ['placementMultiplier', '{"placementType":"Search Ingrid","multiplier":12.345,"placementMultiplierId":1}'],
  ['placementMultiplier', '{"placementType":"Carousel","multiplier":null}'],
  ['placementMultiplier', '{"placementType":5,"multiplier":1}'],
  ['platformMultiplier', '{"platformType":"mobile","multiplier":50}'],
  ['platformMultiplier', '{"placementType":"App","multiplier":"x"}'],
] as const)('a multiplier is read: %s %s', async (kind, element) => {
  expect(await read(`[${element}]`, (api) => api.multipliers(kind, campaign))).toMatchSnapshot();
});
