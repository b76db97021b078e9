import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../main/app/clock.ts';
import type { Core } from '../../main/core/core.ts';
import { createProber } from '../../main/files/probe/prober.ts';
import { createWatchedFolder } from '../../main/files/watched/watched-folder.ts';
import type { CreateRow } from '../../main/store/types.ts';
import {
  dropText,
  folderText,
  indexCampaigns,
  matchFileName,
  parsePatterns,
  readingsOf,
} from '../../shared/media/watched-files.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import { startCore } from '../core/a-core.ts';
import { testFolder } from '../folder.ts';
import { copyAccount } from '../prepared-account.ts';
import { done } from '../store/a-workspace.ts';
import { call } from '../store/call.ts';
import { aFilm, aPng } from './builders.ts';

const folder = testFolder('watched');
const PACE = { settle: 60, check: 40, full: 300 };

const patternsOf = (text: string) => {
  const parsed = parsePatterns(text);
  if (!parsed.ok) throw new Error(folderText(parsed.error));
  return parsed.value;
};

test('a name that a pattern writes is read back as what was written, among its readings', () => {
  const word = fc.stringMatching(/^[A-Za-z0-9_ -]{1,12}$/);
  const patterns = patternsOf('{campaign}_{creative}.mp4');
  fc.assert(
    fc.property(word, word, (campaign, creative) => {
      const readings = patterns.flatMap((pattern) => readingsOf(pattern, `${campaign}_${creative}.MP4`));
      expect(readings).toContainEqual({ campaign, creative });
    }),
  );
});

test('a name leads to its one campaign, or says why it leads to none', () => {
  const campaigns = indexCampaigns([
    { id: asRowId(1), name: 'Garden hose, 2030', remoteId: '77001' },
    { id: asRowId(2), name: 'Garden', remoteId: null },
    { id: asRowId(3), name: 'Twin', remoteId: '77003' },
    { id: asRowId(4), name: 'twin!', remoteId: '77004' },
  ]);
  const patterns = patternsOf('{campaign}_{creative}.*\n{campaign}.*');
  const read = (name: string) => {
    const found = matchFileName(patterns, name, campaigns);
    return found.ok ? [found.value.campaign.id, found.value.creative] : folderText(found.error);
  };
  expect(read('garden-hose_2030_spot A.mp4')).toEqual([1, 'spot A']);
  expect(read('77001_b.mov')).toEqual([1, 'b']);
  expect(read('GARDEN.png')).toEqual([2, null]);
  expect(read('Twin_a.mp4')).toContain('The name fits several campaigns: "Twin", "twin!".');
  expect(read('77004_a.mp4')).toEqual([4, 'a']);
  expect(read('Roses_a.mp4')).toContain('No campaign is named "Roses"');
  expect(read('no-ending')).toContain('fits no pattern');
});

test.each([
  ['', 'at least one pattern'],
  ['{campaign}{creative}.mp4', 'touch each other'],
  ['{brand}.mp4', '{brand} is unknown'],
  ['{creative}.mp4', 'Use {campaign} exactly once'],
  ['a/{campaign}.mp4', 'slashes'],
])('the pattern %j is refused with the reason', (text, problem) => {
  const parsed = parsePatterns(text);
  expect(parsed.ok ? '' : folderText(parsed.error)).toContain(problem);
});

const campaign = (name: string, campaignType: string): CreateRow[] => [
  { kind: 'campaign', parent: null, values: { name, campaignType, targetingType: 'manual' } },
];

async function anAccount() {
  const dataDir = join(folder, `data-${performance.now()}`);
  copyAccount(dataDir);
  const core: Core = await startCore(dataDir);
  const [record] = (await import('node:fs')).readdirSync(join(dataDir, 'workspaces'));
  const account = done(await core.open.get(record as never));
  const created = await account.workspace.apply({
    label: 'Add',
    source: 'user',
    creates: [
      ...campaign('Hose', 'video'),
      { kind: 'adGroup', parent: { at: 0 }, values: { name: 'g' } },
      ...campaign('Paper', 'sba'),
      { kind: 'adGroup', parent: { at: 2 }, values: { name: 'g' } },
      { kind: 'sbaProfile', parent: { at: 3 }, values: { brand: 'N', headline: 'Soft towels' } },
    ],
  });
  if (!created.ok) throw new Error('not created');
  const drop = join(dataDir, 'drop');
  mkdirSync(drop);
  const prober = createProber();
  const told: string[] = [];
  const watched = (pace = PACE, workspace = account.workspace) =>
    createWatchedFolder({
      workspace,
      library: account.library,
      prober,
      clock: systemClock,
      logFile: join(dataDir, 'dropped.db'),
      ownFolder: join(dataDir, 'own'),
      isReadOnly: false,
      changed: () => undefined,
      tell: (message) => told.push(message),
      pace,
    });
  onTestFinished(async () => {
    await prober.close();
    await core.close();
  });
  const trees = async () =>
    account.workspace.readTrees(
      created.value.touched.filter((r) => r.kind === 'campaign').map(({ id }) => asRowId(id)),
    );
  return { account, drop, watched, told, trees };
}

