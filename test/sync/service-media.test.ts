import { beforeEach, describe, expect, test } from 'vitest';
import type { Row } from '../../shared/model/row.ts';
import type { RemoteId, RowId } from '../../shared/model/scalars.ts';
import { DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { share } from '../share.ts';
import { changesOf } from '../store/a-workspace.ts';
import { addVideo, videoDraft } from './a-draft.ts';
import type { TestAccount } from './an-account.ts';
import type { Control } from './control.ts';
import { type PracticeService, practiceService } from './practice-service.ts';

/**
 * Videos that somebody else uploaded to the same advertiser account: `there` is the colleague's workspace, `here` ours,
 * which has none of the files.
 */
let control: Control;
let there: TestAccount;
let here: TestAccount;

async function start(service: PracticeService, extensions: boolean): Promise<void> {
  const capabilities = extensions ? WITH_EXTENSIONS : DOCUMENTED_ONLY;
  ({ control } = service);
  there = await service.open({ capabilities });
  here = await service.open({ capabilities });
}

/** The colleague uploads a video and shows it in a campaign. */
async function shownThere(): Promise<{
  readonly media: RemoteId;
  readonly campaign: RemoteId;
  readonly group: RemoteId;
}> {
  const video = await addVideo(there);
  const [campaign, group] = (await there.create(videoDraft(video))) as [RowId, RowId];
  await there.run();
  await control.advance('PT45M');
  await there.run();
  const ids = await Promise.all([
    there.workspace.readRow({ kind: 'media', id: video }),
    there.workspace.readRow({ kind: 'campaign', id: campaign }),
    there.workspace.readRow({ kind: 'adGroup', id: group }),
  ]);
  const [mediaId, campaignId, groupId] = ids.map((row) => row?.remoteId ?? null);
  if (mediaId == null || campaignId == null || groupId == null) throw new Error('the colleague was not served');
  return { media: mediaId, campaign: campaignId, group: groupId };
}

const refresh = async (): Promise<void> => {
  const done = await here.sync.refresh();
  if (!done.ok) throw new Error(JSON.stringify(done.error));
};
const mediaHere = (): Promise<readonly Row<'media'>[]> => here.workspace.readMedia();

async function onlyVideo(): Promise<Row<'media'>> {
  const [video, ...more] = await mediaHere();
  if (video === undefined || more.length > 0) throw new Error('there is not exactly one video');
  return video;
}

/** Nothing is changed, nothing is wrong, and nothing would be sent. */
async function expectQuiet(): Promise<void> {
  expect((await changesOf(here.workspace, { from: 0, count: 10 })).changes).toEqual([]);
  expect((await here.workspace.issues(0, 10, null)).counts.error).toBe(0);
  const plan = await here.sync.plan({ submit: false, campaignIds: null });
  expect([plan.requests, plan.elements, plan.leftOut]).toEqual([0, 0, []]);
}

const DEPLOYMENTS = [
  ['documented calls only', false],
  ['extensions', true],
] as const;
for (const [name, extensions] of share('videos of the service', DEPLOYMENTS, 2)) {
  describe(name, () => {
    const service = practiceService({ extensions });
    beforeEach(() => start(service, extensions));

    test('a refresh lists it with its name, state, thumbnail and length', async () => {
      const { media } = await shownThere();
      await refresh();
      const video = await onlyVideo();
      expect(video).toMatchObject({ remoteId: media, dirty: 0, base: null });
      const [theirs] = (await there.workspace.readMedia()).filter(({ values }) => values.mediaType === 'video');
      expect(video.values).toMatchObject({
        mediaType: 'video',
        mediaName: expect.stringContaining(theirs?.values.mediaName ?? '?'),
        mediaState: 'available',
        stateReason: null,
        sha256: null,
        fileName: null,
        thumbnailUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/assets\/thumbnails\/\d+\.png$/),
        durationMs: 12_000,
      });
      await expectQuiet();
      await refresh();
      expect(await mediaHere()).toHaveLength(1);
    });

    test('a campaign that is taken in shows it', async () => {
      const { campaign, group, media } = await shownThere();
      const type = { name: 'Theirs', campaignType: 'video' as const, targetingType: null };
      const taken = await here.sync.addCampaigns([{ id: campaign, ...type, adGroups: [group] }], 'pasted');
      expect(taken.ok && taken.value.stoppedBy).toBeNull();
      const video = await onlyVideo();
      expect(video.remoteId).toBe(media);
      const [tree] = await here.workspace.readTrees('all');
      expect(tree?.videoProfiles[0]?.values.video).toBe(video.id);
      expect(tree?.media.map(({ id }) => id)).toEqual([video.id]);
      await expectQuiet();
    });

    test('a profile of ours can show it: nothing is uploaded, and the profile names its id', async () => {
      const { media } = await shownThere();
      await refresh();
      const video = await onlyVideo();
      await here.create(videoDraft(video.id, 'Ours'));
      expect((await here.workspace.issues(0, 10, null)).counts.error).toBe(0);
      const asked = (await control.requests()).length;
      const report = await here.run();
      expect([report.state, report.refused]).toEqual(['finished', []]);
      const calls = (await control.requests()).slice(asked).map(({ method, path }) => `${method} ${path}`);
      expect(calls).toContain('POST /api/v1/adGroup/media');
      expect(calls.filter((call) => /media\/(upload|complete)|\/upload\//.test(call))).toEqual([]);
      const [tree] = (await here.workspace.readTrees('all')).filter(({ campaign }) => campaign.values.name === 'Ours');
      expect(tree?.videoProfiles[0]).toMatchObject({ dirty: 0, values: { video: video.id } });
      expect(tree?.media[0]?.remoteId).toBe(media);
    });

    test('one that is still being processed is waited for, and never uploaded', async () => {
      await addVideo(there);
      const [video] = (await there.workspace.readMedia()).filter(({ values }) => values.mediaType === 'video');
      if (video === undefined) throw new Error('no video');
      await there.create(videoDraft(video.id));
      await there.run();
      await refresh();
      const foreign = await onlyVideo();
      expect(foreign.values.mediaState).toBe('processing');
      await here.create(videoDraft(foreign.id, 'Ours'));
      await here.run();
      const plan = await here.sync.plan({ submit: false, campaignIds: null });
      expect([plan.uploads, plan.leftOut.map(({ reason }) => reason)]).toEqual([[], ['waits-for-media']]);
      const { lanes } = await changesOf(here.workspace, { from: 0, count: 10 });
      expect(lanes).toMatchObject({ ready: 0, 'after-video': 1 });
      await control.advance('PT45M');
      const report = await here.run();
      expect([report.state, report.refused]).toEqual(['finished', []]);
      expect((await changesOf(here.workspace, { from: 0, count: 10 })).changes).toEqual([]);

      // A profile that is deleted here is never sent, whatever becomes of its video.
      const processing = { kind: 'media', id: foreign.id, field: 'mediaState', value: 'processing' } as const;
      await here.workspace.setServiceFields([processing]);
      const profile = (await here.workspace.readTrees('all')).flatMap(({ videoProfiles }) => videoProfiles).at(-1);
      if (profile === undefined) throw new Error('no profile');
      const deletes = [{ kind: 'videoProfile', id: profile.id } as const];
      await here.workspace.apply({ label: 'test', source: 'user', deletes });
      expect((await changesOf(here.workspace, { from: 0, count: 10 })).lanes).toMatchObject({ 'after-video': 0 });
    });

    test('one that the service no longer lists is told of where a change needs it', async () => {
      await shownThere();
      await refresh();
      const video = await onlyVideo();
      await control.answer('GET', '/api/v1/media', 200, { body: '[]' });
      await refresh();
      expect((await onlyVideo()).values).toMatchObject({
        mediaState: 'failed',
        stateReason: expect.stringContaining('no longer'),
      });
      await here.create(videoDraft(video.id, 'Ours'));
      const { issues } = await here.workspace.issues(0, 10, null);
      expect(issues.filter(({ severity }) => severity === 'error').map(({ rule }) => rule)).toEqual([
        'video-profile.video-unusable',
      ]);
      await refresh();
      expect((await onlyVideo()).values).toMatchObject({ mediaState: 'available', stateReason: null });
      expect((await here.workspace.issues(0, 10, null)).counts.error).toBe(0);
    });

    test('a service that refuses the list, or fails at it, loses nothing else of a refresh', async () => {
      const { campaign, group } = await shownThere();
      for (const status of [403, 404, 500]) {
        await control.answer('GET', '/api/v1/media', status, { times: 20, body: { error: 'not today' } });
        await refresh();
        await control.clearFaults();
      }
      await control.answer('GET', '/api/v1/media', 404, { times: 20 });
      const type = { name: 'Theirs', campaignType: 'video' as const, targetingType: null };
      await here.sync.addCampaigns([{ id: campaign, ...type, adGroups: [group] }], 'pasted');
      // The profile itself says which video it shows.
      expect((await onlyVideo()).values).toMatchObject({ mediaState: 'available', thumbnailUrl: expect.any(String) });
      const [tree] = await here.workspace.readTrees('all');
      expect(tree?.videoProfiles[0]?.values.video).toBe((await onlyVideo()).id);
    });
  });
}

describe('an upload of ours', () => {
  const service = practiceService({ extensions: false });
  beforeEach(() => start(service, false));

  test('whose answer was lost is not taken for a video of somebody else by a refresh', async () => {
    await here.close();
    let isCut = false;
    let isCompleted = false;
    const cutting: typeof fetch = async (input, init) => {
      const address = input instanceof Request ? input.url : String(input);
      // The list is read before the upload is completed, and fails from then on: the run ends with the upload in doubt.
      if (isCut && isCompleted && address.includes('/api/v1/media?')) throw new TypeError('fetch failed');
      const answer = await fetch(input, init);
      if (!isCut || !address.includes('/api/v1/media/complete')) return answer;
      isCompleted = true;
      throw new TypeError('fetch failed');
    };
    here = await service.open({ capabilities: DOCUMENTED_ONLY, fetch: cutting });
    const video = await addVideo(here);
    await here.create(videoDraft(video));
    isCut = true;
    await here.run();
    isCut = false;
    expect(isCompleted).toBe(true);
    const videos = async () => (await mediaHere()).filter(({ values }) => values.mediaType === 'video');
    expect((await videos()).map(({ remoteId }) => remoteId)).toEqual([null]);
    await refresh();
    expect((await videos()).map(({ id }) => id)).toEqual([video]);
    await here.run();
    expect((await videos()).map(({ id, remoteId }) => [id, remoteId !== null])).toEqual([[video, true]]);
  });
});
