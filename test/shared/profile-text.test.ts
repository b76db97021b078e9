import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DeploymentSettings, defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import {
  differenceText,
  formatProfile,
  PROFILE_KEYS,
  parseProfile,
  profileDifference,
} from '../../shared/deployment/settings-text.ts';
import {
  changeCommand,
  commandsOf,
  EXTENSION_COMMANDS,
  type ExtensionCommand,
  isCarried,
  NOT_OFFERED,
  offeringText,
  stepCommand,
} from '../../shared/plan/capabilities.ts';
import { planChanges } from '../../shared/plan/plan.ts';
import {
  CAPABILITY_NAMES,
  CAPABILITY_REQUESTS,
  DOCUMENTED_ONLY,
  WITH_EXTENSIONS,
} from '../../shared/plan/plan-types.ts';
import { aCampaign, aKeyword, anAdGroup, anAdItem, aTree, aVideoProfile, planInput } from './builders.ts';

const whole = fc.integer({ min: 1, max: 1_000_000 });
const word = fc.oneof(
  fc.constantFrom('Search Ingrid', 'a, b', '"x"', '[', ' outside ', 'a\nb'),
  fc.string({ minLength: 1 }),
);
const words = fc.array(word, { maxLength: 4 });
const ends = fc.tuple(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 90 })).map(([a, b]) => ({
  min: Math.min(a, b),
  max: Math.max(a, b) + 0.5,
}));
const generated = fc
  .record({
    wire: fc.record({ dialect: fc.constantFrom('seed', 'family') }),
    adItems: fc.record({ maxOf: fc.record({ video: fc.option(whole) }) }),
    batch: fc.record({ max: whole, keywords: whole }),
    sba: fc.record({ maxProfiles: whole, singleEnabled: fc.boolean() }),
    logo: fc.record({ width: whole, height: whole }),
    multiplier: fc.record({
      min: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
      placements: fc.record({ auto: words, manual: words }),
      platforms: words,
    }),
    bid: fc.record({ floorVideoKeywordCents: whole, floorItemCents: fc.option(whole), maxCents: whole }),
    media: fc.record({ seconds: ends, maxMb: whole }),
    review: fc.record({ days: ends }),
    business: fc.record({ zone: fc.string() }),
    retail: fc.record({ host: fc.oneof(fc.constantFrom('shop.example', '', '"', '#x', '='), fc.string()) }),
    upload: fc.record({ hosts: words }),
  })
  .map((values) => DeploymentSettings.parse(values));

test('a profile written as text reads back as itself', () => {
  let quoted = 0;
  let none = 0;
  fc.assert(
    fc.property(generated, (profile) => {
      const text = formatProfile(profile);
      if (text.includes('"')) quoted++;
      if (profile.bid.floorItemCents === null) none++;
      expect(parseProfile(text)).toEqual({ ok: true, value: profile });
    }),
    { numRuns: 1000 },
  );
  expect(Math.min(quoted, none)).toBeGreaterThan(50);
});

test('every value of the object has a key, and every key a value', () => {
  const leaves = (value: unknown, path: string): string[] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([name, below]) => leaves(below, path === '' ? name : `${path}.${name}`))
      : [path];
  const paths = PROFILE_KEYS.flatMap((one) => one.paths.map((path) => path.join('.')));
  expect(paths.toSorted()).toEqual(leaves(defaultDeploymentSettings(), '').toSorted());
});

test('the default is written as in the wire shapes', () => {
  const lines = formatProfile(defaultDeploymentSettings('shop.example')).split('\n');
  for (const line of [
    'wire.dialect=seed',
    'logo.pixels=100x100',
    'multiplier.placements.auto=[Search Ingrid, Buy-Box]',
    'bid.floor.videoKeyword=1.50',
    'bid.floor.item=',
    'media.seconds=5..45',
    'review.days=1..3',
    'campaign.uniqueName=true',
    'retail.host=shop.example',
  ]) {
    expect(lines).toContain(line);
  }
});

test('keys that are left out have their defaults, and notes are passed over', () => {
  expect(parseProfile('# ours\n\n retail.host = shop.example \r\nadItems.max=12\n')).toEqual({
    ok: true,
    value: DeploymentSettings.parse({ retail: { host: 'shop.example' }, adItems: { max: 12 } }),
  });
});

