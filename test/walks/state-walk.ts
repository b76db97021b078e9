import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../main/app/clock.ts';
import { startSandbox } from '../../sandbox/start.ts';
import { stateOfStatus } from '../../shared/lifecycle/campaign-state.ts';
import type { CampaignState } from '../../shared/lifecycle/states.ts';
import { partReview, type ServiceStatus } from '../../shared/lifecycle/states.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import { FIELDS, type Values } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { addDays, dateInZone } from '../../shared/model/plain-date.ts';
import type { Row } from '../../shared/model/row.ts';
import { asRowId, type PlainDate, type RowId, remoteId } from '../../shared/model/scalars.ts';
import { DOCUMENTED_ONLY } from '../../shared/plan/plan-types.ts';
import { addVideo, autoDraft, sbaDraft, videoDraft } from '../sync/a-draft.ts';
import { openAccount, type TestAccount } from '../sync/an-account.ts';
import { type Control, controlOf } from '../sync/control.ts';
import { type Chance, createChance } from './ground.ts';

/**
 * Lives of campaigns with documented calls only: drafted, sent, reviewed, rejected, mended, resubmitted, live, changed
 * while live, over. After each step of virtual time the state that the workspace shows is held against the word that the
 * table gives for the status in the service's own file, which no documented call shows.
 */
interface StateWalk {
  readonly compared: number;
  readonly equal: number;
  /** How often each difference came that the rule itself explains. */
  readonly explained: ReadonlyMap<string, number>;
  /** The others, each with its campaign and moment. */
  readonly unexplained: readonly string[];
  /** How often each state was met on the service. */
  readonly met: ReadonlyMap<CampaignState, number>;
  readonly seconds: number;
}

const ZONE = 'America/Los_Angeles';
const START = Date.parse('2030-01-07T18:00:00Z');
const HOUR_MS = 3_600_000;

interface Life {
  readonly name: string;
  readonly campaignId: RowId;
  /** Whether somebody lets its rejections lie. */
  readonly isLeft: boolean;
}

