import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RemoteRecord } from '../../main/api/fetch-records.ts';
import type { PartnerApi } from '../../main/api/partner-api.ts';
import { addressRule } from '../../main/files/upload/upload-url-check.ts';
import { type Replayed, replayPlan } from '../../main/sync/replay.ts';
import { createFileUploader, createUploadHosts } from '../../main/sync/uploader.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { printPlan, readPlan, type WrittenPlan, writtenPlan } from '../../shared/plan/plan-text.ts';
import { WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import type { Result } from '../../shared/result.ts';
import { addLogo, addVideo, autoDraft, sbaDraft, videoDraft } from './a-draft.ts';
import { apiOf, openAccount, type TestAccount } from './an-account.ts';
import { controlOf } from './control.ts';

/** A plan file played on a service that nobody has used, beside the sync of the same drafts. */
let real: RunningSandbox;
let fresh: RunningSandbox;
let account: TestAccount;

const EMPTY = { scenario: 'empty', clock: 'virtual', extensions: true } as const;

beforeEach(async () => {
  real = await startSandbox(EMPTY);
  fresh = await startSandbox(EMPTY);
  account = await openAccount({ sandbox: real, capabilities: WITH_EXTENSIONS });
});
afterEach(async () => {
  await account.close();
  await real.close();
  await fresh.close();
});

/** The plan as it comes back from its text. */
async function planOf(submit: boolean): Promise<WrittenPlan> {
  const { plan } = await account.sync.planned({ submit, campaignIds: null });
  const read = readPlan(printPlan(writtenPlan(plan)).trimEnd().split('\n'));
  if (!read.ok) throw new Error(`line ${read.error}`);
  return read.value;
}

async function replay(plan: WrittenPlan): Promise<readonly Replayed[]> {
  const api = apiOf(fresh);
  const hosts = createUploadHosts({ getMeta: async () => null, setMeta: async () => {} }, Date.now);
  const mediaFile = (row: { readonly values: { readonly sha256: string | null } }): string =>
    join(account.folder, 'media', row.values.sha256 ?? '');
  const rule = addressRule(fresh.ready.baseUrl, []);
  const uploader = createFileUploader(rule, hosts, mediaFile, {
    cut: new AbortController().signal,
    isLate: () => false,
  });
  const media = new Map((await account.workspace.readMedia()).map((row) => [row.id, row]));
  try {
    return await replayPlan(plan, { api, uploader, media, advance: controlOf(fresh).advance });
  } finally {
    api.close();
  }
}

const outcomes = (replayed: readonly Replayed[]) => ({
  accepted: replayed.reduce((sum, { accepted }) => sum + accepted, 0),
  refused: replayed.flatMap(({ refused }) => refused.map(({ kind, message }) => `${kind}: ${message}`)),
  notSent: replayed.flatMap(({ notSent }) => notSent ?? []),
});

function unwrap<T>(read: Result<T, unknown>): T {
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

/** All that a service holds, row by row with every value; ids and the name of an upload are of one service alone. */
async function stateOf(sandbox: RunningSandbox): Promise<readonly string[]> {
  const api: PartnerApi = apiOf(sandbox);
  const lines: string[] = [];
  const add = (campaign: string, records: readonly RemoteRecord[]): void => {
    for (const { kind, values } of records) {
      const shown = Object.entries(values).filter(([name]) => !/Id$|^video$|Url$/.test(name));
      lines.push(
        `${campaign} ${kind} ${JSON.stringify(Object.fromEntries(shown.toSorted(([a], [b]) => (a < b ? -1 : 1))))}`,
      );
    }
  };
  for (const campaign of unwrap(await api.campaigns())) {
    const name = String(campaign.values['name']);
    const type = campaign.values['campaignType'];
    add(name, [campaign]);
    add(name, unwrap(await api.adItems(campaign.remoteId)));
    if (type === 'sponsoredProducts') {
      add(name, unwrap(await api.multipliers('placementMultiplier', campaign.remoteId)));
      add(name, unwrap(await api.multipliers('platformMultiplier', campaign.remoteId)));
    }
    for (const group of unwrap(await api.adGroups(campaign.remoteId))) {
      add(name, [group]);
      add(name, unwrap(await api.keywords(campaign.remoteId, group.remoteId)));
      if (type === 'sba') add(name, unwrap(await api.sbaProfiles(group.remoteId)));
      if (type === 'video') {
        const profiles = unwrap(await api.videoProfiles(campaign.remoteId, group.remoteId));
        lines.push(`${name} videos ${profiles.length}`);
      }
      const reviews = unwrap(await api.reviews(group.remoteId));
      lines.push(`${name} reviews ${JSON.stringify(reviews.map(({ state }) => state))}`);
    }
  }
  const media = unwrap(await api.media(null)).map(({ name, state }) => `${name?.split(' ·')[0]} ${state}`);
  api.close();
  return [...lines, `media ${media.toSorted().join(', ')}`].toSorted();
}

test('after a replay the new service holds what the real one holds after the sync of the same drafts', async () => {
  await account.create(sbaDraft(await addLogo(account)));
  await account.create(autoDraft());
  await account.create(videoDraft(await addVideo(account)));
  // The plan of an account of another advertiser becomes one of the service it is played on.
  const plan = await planOf(true);
  const requests = plan.requests.map((request) => ({
    ...request,
    elements: request.elements.map((one) => ({
      ...one,
      body: one.body.replace('"advertiserId":900001', '"advertiserId":1234567'),
    })),
  }));
  expect(requests).not.toEqual(plan.requests);
  const replayed = await replay({ ...plan, requests });
  expect(outcomes(replayed)).toMatchObject({ refused: [], notSent: [] });

  // The real service works on the video for a while, and makes a proposal of a campaign a moment later.
  await account.run({ submit: true });
  await controlOf(real).advance('PT1H');
  await account.run({ submit: true });
  await controlOf(real).advance('PT1M');
  expect(await account.run({ submit: true })).toMatchObject({ refused: [], untouched: 0 });
  const state = await stateOf(real);
  expect(state.filter((line) => line.includes(' reviews ["'))).toHaveLength(2);
  expect(state.filter((line) => / (campaign|adGroup|sbaProfile|keyword) /.test(line)).length).toBeGreaterThan(9);
  // Both services have had the same time since the last row came.
  await controlOf(fresh).advance('PT1H');
  expect(await stateOf(fresh)).toEqual(state);
});

test('what the new service does not have is refused in its words, and the rest goes on', async () => {
  const ids = await account.create(autoDraft('There'));
  await account.run();
  await account.edit('adItem', ids[2] as never, { bid: 333 });
  await account.create(autoDraft('New'));
  const { accepted, refused, notSent } = outcomes(await replay(await planOf(false)));
  expect({ accepted, notSent }).toEqual({ accepted: 6, notSent: [] });
  expect(refused).toEqual([expect.stringMatching(/^adItem: ./)]);
});

test('a refused row takes what hangs from it along, and a picture that is gone is told', async () => {
  await account.create(sbaDraft(await addLogo(account)));
  const plan = await planOf(false);
  const withoutLogo = plan.requests.map((request) => ({
    ...request,
    elements: request.elements.map((element) => ({ ...element, file: null })),
  }));
  expect(outcomes(await replay({ ...plan, requests: withoutLogo })).notSent).toEqual([
    'its picture is no longer in the library',
  ]);
  const spoiled = plan.requests.map((request, at) =>
    at === 0
      ? { ...request, elements: request.elements.map((one) => ({ ...one, body: one.body.replace('"sba"', '"none"') })) }
      : request,
  );
  const { accepted, refused, notSent } = outcomes(await replay({ ...plan, requests: spoiled }));
  expect(accepted).toBe(0);
  expect(refused).toHaveLength(1);
  expect(notSent).toHaveLength(plan.requests.length - 1);
  expect(notSent[0]).toMatch(/^campaign\/\d+ is not on the service$/);
});
