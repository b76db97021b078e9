import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { readQuirks } from '../../sandbox/quirks.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { testFolder } from '../folder.ts';
import { share } from '../share.ts';
import { cli, cliJson, connecting, Problem, practiceData, written } from './cli.ts';

/** Connecting to deployments that want their requests otherwise than the default, each in a documented way. */
const folder = testFolder('connect');
const running: RunningSandbox[] = [];
afterAll(async () => {
  await Promise.all(running.map((sandbox) => sandbox.close()));
});

const start = async (quirks: string, extensions = false): Promise<RunningSandbox> => {
  const sandbox = await startSandbox({
    credentials: 'owners',
    scenario: 'empty',
    extensions,
    ...(quirks === '' ? {} : { quirks: readQuirks(quirks) }),
  });
  running.push(sandbox);
  return sandbox;
};

let files = 0;
const aFile = (text: string): string => written(folder, `file-${++files}`, text);

/** `account add` for the first account of the sandbox; an option may be changed. */
const add = (sandbox: RunningSandbox, changes: Readonly<Record<string, string>> = {}): readonly string[] =>
  connecting(sandbox, join(folder, `secrets-${++files}`), changes);

const Added = z.object({
  account: z.string(),
  found: z.array(z.object({ setting: z.string(), value: z.string() })),
  clockAheadSeconds: z.int().nullable(),
});
const seconds = { setting: 'timestampUnit', value: 's' };

const DEPLOYMENTS: readonly (readonly [
  what: string,
  quirks: string,
  entered: Readonly<Record<string, string>>,
  found: readonly { setting: string; value: string }[],
])[] = [
  ['the default one', '', {}, []],
  ['timestamps in seconds', 'timestamps=s', {}, [seconds]],
  ['timestamps in milliseconds', 'timestamps=ms', {}, []],
  ['another header prefix', 'prefix=ACME', { 'header-prefix': 'ACME' }, []],
  [
    'a header prefix that was copied with its header',
    'prefix=ACME,timestamps=s',
    { 'header-prefix': 'acme_CONSUMER.ID' },
    [{ setting: 'headerPrefix', value: 'ACME' }, seconds],
  ],
  [
    'the default prefix where another was entered',
    '',
    { 'header-prefix': 'X' },
    [{ setting: 'headerPrefix', value: 'SVC' }],
  ],
  ['another key version than entered', '', { 'key-version': '1' }, [{ setting: 'keyVersion', value: '2' }]],
  ['signatures with SHA-512', 'signature=RS512', {}, [{ setting: 'signatureAlgorithm', value: 'RS512' }]],
  [
    'PSS signatures and seconds at once',
    'signature=PS256,timestamps=s',
    {},
    [seconds, { setting: 'signatureAlgorithm', value: 'PS256' }],
  ],
  ['a path in front of every call', 'base-path=/partner/v3', {}, []],
  ['a clock that is two hours ahead', 'clock-ahead=7200', {}, []],
  ['a clock that is a day behind, in seconds', 'clock-ahead=-86400,timestamps=s', {}, [seconds]],
];
const deployments = share('deployments that are connected', DEPLOYMENTS, 6);
test.each(deployments)(
  'a deployment with %s is found out, and speaks with us',
  async (name, quirks, changes, found) => {
    const sandbox = await start(quirks);
    const data = join(folder, `data of ${name}`);
    const added = await cliJson(Added, data, ...add(sandbox, changes));
    expect(added).toMatchObject({ code: 0, json: { account: 'Shop', found } });
    expect((await cli(data, 'refresh', '--json')).code).toBe(0);
    // Connected once more, as with a new token, it is the same account, and still speaks with us.
    expect((await cliJson(Added, data, ...add(sandbox, changes))).code).toBe(0);
    expect((await cli(data, 'refresh', '--json')).code).toBe(0);
    const accounts = z.object({ accounts: z.array(z.unknown()) });
    expect((await cliJson(accounts, data, 'account', 'list')).json.accounts).toHaveLength(1);
  },
);

test('an address copied with the path of a call is shortened to the base URL', async () => {
  const sandbox = await start('base-path=/partner');
  const data = join(folder, 'copied address');
  const { baseUrl } = sandbox.ready;
  const added = await cliJson(Added, data, ...add(sandbox, { 'base-url': `${baseUrl}/api/v1/media` }));
  expect(added).toMatchObject({ code: 0, json: { found: [{ setting: 'baseUrl', value: baseUrl }] } });
  expect((await cli(data, 'refresh')).code).toBe(0);
});

