import fc from 'fast-check';
import { expect, test } from 'vitest';
import { elementResults, type ResultShape } from '../../main/api/classify-response.ts';
import { isJsonObject, JsonNumber, parseJson, printJson } from '../../main/api/lossless-json.ts';
import type { PartnerApi } from '../../main/api/partner-api.ts';
import { REDACTED, redactSecrets } from '../../main/api/response-record.ts';
import type { RemoteId } from '../../shared/model/scalars.ts';
import { runs } from '../share.ts';
import { anApi } from './an-api.ts';

/** The rows that the client makes of an answer, and the elements that it could not read. */
async function read(body: string, list: (api: PartnerApi) => ReturnType<PartnerApi['campaigns']>): Promise<unknown> {
  const api = anApi('https://service.example', { fetch: async () => new Response(body, { status: 200 }) });
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

/** Which result belongs to which element when their number, or what they say, speaks against their places. */
const TEXTS = Array.from({ length: 8 }, (_, at) => `word ${at}`);
const shape: ResultShape = {
  elements: TEXTS.length,
  idNames: ['keywordId'],
  needsId: true,
  isTaken: () => false,
  names: TEXTS.map((text) => ({ keywordText: text, matchType: 'exact' })),
};
const result = (at: number) => ({ code: 'success', details: '', keywordId: 100 + at, keywordText: TEXTS[at] });
const ALL = TEXTS.map((_, at) => result(at));

function outcomes(results: readonly object[], of: ResultShape = shape): readonly string[] {
  const parsed = parseJson(JSON.stringify(results));
  const read = parsed.ok ? elementResults(parsed.value, of) : null;
  return (read ?? []).map((one) => (one.is === 'done' ? String(one.remoteId) : one.is));
}
const without = ({ keywordText: _, ...one }: ReturnType<typeof result>) => one;

test('of eight results one is missing: the seven that say whose they are count, and one is in doubt', () => {
  const seven = ALL.filter((_, at) => at !== 2);
  expect(outcomes(seven)).toEqual(['100', '101', 'in-doubt', '103', '104', '105', '106', '107']);
});

test('results that do not say whose they are count for nothing when one is missing or one too many', () => {
  const nameless = ALL.map(without);
  const doubt = TEXTS.map(() => 'in-doubt');
  expect(outcomes(nameless.slice(1))).toEqual(doubt);
  expect(outcomes([...nameless, { ...without(result(0)), keywordId: 999 }])).toEqual(doubt);
  // The number fits, and yet every one behind the repeated one stands in another's place.
  const shifted = [nameless[0], nameless[1], nameless[1], ...nameless.slice(2, 7)] as typeof nameless;
  expect(outcomes(shifted)).toEqual(doubt);
  expect(outcomes(nameless)).toEqual(ALL.map(({ keywordId }) => String(keywordId)));
});

test('one that comes twice is believed of neither, and its neighbours keep their own', () => {
  expect(outcomes([...ALL, { ...result(3), keywordId: 999 }])).toEqual(
    ALL.map(({ keywordId }, at) => (at === 3 ? 'in-doubt' : String(keywordId))),
  );
});

test('an update whose results name their rows is settled by those names', () => {
  const own: ResultShape = { ...shape, needsId: false, names: TEXTS.map((_, at) => ({ keywordId: String(100 + at) })) };
  expect(outcomes(ALL.map(without).toReversed().slice(1), own)).toEqual([
    ...ALL.slice(0, 7).map(({ keywordId }) => String(keywordId)),
    'in-doubt',
  ]);
});

test('whatever results are left out, repeated and shuffled, no element gets the id of another', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 12 }), (picked) => {
      outcomes(picked.map(result)).forEach((outcome, at) => {
        expect(['in-doubt', String(100 + at)]).toContain(outcome);
      });
    }),
    { numRuns: runs(2000) },
  );
});

const parsed = (text: string) => {
  const result = parseJson(text);
  if (!result.ok) throw new Error(result.error.kind);
  return result.value;
};