test('a file that comes at any moment while a folder is being opened is found without a full look', async () => {
  const { drop, watched } = await anAccount();
  const service = watched({ ...PACE, full: 3_600_000 });
  for (const [at, delayMs] of [0, 1, 2, 3, 4, 6, 8, 11, 15, 20, 30].entries()) {
    const path = join(drop, String(at));
    mkdirSync(path);
    await service.set({ on: true, path }, true);
    if (delayMs > 0) await systemClock.sleep(delayMs);
    writeFileSync(join(path, 'contract.pdf'), '%PDF-1.4');
    await expect.poll(() => service.state().total).toBe(at + 1);
  }
  await service.close();
});

test('a file whose campaign is deleted while it is read is listed as not attached', async () => {
  const { account, drop, watched, trees } = await anAccount();
  const [hose] = await trees();
  const workspace = {
    ...account.workspace,
    campaignFacts: async () => {
      const facts = await account.workspace.campaignFacts();
      const deletes = [{ kind: 'campaign' as const, id: hose?.campaign.id ?? asRowId(0) }];
      await account.workspace.apply({ label: 'Delete', source: 'user', deletes });
      return facts;
    },
  };
  const service = watched(PACE, workspace);
  await service.set({ on: true, path: drop }, false);
  writeFileSync(join(drop, 'hose_spring.mp4'), aFilm({ durationMs: 8000 }));
  const { taken } = await service.takeSettled(false);
  expect(taken).toMatchObject([{ outcome: 'not-attached', message: { code: 'no-campaign', facts: { name: 'Hose' } } }]);
  await service.close();
});

test('one call says what became of every file, also of more than a list shows', async () => {
  const { watched, drop } = await anAccount();
  const service = watched({ settle: 1, check: 40, full: 60_000 });
  await service.set({ on: true, path: drop }, false);
  for (let at = 0; at < 510; at++) writeFileSync(join(drop, `${at}.txt`), `no captions ${at}`);
  const { taken, state } = await service.takeSettled(false);
  expect([taken.length, state.drops.length, state.total]).toEqual([510, 500, 510]);
  await service.close();
});

test('a scan that fails in the background is told, and the files are taken later', async () => {
  const { account, drop, watched } = await anAccount();
  let failures = 2;
  const workspace = {
    ...account.workspace,
    campaignFacts: async () => {
      if (failures-- > 0) throw new Error('the index is damaged');
      return account.workspace.campaignFacts();
    },
  };
  const service = watched(PACE, workspace);
  await service.set({ on: true, path: drop }, true);
  writeFileSync(join(drop, 'hose_spring.mp4'), aFilm({ durationMs: 8000 }));
  await expect
    .poll(() => service.state(), { interval: 5 })
    .toMatchObject({ state: 'failed', problem: { code: 'failed', facts: { detail: 'the index is damaged' } } });
  await expect.poll(() => service.state()).toMatchObject({ state: 'watching', total: 1 });
  expect(service.state().drops).toMatchObject([{ fileName: 'hose_spring.mp4', outcome: 'attached' }]);
  await service.close();
});

test('a folder that cannot be read tells why, in the settings and once in a notice', async () => {
  const { drop, watched, told } = await anAccount();
  const service = watched();
  await service.set({ on: true, path: drop }, true);
  const problem = () => {
    const { problem: found } = service.state();
    return found === null ? '' : folderText(found);
  };
  rmSync(drop, { recursive: true });
  await expect.poll(problem).toContain('The folder is not there');
  // A link to itself, in which the system goes round.
  symlinkSync(drop, drop);
  await expect.poll(problem).toContain('its path goes round in links (ELOOP). Check the disk');
  rmSync(drop);
  mkdirSync(drop);
  await expect.poll(problem).toBe('');
  expect(told).toEqual([
    expect.stringContaining('Watched folder "drop": The folder is not there. Create it'),
    expect.stringContaining("can't be read: its path goes round"),
  ]);
  await service.close();
});