test('how far the clocks are apart is told', async () => {
  const sandbox = await start('clock-ahead=7200');
  const added = await cliJson(Added, join(folder, 'clock'), ...add(sandbox));
  expect(Math.round((added.json.clockAheadSeconds ?? 0) / 60)).toBe(120);
  const told = await cli(join(folder, 'clock in words'), ...add(sandbox));
  expect(told.out).toMatch(
    /The clock of this computer is (120 minutes|2 hours) behind the service\. Adslate allows for it/,
  );
});

test('what was found is a setting of the deployment that can be read and changed', async () => {
  const sandbox = await start('timestamps=s');
  const data = join(folder, 'settings');
  await cli(data, ...add(sandbox));
  expect((await cli(data, 'deployment')).out).toContain('signature.timestampUnit is s');
});

test.each(share('names of the JSON part', ['SBABaseProfileRequest', 'sbaBaseProfileRequest'], 2))(
  'a logo reaches a service that reads its JSON part as %s alone',
  async (name) => {
    const sandbox = await start(`logo-part=${name}`);
    const data = join(folder, name);
    await cli(data, ...add(sandbox));
    const sheet = join(import.meta.dirname, '../../examples/campaigns.csv');
    const brands = join(folder, `${name}.csv`);
    // The campaign with a brand alone: videos would have to be uploaded first.
    const lines = readFileSync(sheet, 'utf8').split('\n');
    const media = join(import.meta.dirname, '../../examples/media');
    mkdirSync(join(folder, 'media'), { recursive: true });
    copyFileSync(join(media, 'northwind-logo.png'), join(folder, 'media', 'northwind-logo.png'));
    writeFileSync(brands, [lines[0], ...lines.filter((line) => line.includes('Northwind paper brand'))].join('\n'));
    expect((await cli(data, 'import', brands)).code).toBe(0);
    const sync = z.object({ refused: z.array(z.unknown()), questions: z.int() });
    expect((await cliJson(sync, data, 'sync', '--yes')).json).toEqual({ refused: [], questions: 0 });
    const seen = z.object({ requests: z.array(z.object({ path: z.string(), elementCodes: z.array(z.string()) })) });
    const { requests } = seen.parse(await (await fetch(`${sandbox.ready.controlUrl}/requests`)).json());
    const uploads = requests.filter(({ path }) => path.endsWith('image_upload'));
    expect(uploads.at(-1)?.elementCodes).toEqual(['success']);
  },
);

const Listed = z.object({
  capabilities: z.array(
    z.object({
      name: z.string(),
      offered: z.boolean().nullable(),
      seenAt: z.number().nullable(),
      inUse: z.boolean(),
      carries: z.array(z.string()),
    }),
  ),
});
const used = (listed: z.infer<typeof Listed>): readonly string[] =>
  listed.capabilities.filter(({ inUse }) => inUse).map(({ name }) => name);

test.each([
  ['documented calls only', false, 0],
  ['extensions', true, 7],
])('what a service of %s offers is seen when it is connected', async (name, extensions, count) => {
  const sandbox = await start('', extensions);
  const data = join(folder, name);
  await cli(data, ...add(sandbox));
  const listed = (await cliJson(Listed, data, 'capabilities')).json;
  expect(listed.capabilities.map(({ offered }) => offered)).toEqual(Array(7).fill(extensions));
  expect(listed.capabilities.every(({ seenAt }) => seenAt !== null)).toBe(true);
  expect(used(listed)).toHaveLength(count);
  const campaigns = listed.capabilities.find(({ name: one }) => one === 'campaignUpdate');
  expect(campaigns?.carries).toEqual(['change-campaign', 'enable-campaign', 'extend-campaign']);
  // For people: what is not offered, why, and what to do instead.
  const { out } = await cli(data, 'capabilities');
  expect(
    out.includes("change-keyword, change-video-profile: Not supported by this service. Use the retailer's console"),
  ).toBe(!extensions);
});

test('a capability can be switched off, on, and back to what the service offers', async () => {
  const sandbox = await start('', true);
  const data = join(folder, 'switches');
  await cli(data, ...add(sandbox));
  const set = async (text: string) => used((await cliJson(Listed, data, 'capabilities', '--set', text)).json);
  expect(await set('keywordRead=off')).not.toContain('keywordRead');
  expect(await set('keywordRead=auto')).toContain('keywordRead');
  const refused = await cliJson(Problem, data, 'capabilities', '--set', 'keywords=off');
  expect(refused).toMatchObject({ code: 2, json: { error: { message: expect.stringContaining('keywordRead') } } });
});