for (const [line, problem] of [
  ['adItems.maxx=3', /"adItems.maxx" is not a setting. Use one of adItems.max, .*adItems.min/],
  ['nothing=3', /"nothing" is not a setting. Remove the line/],
  ['adItems.max', /"adItems.max" has no value/],
  ['adItems.max=ten', /"adItems.max" is "ten". It must be a number/],
  ['adItems.max=0', /"adItems.max" is "0". It must be more than 0. Correct the value/],
  ['adItems.max=2.5', /"adItems.max" is "2.5". It must be a whole number. Correct the value/],
  ['media.seconds=45..5', /"media.seconds" is "45..5". The lower end is above the upper end/],
  ['media.seconds=45', /"media.seconds" is "45". It must be two numbers/],
  ['logo.pixels=100', /"logo.pixels" is "100". It must be width and height/],
  ['logo.pixels=0x100', /"logo.pixels" is "0x100"/],
  ['sba.singleEnabled=yes', /It must be true or false/],
  ['bid.max=1.005', /"bid.max" is "1.005". It must be an amount/],
  ['wire.dialect=old', /"wire.dialect" is "old". It must be one of seed, family/],
  ['migration.cutover=2026-02-30', /"migration.cutover" is "2026-02-30"/],
  ['multiplier.platforms=[a,,b]', /words in brackets/],
  ['multiplier.platforms=[a,]', /words in brackets/],
  ['retail.host="open', /closing quotation mark/],
  ['version=2', /"version" is "2"/],
] as const) {
  test(`${line} is refused with its line, its key and the next step`, () => {
    const read = parseProfile(`# note\n${line}\n`);
    expect(read.ok).toBe(false);
    if (read.ok) return;
    expect(read.error).toHaveLength(1);
    expect(read.error[0]?.line).toBe(2);
    expect(read.error[0]?.problem).toMatch(problem);
  });
}

test('a key that is set twice is refused', () => {
  expect(parseProfile('batch.max=5\nbatch.max=6')).toMatchObject({
    ok: false,
    error: [{ line: 2, key: 'batch.max', problem: expect.stringContaining('already set in line 1') }],
  });
});

test('the difference to the default names key, value and usual value, and nothing else', () => {
  const usual = defaultDeploymentSettings('shop.example');
  expect(profileDifference(usual, usual)).toEqual([]);
  const read = parseProfile('retail.host=shop.example\nadItems.max=12\nbid.floor.item=0.20');
  if (!read.ok) throw new Error('not read');
  expect(differenceText(profileDifference(read.value, usual))).toBe(
    'adItems.max is 12 (default 10)\nbid.floor.item is 0.20 (default empty)\n',
  );
});

const COMMANDS = Object.keys(EXTENSION_COMMANDS) as readonly ExtensionCommand[];
const known = (inUse: boolean) => CAPABILITY_NAMES.map((name) => ({ name, inUse }));

test('a command of an extension says what carries it, and where it is not offered why and what to do instead', () => {
  for (const command of COMMANDS) {
    expect(offeringText(command, known(false))).toEqual({ isOffered: false, text: NOT_OFFERED });
    const offered = offeringText(command, known(true));
    expect(offered?.isOffered).toBe(true);
    expect(offered?.text).toContain(CAPABILITY_REQUESTS[EXTENSION_COMMANDS[command]]);
    // Nothing is said while nobody knows.
    expect(offeringText(command, undefined)).toBeNull();
  }
  expect(offeringText(changeCommand('adItem'), known(false))).toBeNull();
});

test('every command is told of with its extension, and those that only read have none', () => {
  expect(CAPABILITY_NAMES.flatMap((name) => commandsOf(name)).toSorted()).toEqual(COMMANDS.toSorted());
  expect(CAPABILITY_NAMES.filter((name) => commandsOf(name).length === 0)).toEqual([
    'campaignRead',
    'adGroupRead',
    'keywordRead',
  ]);
  expect([stepCommand('enable'), stepCommand('extend'), stepCommand('sync')]).toEqual([
    'enable-campaign',
    'extend-campaign',
    null,
  ]);
});

test('what the table says is offered is what a plan sends, kind by kind', () => {
  const tree = aTree({
    campaign: aCampaign({ name: 'New name' }, { remote: '1', was: { name: 'Old' } }),
    adGroups: [anAdGroup({ name: 'New' }, { remote: '2', was: { name: 'Old' } })],
    adItems: [anAdItem({ bid: 200 as never }, { remote: '3', was: { bid: 150 as never } })],
    keywords: [aKeyword({ bid: 200 as never }, { remote: '4', was: { bid: 150 as never } })],
    videoProfiles: [aVideoProfile({ status: 'disabled' }, { remote: '5', was: { status: 'enabled' } })],
  });
  for (const capabilities of [DOCUMENTED_ONLY, WITH_EXTENSIONS]) {
    const { batches, leftOut } = planChanges(planInput([tree], { capabilities, submit: false }));
    // Whatever the table says: the document has no update of these (document, "Endpoints").
    const kept = leftOut.filter(({ reason }) => reason === 'not-offered').map(({ kind }) => kind);
    expect(kept.toSorted()).toEqual(
      capabilities === DOCUMENTED_ONLY ? ['adGroup', 'campaign', 'keyword', 'videoProfile'] : [],
    );
    const sent = new Set(batches.map(({ kind }) => kind));
    for (const kind of ['campaign', 'adGroup', 'adItem', 'keyword', 'videoProfile'] as const) {
      const isOffered = isCarried(changeCommand(kind), capabilities);
      expect(
        leftOut.some((one) => one.kind === kind && one.reason === 'not-offered'),
        kind,
      ).toBe(!isOffered);
      if (kind !== 'videoProfile') expect(sent.has(kind), kind).toBe(isOffered);
    }
  }
});