test('files that stopped changing are attached once, each as one step, and every file is listed', async () => {
  const { account, drop, watched, trees } = await anAccount();
  let service = watched();
  await service.set({ on: true, path: drop }, true);
  const texts = () =>
    Object.fromEntries(
      service
        .state()
        .drops.map(({ fileName, outcome, message }) => [fileName, `${outcome}: ${dropText(outcome, message)}`]),
    );

  writeFileSync(join(drop, 'hose_spring.mp4'), aFilm({ durationMs: 8000 }));
  writeFileSync(join(drop, 'hose_spring.srt'), '1\n00:00:00,000 --> 00:00:02,000\nHi\n');
  writeFileSync(join(drop, 'Paper_soft-towels.png'), aPng(100, 100));
  writeFileSync(join(drop, 'Paper_contract.pdf'), '%PDF-1.4');
  writeFileSync(join(drop, 'Roses_a.png'), aPng(100, 100, 9));
  writeFileSync(join(drop, '.~lock'), 'x');
  await expect.poll(() => service.state().total).toBe(5);
  expect(texts()).toMatchObject({
    'hose_spring.mp4': 'attached: Attached to "Hose" as a new video profile.',
    'hose_spring.srt': 'attached: Attached to "Hose" as captions.',
    'Paper_soft-towels.png': 'attached: Attached to "Paper" as the logo of "Soft towels".',
    'Paper_contract.pdf': expect.stringContaining('refused: Paper_contract.pdf is'),
    'Roses_a.png': expect.stringContaining(
      'not-attached: Added to the media library only. No campaign is named "Roses"',
    ),
  });
  const [hose, paper] = await trees();
  expect(hose?.videoProfiles).toHaveLength(1);
  expect(hose?.media.find(({ id }) => id === hose.videoProfiles[0]?.values.video)?.values.caption).not.toBeNull();
  expect(paper?.sbaProfiles[0]?.values.logo).not.toBeNull();

  // A new version of the creative replaces the old one; while it is being written it is not touched.
  const next = aFilm({ durationMs: 9000, mdatBytes: 4000 });
  writeFileSync(join(drop, 'hose_spring v2.mp4'), next.subarray(0, 900));
  const growing = setInterval(() => appendFileSync(join(drop, 'hose_spring v2.mp4'), 'x'), 15);
  await expect.poll(() => service.state()).toMatchObject({ total: 5, arriving: 1 });
  clearInterval(growing);
  rmSync(join(drop, 'hose_spring v2.mp4'));
  writeFileSync(join(drop, 'hose_spring.mp4'), next);
  await expect.poll(() => service.state().total).toBe(6);
  expect((await trees())[0]?.videoProfiles).toHaveLength(1);

  // One step of the history takes the attachment back, and the file is not attached again, not even after a restart.
  const attached = (await trees())[0]?.videoProfiles[0]?.values.video;
  const { steps } = await account.workspace.history(0, 1);
  expect(steps[0]?.label).toBe('Attach hose_spring.mp4 to "Hose"');
  await call(account.workspace, 'workspace', 'undo');
  await service.close();
  service = watched();
  await service.start();
  // The folder goes away and comes back, as a network share does.
  renameSync(drop, `${drop}-away`);
  await expect.poll(() => service.state().state).toBe('missing');
  renameSync(`${drop}-away`, drop);
  writeFileSync(join(drop, 'Paper.png'), aPng(100, 100, 77));
  await expect.poll(() => service.state().total).toBe(7);
  expect((await trees())[0]?.videoProfiles[0]?.values.video).not.toBe(attached);
  expect((await trees())[1]?.sbaProfiles[0]?.values.logo).not.toBe(paper?.sbaProfiles[0]?.values.logo);

  // What was not attached is tried again when it is asked for.
  await account.workspace.apply({ label: 'Roses', source: 'user', creates: campaign('Roses', 'sba') });
  await service.scan(true);
  await expect.poll(() => texts()['Roses_a.png']).toContain('no SBA profile');

  // A campaign has one video profile: a second one would be an error, and the campaign could not be sent.
  writeFileSync(join(drop, 'hose_summer.mp4'), aFilm({ durationMs: 7000 }));
  await expect
    .poll(() => texts()['hose_summer.mp4'])
    .toBe(
      'not-attached: Added to the media library only. The campaign has a video already. Use the name of that video as the creative to replace it.',
    );
  expect((await trees())[0]?.videoProfiles).toHaveLength(1);
  await service.close();
});
