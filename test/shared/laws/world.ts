import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { probeFile } from '../../../main/files/probe/probe-file.ts';
import { type RunningSandbox, startSandbox } from '../../../sandbox/start.ts';
import { DeploymentSettings } from '../../../shared/deployment/deployment-settings.ts';
import type { MediaFacts } from '../../../shared/model/media.ts';
import { dateInZone } from '../../../shared/model/plain-date.ts';
import type { PlainDate } from '../../../shared/model/scalars.ts';
import { type Client, createClient } from '../../conformance/client.ts';
import { aFilm, aPng } from '../../media/builders.ts';

/** The service with campaigns of every type in every state they can be in, built through the API alone. */
export interface World extends Service {
  /** Two videos that can be attached. */
  readonly media: readonly number[];
}

type CampaignType = 'sponsoredProducts' | 'sba' | 'video';
type State = 'enabled' | 'proposal' | 'scheduled' | 'live' | 'paused' | 'completed' | 'rescheduled';

/** One campaign with one row of every kind that its type takes, by the service's ids. */
export interface Cell {
  readonly type: CampaignType;
  readonly wanted: State;
  readonly underReview: boolean;
  readonly campaignId: number;
  readonly adGroupId: number;
  readonly adItemId: number;
  readonly itemId: string;
  readonly keywordId: number;
  readonly profileId: number | null;
}

export async function openWorld(): Promise<World> {
  const service = await openService();
  const { owner, advertiserId } = service;
  const media = (await owner.get(`/api/v1/media?advertiserId=${advertiserId}`)).body as { mediaId: number }[];
  return { ...service, media: media.map((one) => one.mediaId).slice(-2) };
}

const STATES: Readonly<Record<CampaignType, readonly State[]>> = {
  sponsoredProducts: ['enabled', 'scheduled', 'live', 'paused', 'completed', 'rescheduled'],
  sba: ['enabled', 'proposal', 'scheduled', 'live', 'paused', 'completed', 'rescheduled'],
  video: ['enabled', 'proposal', 'scheduled', 'live', 'paused', 'completed', 'rescheduled'],
};
const REVIEWABLE: ReadonlySet<State> = new Set(['proposal', 'scheduled', 'live', 'paused', 'rescheduled']);
const BEEN_LIVE: ReadonlySet<State> = new Set(['live', 'paused', 'completed', 'rescheduled']);

/** Builds one campaign per type, state and review. What needs the clock comes first, so that the rest stays put. */
export async function buildCells(world: World): Promise<readonly Cell[]> {
  const { owner, advance } = world;
  const wishes = (['sponsoredProducts', 'sba', 'video'] as const).flatMap((type) =>
    STATES[type].flatMap((wanted) =>
      (type !== 'sponsoredProducts' && REVIEWABLE.has(wanted) ? [false, true] : [false]).map((underReview) => ({
        type,
        wanted,
        underReview,
      })),
    ),
  );
  const cells: Cell[] = [];
  for (const wish of wishes.filter((one) => one.wanted !== 'enabled')) cells.push(await buildCell(world, wish));
  await advance('PT2M');
  for (const cell of cells) {
    if (cell.type !== 'sponsoredProducts' && cell.wanted !== 'proposal') await approve(world, cell);
  }
  await advance('PT2M');
  const change = async ({ campaignId }: Cell, fields: object) =>
    done((await owner.put('/api/v1/campaigns', [{ campaignId, ...fields }])).body, 'campaignId');
  for (const cell of cells) {
    if (cell.wanted === 'paused') await change(cell, { status: 'paused' });
    if (cell.wanted === 'completed' || cell.wanted === 'rescheduled') await change(cell, { status: 'completed' });
    if (cell.wanted === 'rescheduled') await change(cell, { status: 'extend', endDate: '2026-12-31' });
  }
  for (const wish of wishes.filter((one) => one.wanted === 'enabled')) cells.push(await buildCell(world, wish));
  for (const cell of cells) if (cell.underReview) await submit(world, cell);
  return cells;
}

let names = 0;

async function buildCell(world: World, wish: Pick<Cell, 'type' | 'wanted' | 'underReview'>): Promise<Cell> {
  const { owner, advertiserId, items, media } = world;
  const campaign = {
    advertiserId,
    name: `State ${++names}`,
    campaignType: wish.type,
    targetingType: 'manual',
    budget: 1500,
    dailyBudget: 75,
    startDate: BEEN_LIVE.has(wish.wanted) ? '2026-05-05' : '2026-08-01',
    endDate: '2026-12-31',
    status: 'enabled',
  };
  const campaignId = done((await owner.post('/api/v1/campaigns', [campaign])).body, 'campaignId');
  const group = { campaignId, name: 'Group', status: 'enabled' };
  const adGroupId = done((await owner.post('/api/v1/adGroups', [group])).body, 'adGroupId');
  const ids = { campaignId, adGroupId };
  const itemId = items[0] ?? '';
  const item = { ...ids, itemId, bid: 1.6, status: 'enabled' };
  const adItemId = done((await owner.post('/api/v1/adItems', [item])).body, 'adItemId');
  const keyword = { ...ids, keywordText: 'paper towel', matchType: 'exact', bid: 1.65, state: 'enabled' };
  const keywordId = done((await owner.post('/api/v1/keywords', [keyword])).body, 'keywordId');
  const [mediaId] = media;
  const sba = { ...ids, searchAmpName: 'Softly', headlineText: 'Soft', clickUrl: 'https://shop.example/browse/a' };
  const profileId =
    wish.type === 'sba'
      ? done((await owner.post('/api/v2/sba_profile', [sba])).body, 'sbaProfileId')
      : wish.type === 'video'
        ? done((await owner.post('/api/v1/adGroup/media', [{ ...ids, advertiserId, mediaId }])).body, 'adGroupMediaId')
        : null;
  if (wish.type === 'sponsoredProducts') {
    const multipliers = [{ campaignId, placementType: 'Search Ingrid', multiplier: 10 }];
    await owner.post('/api/v1/multipliers/placement', multipliers);
    await owner.post('/api/v1/multipliers/platform', [{ campaignId, platformType: 'Mobile', multiplier: 10 }]);
  }
  return { ...wish, ...ids, adItemId, itemId, keywordId, profileId };
}