test('a number keeps every digit it was written with', () => {
  expect(printJson(parsed('{"id":9007199254740993,"budget":1500.00,"tiny":1e-7}'))).toBe(
    '{"id":9007199254740993,"budget":1500.00,"tiny":1e-7}',
  );
});

test('reading what was printed gives the same text, up to the largest 64-bit id', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), fc.json(), (id, other) => {
      const text = `{"id":${id},"other":${other}}`;
      const once = printJson(parsed(text));
      expect(printJson(parsed(once))).toBe(once);
      const value = parsed(text);
      const number = isJsonObject(value) ? value['id'] : null;
      expect(number instanceof JsonNumber && number.text).toBe(String(id));
    }),
    { numRuns: runs(3000) },
  );
});

test('keys that reach for a prototype are dropped', () => {
  const value = parsed('{"__proto__":{"polluted":true},"constructor":1,"prototype":2,"kept":3}');
  expect(isJsonObject(value) && Object.keys(value)).toEqual(['kept']);
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});

test('200,000 nested lists are refused before anything goes down into them', () => {
  expect(parseJson('['.repeat(200_000) + ']'.repeat(200_000))).toEqual({ ok: false, error: { kind: 'too-deep' } });
});

test('brackets inside text are no depth', () => {
  expect(parseJson(JSON.stringify({ text: '[['.repeat(100), escaped: '\\"[{'.repeat(100) })).ok).toBe(true);
});

test('a text above 4 MiB is refused', () => {
  expect(parseJson(`"${'x'.repeat(4 * 1024 * 1024)}"`)).toMatchObject({ ok: false, error: { kind: 'too-large' } });
});

test('a member that an object names twice makes the text unreadable, in whatever way it is written', () => {
  const many = Array.from({ length: 60 }, (_, at) => `"k${at}":${at}`).join(',');
  const twice = [
    '{"adItemId":1,"adItemId":2}',
    '[{"a":1},{"b":{"c":1,"d":[{"e":1}],"c":2}}]',
    '{"a":{"x":1},"b":2,"a":3}',
    '{"a\\"b":1,"a\\u0022b":2}',
    '{"a":1,"\\u0061":2}',
    `{${many},"k0":1}`,
    `{${many},"k59":1}`,
    `{${many.replace('"k5":5', '"k5":{"y":1,"y":2}')}}`,
  ];
  for (const text of twice)
    expect(parseJson(text), text).toMatchObject({ ok: false, error: { kind: 'same-key-twice' } });
  const once = [
    '{"a":1,"b":[{"a":1},{"a":2}],"c":"a"}',
    '["a","a"]',
    '{"a":"a","b":"{\\"a\\":1,\\"a\\":2}"}',
    `[{${many}},{${many}}]`,
  ];
  for (const text of once) expect(parseJson(text).ok, text).toBe(true);
  expect(parseJson('{"a":1,"a":2')).toMatchObject({ ok: false, error: { kind: 'not-json' } });
});