/** @param steps of time for each wave of lives; so many campaigns live at once */
export async function walkStates(seed: number, waves: number, at = { once: 6, steps: 26 }): Promise<StateWalk> {
  const chance = createChance(seed);
  const folder = await mkdtemp(join(tmpdir(), 'adslate-states-'));
  const began = performance.now();
  const explained = new Map<string, number>();
  const met = new Map<CampaignState, number>();
  const unexplained: string[] = [];
  let compared = 0;
  let equal = 0;
  try {
    for (let wave = 0; wave < waves; wave++) {
      const ground = await openGround(join(folder, `${wave}`), seed + wave);
      try {
        const lives = await draft(ground, chance, at.once);
        for (let step = 0; step < at.steps; step++) {
          await act(ground, chance, lives);
          await ground.pass(chance.oneOf([1, 6, 12, 24, 24, 30]));
          const { account } = ground;
          const polled = await account.sync.reviews.poll();
          if (!polled.ok) throw new Error(JSON.stringify(polled.error));
          await account.workspace.rowsWithErrors();
          const truth = truths(ground.database);
          for (const tree of await account.workspace.readTrees(lives.map(({ campaignId }) => campaignId))) {
            const name = tree.campaign.values.name ?? '';
            const there = truth.get(name);
            // A life is over a day after its last: what was never live then is called ended by the rule alone.
            if (there === undefined || addDays(there.end as PlainDate, 1) < ground.today()) continue;
            compared++;
            met.set(there.state, (met.get(there.state) ?? 0) + 1);
            const { campaignState: shown, stateSource } = tree.campaign.values;
            if (stateSource !== 'estimated') unexplained.push(`${name} is ${stateSource} without a read of its status`);
            if (shown === there.state) {
              equal++;
              continue;
            }
            const why = explain(shown, there, ground.today());
            if (why === null)
              unexplained.push(
                `wave ${wave}, step ${step}, ${name}: ${shown}, but ${there.state} (${there.status}); ${told(tree)}`,
              );
            else explained.set(why, (explained.get(why) ?? 0) + 1);
          }
        }
      } finally {
        await ground.close();
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { compared, equal, explained, unexplained, met, seconds: (performance.now() - began) / 1000 };
}

/** The one difference that the rule makes by itself. */
function explain(shown: CampaignState | null, truth: Truth, today: PlainDate): string | null {
  const isPast = shown === 'ended' && truth.end < today;
  return isPast ? 'past its last day without having been live: an estimate says ended' : null;
}

const told = ({ adGroups, adItems, keywords, sbaProfiles, videoProfiles }: CampaignTree): string =>
  JSON.stringify({
    review: adGroups.map(({ values }) => `${values.reviewId} ${values.reviewStatus}`),
    profiles: [...sbaProfiles, ...videoProfiles].map(({ values }) => values.reviewStatus),
    items: adItems.map(({ values }) => values.reviewStatus),
    keywords: keywords.map(({ values }) => values.reviewStatus),
  });

interface Ground {
  readonly account: TestAccount;
  readonly control: Control;
  readonly database: DatabaseSync;
  today(): PlainDate;
  pass(hours: number): Promise<void>;
  close(): Promise<void>;
}

async function openGround(folder: string, seed: number): Promise<Ground> {
  const now = new Date(START).toISOString();
  const dataDir = join(folder, 'service');
  // The extensions are off: what is not documented is not there.
  const sandbox = await startSandbox({
    scenario: 'empty',
    clock: 'virtual',
    now,
    extensions: false,
    seed,
    dataDir,
    operationsPerHour: null,
  });
  let nowMs = START;
  const clock: Clock = { nowMs: () => nowMs, monotonicMs: () => performance.now(), sleep: async () => undefined };
  const account = await openAccount({
    sandbox,
    folder: join(folder, 'account'),
    capabilities: DOCUMENTED_ONLY,
    clock,
  });
  const control = controlOf(sandbox);
  const database = new DatabaseSync(join(dataDir, 'sandbox.db'), { readOnly: true });
  return {
    account,
    control,
    database,
    today: () => dateInZone(nowMs, ZONE),
    pass: async (hours) => {
      nowMs += hours * HOUR_MS;
      await control.advance(`PT${hours}H`);
    },
    close: async () => {
      database.close();
      await account.close();
      await sandbox.close();
    },
  };
}

async function draft({ account, today }: Ground, chance: Chance, count: number): Promise<readonly Life[]> {
  const lives: Life[] = [];
  const video = await addVideo(account);
  for (let at = 0; at < count; at++) {
    const kind = chance.oneOf(['sba', 'sba', 'video', 'auto'] as const);
    const name = `${kind} ${at}`;
    const rows = kind === 'sba' ? sbaDraft(null, name) : kind === 'video' ? videoDraft(video, name) : autoDraft(name);
    const startDate = addDays(today(), chance.whole(0, 8));
    const endDate = chance.next() < 0.5 ? null : addDays(startDate, chance.whole(8, 30));
    const made = await account.create(
      rows.map((row) => (row.kind === 'campaign' ? { ...row, values: { ...row.values, startDate, endDate } } : row)),
    );
    const [campaignId] = made;
    if (campaignId !== undefined) lives.push({ name, campaignId, isLeft: chance.next() < 0.15 });
  }
  return lives;
}

/** What partner and reviewers do between two steps of time; most days nobody does anything. */
async function act(ground: Ground, chance: Chance, lives: readonly Life[]): Promise<void> {
  const { account, control } = ground;
  for (const tree of await account.workspace.readTrees(lives.map(({ campaignId }) => campaignId))) {
    await edit(
      account,
      chance,
      tree,
      lives.find(({ campaignId }) => campaignId === tree.campaign.id),
    );
  }
  await account.run({ submit: true });
  const open = ground.database.prepare("SELECT review_id FROM review WHERE status IN ('pending', 'in-progress')").all();
  for (const row of open) {
    const id = String(row['review_id']);
    const fate = chance.next();
    if (fate < 0.15) await control.decideAll(id, 'approved');
    else if (fate < 0.18) await control.decideAll(id, 'rejected');
    else if (fate < 0.21) await rejectOne(ground, chance, id);
  }
}

/** One part is rejected; the rest of the review is left to the clock. */
async function rejectOne({ control, database }: Ground, chance: Chance, reviewId: string): Promise<void> {
  const parts = database
    .prepare("SELECT * FROM review_component WHERE review_id = ? AND status = 'pending'")
    .all(Number(reviewId));
  const part = parts[chance.whole(0, parts.length - 1)];
  if (part === undefined) return;
  await control.decide(reviewId, [
    { type: part['type'], id: part['component_id'], status: 'rejected', reason: 'By chance' },
  ]);
}

async function edit(account: TestAccount, chance: Chance, tree: CampaignTree, life: Life | undefined): Promise<void> {
  const { campaign, adGroups, adItems, sbaProfiles, keywords } = tree;
  const isOpen = adGroups.some(
    ({ values }) => values.reviewStatus === 'pending' || values.reviewStatus === 'in-progress',
  );
  const [item] = adItems;
  const [group] = adGroups;
  if (chance.next() < 0.2 && item !== undefined) await account.edit('adItem', item.id, { bid: chance.whole(160, 300) });
  if (campaign.values.campaignType === 'sponsoredProducts' || group === undefined) return;
  if (isOpen) {
    if (chance.next() < 0.04) {
      const asked = await account.sync.reviews.cancel([campaign.id]);
      if (asked.ok) await account.sync.idle();
    }
    return;
  }
  const rejected = sbaProfiles.find(({ values }) => values.reviewStatus === 'rejected');
  if (rejected !== undefined && life?.isLeft === false) {
    await account.edit('sbaProfile', rejected.id, { headline: `Rolls for day ${chance.whole(1, 9999)}` });
  }
  // More keywords, while live as well, which have to be reviewed.
  if (campaign.remoteId !== null && keywords.length < 8 && chance.next() < 0.1) {
    const values = { text: `roll ${chance.whole(1, 9999)}`, matchType: 'exact', bid: 185, state: 'enabled' };
    await account.create([{ kind: 'keyword', parent: { id: group.id }, values }]);
  }
}

/** What the service itself has of a campaign: its status, and the word that the table of states gives for it. */
interface Truth {
  readonly status: ServiceStatus;
  readonly state: CampaignState;
  readonly end: string;
}

type Cells = Readonly<Record<string, unknown>>;

/** Reads the campaigns of the service from its own file, by name. */
export function truths(database: DatabaseSync): ReadonlyMap<string, Truth> {
  const all = (sql: string, id: number): readonly Cells[] => database.prepare(sql).all(id);
  const campaigns: readonly Cells[] = database.prepare('SELECT * FROM campaign').all();
  return new Map(
    campaigns.map((row) => {
      const id = Number(row['campaign_id']);
      const status = String(row['status']) as ServiceStatus;
      const tree = treeOf(row, (table) => all(`SELECT * FROM ${table} WHERE campaign_id = ?`, id));
      return [String(row['name']), { status, state: stateOfStatus(status, tree), end: String(row['end_date']) }];
    }),
  );
}

function treeOf(campaign: Cells, rowsOf: (table: string) => readonly Cells[]): CampaignTree {
  const reviews = rowsOf('review').toSorted((a, b) => Number(b['review_id']) - Number(a['review_id']));
  const [newest] = reviews;
  return {
    campaign: rowOf('campaign', 1, {
      campaignType: campaign['campaign_type'] as Values<'campaign'>['campaignType'],
      targetingType: campaign['targeting_type'] as Values<'campaign'>['targetingType'],
      startDate: campaign['start_date'] as PlainDate,
      endDate: campaign['end_date'] as PlainDate,
    }),
    adGroups: rowsOf('ad_group').map((_, at) =>
      rowOf('adGroup', 10 + at, {
        reviewStatus: (newest?.['status'] ?? null) as Values<'adGroup'>['reviewStatus'],
        reviewId: newest === undefined ? null : String(newest['review_id']),
      }),
    ),
    adItems: rowsOf('ad_item').map((row, at) => rowOf('adItem', 20 + at, partOf(row, 'status', 'review_status'))),
    keywords: rowsOf('keyword').map((row, at) => {
      const { status, reviewStatus } = partOf(row, 'state', 'status');
      return rowOf('keyword', 40 + at, { state: status, reviewStatus } as Partial<Values<'keyword'>>);
    }),
    sbaProfiles: rowsOf('sba_profile').map((row, at) =>
      rowOf('sbaProfile', 60 + at, partOf(row, 'status', 'review_status')),
    ),
    videoProfiles: rowsOf('ad_group_media').map((row, at) =>
      rowOf('videoProfile', 80 + at, partOf(row, 'status', 'review_status')),
    ),
    placementMultipliers: [],
    platformMultipliers: [],
    media: [],
  };
}

const partOf = (row: Cells, on: string, review: string) => ({
  status: String(row[on]) as 'enabled' | 'disabled',
  reviewStatus: partReview(String(row[review]), (row['review_reason'] ?? null) as string | null),
});

function rowOf<K extends Kind>(kind: K, id: number, values: Partial<Values<K>>): Row<K> {
  const blank = Object.fromEntries(Object.keys(FIELDS[kind]).map((field) => [field, null])) as Values<K>;
  const full = { ...blank, ...values };
  const rowId = asRowId(id);
  return {
    kind,
    id: rowId,
    campaignId: asRowId(1),
    adGroupId: null,
    remoteId: remoteId('1'),
    values: full,
    base: null,
    dirty: 0,
  };
}