const submit = async ({ owner }: World, { campaignId, adGroupId }: Cell): Promise<number> =>
  done((await owner.post('/api/v1/review', [{ campaignId, adGroupId }])).body, 'reviewId');

async function approve(world: World, cell: Cell): Promise<void> {
  await world.control(`/reviews/${await submit(world, cell)}/decide`, { all: 'approved' });
}

function done(body: unknown, id: string): number {
  const [first] = Array.isArray(body) ? (body as Readonly<Record<string, unknown>>[]) : [];
  const value = first?.[id];
  if (first?.['code'] !== 'success' || typeof value !== 'number') throw new Error(`refused: ${JSON.stringify(body)}`);
  return value;
}

/** Small real files, measured by the program's own probe; each the smallest of its sort. */
export interface TestFile {
  readonly name: string;
  readonly type: 'video' | 'caption' | 'logo';
  readonly contentType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly facts: MediaFacts;
}

const VTT = 'WEBVTT\n\n00:00:01.000 --> 00:00:03.000\nSoft rolls\n';
const SRT = '1\n00:00:01,000 --> 00:00:03,000\nSoft rolls\n';

const CONTENT: readonly (readonly [name: string, type: TestFile['type'], contentType: string, bytes: Buffer])[] = [
  ['five-seconds.mp4', 'video', 'video/mp4', aFilm({ durationMs: 5000 })],
  ['twenty-seconds.mp4', 'video', 'video/mp4', aFilm({ durationMs: 20_000 })],
  ['forty-five-seconds.mov', 'video', 'video/quicktime', aFilm({ durationMs: 45_000, brand: 'qt  ' })],
  ['too-short.mp4', 'video', 'video/mp4', aFilm({ durationMs: 4999 })],
  ['too-long.mp4', 'video', 'video/mp4', aFilm({ durationMs: 45_001 })],
  ['words.vtt', 'caption', 'text/vtt', Buffer.from(VTT)],
  ['words.srt', 'caption', 'application/x-subrip', Buffer.from(SRT)],
  ['logo.png', 'logo', 'image/png', aPng(100, 100)],
  ['heavy.png', 'logo', 'image/png', aPng(100, 100, 199 * 1024)],
  ['too-wide.png', 'logo', 'image/png', aPng(101, 100)],
  ['over-200-kb.png', 'logo', 'image/png', aPng(100, 100, 200 * 1024)],
  ['over-1024-kb.png', 'logo', 'image/png', aPng(100, 100, 1024 * 1024)],
];

/** All of them by name. Throws when the probe refuses one: then a builder is at fault, not a rule. */
export function testFiles(): ReadonlyMap<string, TestFile> {
  const folder = mkdtempSync(join(tmpdir(), 'adslate-files-'));
  try {
    return new Map(
      CONTENT.map(([name, type, contentType, bytes]) => {
        const path = join(folder, name);
        writeFileSync(path, bytes);
        const facts = probeFile(path);
        if (!facts.ok) throw new Error(`${name}: ${JSON.stringify(facts.error)}`);
        return [name, { name, type, contentType, bytes: new Uint8Array(bytes), facts: facts.value }];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The simulated service, which was written from the document and shares no code with the plan, and its one client. */
export interface Service {
  readonly owner: Client;
  readonly advertiserId: number;
  /** Ids of the catalogue that can be advertised. */
  readonly items: readonly string[];
  readonly files: ReadonlyMap<string, TestFile>;
  /** A call of the control interface, such as another person's edit. */
  control(path: string, body: object): Promise<unknown>;
  advance(duration: string): Promise<void>;
  /** The date on the service's calendar so many minutes from now; its clock stands still between calls of `advance`. */
  dateIn(minutes: number): PlainDate;
  close(): Promise<void>;
}

const ADVERTISER = 900001;

export async function openService(): Promise<Service> {
  const sandbox: RunningSandbox = await startSandbox({
    credentials: 'owners',
    scenario: 'conformance',
    now: '2026-05-05T12:00:00-07:00',
    clock: 'virtual',
    extensions: true,
    operationsPerHour: null,
  });
  const { baseUrl, controlUrl, accounts } = sandbox.ready;
  const account = accounts.find((one) => one.role === 'owner' && one.advertiserId === ADVERTISER);
  if (account === undefined) throw new Error('the scenario has no owner');
  const state = (await (await fetch(`${controlUrl}/state`)).json()) as {
    readonly now: string;
    readonly catalogue: { readonly available: readonly string[] };
  };
  let nowMs = Date.parse(state.now);
  const control = async (path: string, body: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(controlUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  return {
    owner: createClient(baseUrl, account),
    advertiserId: ADVERTISER,
    items: state.catalogue.available,
    files: testFiles(),
    control,
    advance: async (duration) => {
      const moved = (await control('/clock', { advance: duration })) as { readonly now: string };
      nowMs = Date.parse(moved.now);
    },
    dateIn: (minutes) => dateInZone(nowMs + minutes * 60_000, 'America/Los_Angeles'),
    close: () => sandbox.close(),
  };
}

export const profileFor = (dialect: 'seed' | 'family'): DeploymentSettings =>
  DeploymentSettings.parse({ wire: { dialect }, retail: { host: 'shop.example' } });