test('whether members come twice is told of random objects as by counting them', () => {
  const name = fc.oneof(fc.constantFrom('a', 'b', '"', '\\', '\n', ''), fc.string({ maxLength: 3 }));
  const tree = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('1', '"}"', '"{,\\""', 'null'),
      fc.array(tie('node'), { maxLength: 4 }).map((parts) => `[${parts.join(',')}]`),
      fc
        .uniqueArray(fc.tuple(name, tie('node')), { selector: ([key]) => key, maxLength: 40 })
        .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(' ,')}}`),
    ),
  })).node;
  fc.assert(
    fc.property(tree, name, (text, key) => {
      expect(parseJson(text).ok).toBe(true);
      const member = JSON.stringify(key);
      expect(parseJson(`{${member}:${text},"z~":[${text}],${member} :${text}}`).ok).toBe(false);
    }),
    { numRuns: runs(500) },
  );
});

/** What is kept of an answer: all of it, letter by letter, but what would be of use to a thief. */
const kept = (value: unknown, secrets: readonly string[] = []): unknown =>
  JSON.parse(redactSecrets(JSON.stringify(value), secrets));

test('an answer without secrets stays as it is, letter by letter', () => {
  const text = '[ {"code":"success", "details":"",\n "campaignId": 904100200301, "name":"A \\"b\\" \\u00e9 \\/ c"} ]';
  expect(redactSecrets(text, ['another-token'])).toBe(text);
  const click = { clickUrl: 'https://shop.example/browse?q=paper+towels&sort=new' };
  expect(kept(click)).toEqual(click);
});

test('what was sent along is nowhere in it, however the answer writes it', () => {
  const token = 'a/token+with"signs';
  const said = { error: `no rights for ${token}`, link: `see ${encodeURIComponent(token)}` };
  const escaped = JSON.stringify(said).replaceAll('/', '\\/');
  for (const text of [JSON.stringify(said), escaped, `<p>${token}</p>`]) {
    const left = redactSecrets(text, [token]);
    expect(left).toContain(REDACTED);
    for (const part of ['token+with', 'token%2Bwith']) expect(left).not.toContain(part);
  }
});

test('of an upload or a report the host stays, of another address all but its query and its credentials', () => {
  expect(
    kept({
      uploadUrl: 'https://files.example:8443/bucket/key?se=1&sig=abc',
      captionUrl: 'https://files.example/other',
      details: 'https://reports.example/r/secret-path.csv',
      logoUrl: 'https://img.example/logo.png?sig=abc#x',
      thumbnails: ['http://me:pass@img.example/1.png'],
      message: 'see https://help.example/a?b=c for more',
    }),
  ).toEqual({
    uploadUrl: 'https://files.example:8443/[removed]',
    captionUrl: 'https://files.example/[removed]',
    details: 'https://reports.example/[removed]',
    logoUrl: 'https://img.example/logo.png?[removed]',
    thumbnails: ['http://img.example/1.png'],
    message: 'see https://help.example/a?[removed] for more',
  });
});

test('an address is found however its slashes are written', () => {
  for (const slashes of ['//', '\\/\\/', '\\u002f\\u002F', '/\\/']) {
    const said = `{"logoUrl":"https:${slashes}img.example/l.png?sig=abc"}`;
    expect(JSON.parse(redactSecrets(said, []))).toEqual({ logoUrl: 'https://img.example/l.png?[removed]' });
  }
});

test('members named like a secret are emptied, a page token is not', () => {
  const said = { access_token: 'x', clientSecret: 'y', 'X-Signature': 'z', privateKey: 'k', nextToken: 'page-2' };
  expect(kept(said)).toEqual({
    access_token: REDACTED,
    clientSecret: REDACTED,
    'X-Signature': REDACTED,
    privateKey: REDACTED,
    nextToken: 'page-2',
  });
  const pem = 'oops -----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY----- end';
  expect(redactSecrets(pem, [])).toBe(`oops ${REDACTED} end`);
});

test('for any answer: it stays JSON of the same members, and no planted secret is left', () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9+/=._-]{16,40}$/);
  const answer = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(secret, answer, fc.string(), (token, value, around) => {
      const said = { value, echo: `${around}${token}${around}`, uploadUrl: `https://up.example/${token}?sig=${token}` };
      const left = redactSecrets(JSON.stringify(said), [token]);
      const read = JSON.parse(left) as Record<string, unknown>;
      return !left.includes(token) && Object.keys(read).join() === 'value,echo,uploadUrl';
    }),
  );
});

test('any text at all is taken, and one that is broken off costs no more than its length', () => {
  fc.assert(fc.property(fc.string(), (text) => typeof redactSecrets(`{${text}`, ['a-secret-text']) === 'string'));
  const hostile = `{"a":"${'\\"'.repeat(500_000)}`;
  expect(redactSecrets(hostile, [])).toBe(hostile);
});