test('a practice account uses every extension, whatever was probed', async () => {
  const data = practiceData(join(folder, 'practice'));
  expect(used((await cliJson(Listed, data, 'capabilities')).json)).toHaveLength(7);
});

test('extensions that were not wanted are not asked for, until somebody asks', async () => {
  const sandbox = await start('', true);
  const data = join(folder, 'not wanted');
  await cli(data, ...add(sandbox, { extensions: 'off' }));
  const listed = (await cliJson(Listed, data, 'capabilities')).json;
  expect(listed.capabilities.every(({ offered }) => offered === null)).toBe(true);
  const probed = (await cliJson(Listed, data, 'capabilities', '--probe')).json;
  expect(probed.capabilities.every(({ offered }) => offered)).toBe(true);
  expect(used(probed)).toEqual([]);
  expect(used((await cliJson(Listed, data, 'capabilities', '--set', 'campaignRead=on')).json)).toEqual([
    'campaignRead',
  ]);
});

test('extensions that a service no longer offers are found out by its refusal, and not used from then on', async () => {
  const serviceData = join(folder, 'service');
  const offering = await startSandbox({
    credentials: 'owners',
    scenario: 'empty',
    extensions: true,
    dataDir: serviceData,
  });
  const port = Number(new URL(offering.ready.baseUrl).port);
  const data = join(folder, 'no longer');
  await cli(data, ...add(offering));
  expect(used((await cliJson(Listed, data, 'capabilities')).json)).toHaveLength(7);
  await offering.close();
  running.push(
    await startSandbox({ credentials: 'owners', scenario: 'empty', extensions: false, dataDir: serviceData, port }),
  );
  await cli(data, 'refresh');
  expect(used((await cliJson(Listed, data, 'capabilities')).json)).toEqual([]);
  expect((await cli(data, 'refresh')).code).toBe(0);
});

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const REFUSED: readonly (readonly [
  string,
  (sandbox: RunningSandbox) => Readonly<Record<string, string>>,
  RegExp,
  number,
])[] = [
  [
    'a key of somebody else',
    () => ({ 'key-file': aFile(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()) }),
    /GET http\S+\/api\/v1\/media returned 403 "User not Authenticated"\. Adslate tried \d+ combinations.*key belong together/,
    1,
  ],
  [
    'a key that is missing',
    () => ({ 'key-file': join(folder, 'none.pem') }),
    /^none\.pem \(--key-file\) can't be read \(ENOENT\)\. Check that the file exists/,
    1,
  ],
  [
    'an old token',
    () => ({ 'token-file': aFile('expired') }),
    /returned 403 "User not Authenticated".*token has not expired/,
    1,
  ],
  [
    'the advertiser of somebody else',
    () => ({ advertiser: '900002' }),
    /403 "You don't have access to this advertiser".*Check the ID/,
    1,
  ],
  [
    'a path that leads elsewhere',
    ({ ready }) => ({ 'base-url': `${new URL(ready.baseUrl).origin}/elsewhere` }),
    /\/elsewhere\/api\/v1\/media returned 404.*not as the ad service/,
    1,
  ],
  ['an address where nobody listens', () => ({ 'base-url': 'http://127.0.0.1:9' }), /no response to GET .*base URL/, 4],
];
test.each(share('refused connections', REFUSED, 3))(
  '%s is refused with the call, the response and its cause, and not stored',
  async (name, changes, message, code) => {
    const sandbox = await start('base-path=/partner');
    const data = join(folder, name);
    const refused = await cliJson(Problem, data, ...add(sandbox, changes(sandbox)));
    expect(refused.json.error.message).toMatch(message);
    expect(refused.code).toBe(code);
    expect((await cli(data, 'account', 'list', '--json')).out).toBe('{"accounts":[]}\n');
  },
);

test.each([
  'timestamps=minutes',
  'prefix=a b',
  'base-path=x',
  'unknown=1',
  'constructor',
  'report-answer=x',
  'report-minutes=-1',
])('the quirk %s is refused by the sandbox in words', (text) => {
  expect(() => readQuirks(text)).toThrow(/quirk/);
});
