import { expect, test } from 'vitest';
import {
  CAPABILITY_REQUESTS,
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
import { CAPABILITY_NAMES, DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { aCampaign, aKeyword, anAdGroup, anAdItem, aTree, aVideoProfile, planInput } from './builders.ts';

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
