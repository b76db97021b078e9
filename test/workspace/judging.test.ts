import { expect, test } from 'vitest';
import { CALENDAR_AHEAD_KEY, USER_RULES_KEY } from '../../main/store/rows/rule-settings.ts';
import type { Workspace } from '../../main/store/store.ts';
import type { UserRule } from '../../shared/api/rules.ts';
import { USER_RULE_BIT } from '../../shared/rules/custom-rules.ts';
import { acceptAll, aStore, createAll } from './a-store.ts';
import { aSmallCampaign, aWorkspace, create, done } from './a-workspace.ts';

/** What rows are judged by beside themselves: the service's calendar, the user's rules, what searches have said. */
const rule = (changes: Partial<UserRule>): UserRule => ({
  id: 'own',
  name: 'Own',
  kind: 'media',
  severity: 'warning',
  query: 'mediaType:logo',
  enabled: true,
  ...changes,
});

const saveRules = (workspace: Workspace, ...rules: readonly UserRule[]) =>
  workspace.setMeta(USER_RULES_KEY, JSON.stringify(rules));

async function found(workspace: Workspace, campaignId: Parameters<Workspace['findings']>[2] = null) {
  const { findings } = await workspace.findings(0, 500, campaignId);
  return findings.map((finding) => finding.rule);
}

const DAY_MS = 86_400_000;

test('a rule about files finds a file once, however many campaigns use it', async () => {
  const workspace = await aWorkspace();
  const campaigns = [0, 3].flatMap((at) => [
    create('campaign', null, { name: `C${at}`, campaignType: 'sba', targetingType: 'manual' }),
    create('adGroup', { at: at + 1 }, { name: 'G' }),
    create('sbaProfile', { at: at + 2 }, { brand: 'B', headline: `H${at}`, clickUrl: 'https://shop.example/b' }),
  ]);
  const logo = create('media', null, { mediaType: 'logo', fileName: 'logo.png', sha256: 'a'.repeat(64), bytes: 10 });
  const { touched } = done(await workspace.apply({ label: 'All', source: 'media', creates: [logo, ...campaigns] }));
  const [file] = touched;
  const profiles = touched.filter(({ kind }) => kind === 'sbaProfile');
  const updates = profiles.map((ref) => ({ ...ref, field: 'logo', value: file?.id ?? 0 }));
  done(await workspace.apply({ label: 'Logo', source: 'user', updates }));
  await saveRules(workspace, rule({}));
  expect((await found(workspace)).filter((id) => id === 'user.own')).toHaveLength(1);
  await saveRules(workspace);
  expect((await found(workspace)).filter((id) => id === 'user.own')).toEqual([]);
});

test('the stored marks are those of a check made anew, after rules and calendar have changed', async () => {
  const workspace = await aWorkspace();
  const creates = [
    create('campaign', null, { name: 'C', campaignType: 'sponsoredProducts', startDate: '2026-05-06' }),
    create('adGroup', { at: 0 }, { name: 'G' }),
    ...['1', '2'].map((itemId) => create('adItem', { at: 1 }, { itemId, bid: 100 })),
  ];
  const { touched } = done(await workspace.apply({ label: 'All', source: 'user', creates }));
  const campaign = touched[0]?.id ?? null;
  const agree = async () => {
    const counted = (await workspace.findings(0, 0, null)).counts;
    expect((await workspace.findings(0, 0, campaign)).counts).toEqual(counted);
    return counted;
  };
  const before = await agree();
  await saveRules(workspace, rule({ kind: 'adItem', severity: 'error', query: 'bid:1' }));
  expect(await agree()).toEqual({ ...before, error: before.error + 2 });
  await workspace.setMeta(CALENDAR_AHEAD_KEY, String(3 * DAY_MS));
  expect(await found(workspace)).toContain('campaign.start-before-today');
  await agree();
  await workspace.setMeta(CALENDAR_AHEAD_KEY, '0');
  expect(await found(workspace)).not.toContain('campaign.start-before-today');
  await saveRules(workspace);
  expect(await agree()).toEqual(before);
});

test('a second rule that finds the rows of the first is told, although no row is marked anew', async () => {
  const workspace = await aWorkspace();
  const creates = [
    create('campaign', null, { name: 'C', campaignType: 'sponsoredProducts', startDate: '2026-05-06' }),
    create('adGroup', { at: 0 }, { name: 'G' }),
    create('adItem', { at: 1 }, { itemId: '1', bid: 100 }),
  ];
  done(await workspace.apply({ label: 'All', source: 'user', creates }));
  const first = rule({ kind: 'adItem', query: 'bid:1' });
  await saveRules(workspace, first);
  const before = (await workspace.findings(0, 0, null)).counts.warning;
  const told = Promise.withResolvers<void>();
  workspace.onChanged(
    () => void workspace.summary().then(({ findings }) => findings.warning > before && told.resolve()),
  );
  await saveRules(workspace, first, { ...first, id: 'again', name: 'Again' });
  await told.promise;
  expect((await workspace.summary()).findings.warning).toBe(before + 1);
});

test('a rule for the id that the service gave a keyword finds that keyword', () => {
  const store = aStore();
  const refs = createAll(store, aSmallCampaign());
  acceptAll(store, refs);
  const keyword = refs.find(({ kind }) => kind === 'keyword');
  const remoteId = keyword === undefined ? null : store.readRow(keyword)?.remoteId;
  const bit = 2 ** USER_RULE_BIT.warning;
  for (const query of [`id:${remoteId}`, `${remoteId}`]) {
    store.setMeta(USER_RULES_KEY, JSON.stringify([rule({ kind: 'keyword', query })]));
    while (store.checkSlice());
    expect(store.db.all('SELECT id FROM keyword WHERE issues & ? <> 0', bit)).toEqual([[keyword?.id]]);
    store.setMeta(USER_RULES_KEY, '[]');
    while (store.checkSlice());
    expect(store.db.all('SELECT id FROM keyword WHERE issues & ? <> 0', bit)).toEqual([]);
  }
});

test('a setting that is no standard has nothing checked again', async () => {
  const workspace = await aWorkspace();
  done(await workspace.apply({ label: 'One', source: 'user', creates: [create('campaign', null, { name: 'C' })] }));
  const { revision } = await workspace.summary();
  await workspace.setMeta('capabilities', '{}');
  await workspace.findings(0, 1, null);
  expect((await workspace.summary()).revision).toBe(revision);
});
