import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import type { SyncReport } from '../../../../shared/api/sync.ts';
import { statusName } from '../../../../shared/lifecycle/states.ts';
import type { CampaignTree } from '../../../../shared/model/campaign-tree.ts';
import { addDays, dateInZone } from '../../../../shared/model/plain-date.ts';
import { createCredentialStore } from '../../../accounts/credential-store.ts';
import { createFilePreferences } from '../../../accounts/file-preferences.ts';
import { systemClock } from '../../../app/clock.ts';
import { type Core, createCore } from '../../../core/core.ts';
import type { PracticeRequest } from '../../../practice/practice-service.ts';
import type { Client } from '../command.ts';
import { readIssues } from '../commands/check.ts';
import { counted } from '../output.ts';

const MEDIA = [
  'kitchen-roll-spot.mp4',
  'kitchen-roll-spot.vtt',
  'garden-hose-spot.mp4',
  'garden-hose-spot.srt',
  'northwind-logo.png',
] as const;
/** Reviews take up to three days; the flight begins after them. */
const START_IN_DAYS = 5;

interface DemoOptions {
  readonly dataDir: string;
  readonly examples: string;
  readonly say: (line: string) => void;
}

/** The main job, from a spreadsheet to live campaigns. Throws `DemoFailed` when a step fails. */
export async function runDemo({ dataDir, examples, say }: DemoOptions): Promise<void> {
  const core = await createCore({
    dataDir,
    host: 'cli',
    clock: systemClock,
    preferences: createFilePreferences(dataDir),
    // Without a keychain, credentials are in memory and end with the demo.
    secrets: createCredentialStore({ dataDir, clock: systemClock, keychain: async () => null }),
  });
  const step = numberedSteps(say);
  try {
    const walk = await step(
      'Add a practice account',
      () => startWalk(core),
      () => 'the simulated service is running',
    );
    await draft(walk, examples, step);
    await send(walk, step);
    await goLive(walk, step);
    await prove(walk, say);
  } finally {
    await core.close();
  }
}

export type Step = <T>(title: string, work: () => Promise<T>, tell: (answer: T) => string) => Promise<T>;

/** Runs steps one at a time and prints each with its number, result and time. */
export function numberedSteps(say: (line: string) => void): Step {
  let steps = 0;
  return async (title, work, tell) => {
    const startedMs = systemClock.monotonicMs();
    const answer = await work();
    steps += 1;
    const tookMs = Math.round(systemClock.monotonicMs() - startedMs);
    say(`${String(steps).padStart(2)}. ${title.padEnd(34)} ${tell(answer)}  [${tookMs} ms]`);
    return answer;
  };
}

async function draft(walk: Walk, examples: string, step: Step): Promise<void> {
  const { client, workspaceId } = walk;
  await step(
    'Add videos, captions and a logo',
    async () => {
      const grants = await Promise.all(MEDIA.map((name) => walk.grant(join(examples, 'media', name))));
      const { files } = await client.media.add({ workspaceId, grants });
      const refused = files.find((file) => file.outcome === 'refused');
      if (refused !== undefined) throw new DemoFailed(`${refused.fileName} was not accepted (${refused.reason})`);
      return files.length;
    },
    (count) => `${counted(count, 'file')} added`,
  );
  await step(
    'Import the spreadsheet',
    async () => {
      const grant = await walk.grant(join(examples, 'campaigns.csv'));
      const preview = await client.exchange.preview({ workspaceId, grant });
      const [error] = preview.errors;
      if (error !== undefined) throw new DemoFailed(`line ${error.line}, ${error.column}: ${error.message}`);
      return client.exchange.apply({ workspaceId, previewId: preview.previewId });
    },
    ({ added }) => `${counted(added, 'row')} added`,
  );
  await step(
    'Change the start dates',
    () => startIn(walk, START_IN_DAYS),
    (date) => `all campaigns start on ${date}`,
  );
  await step(
    'Check for issues',
    async () => {
      const { counts, issues } = await readIssues(client, workspaceId);
      const error = issues.find(({ severity }) => severity === 'error');
      if (error !== undefined) throw new DemoFailed(`${error.campaignName}: ${error.message}`);
      return counts;
    },
    (counts) =>
      `${counted(counts.error, 'error')}, ${counted(counts.warning, 'warning')}, ${counted(counts.advice, 'suggestion')}`,
  );
}

async function send(walk: Walk, step: Step): Promise<void> {
  const { client, workspaceId } = walk;
  await step(
    'Plan the sync',
    () => client.sync.plan({ workspaceId, submit: true }),
    (plan) =>
      `${counted(plan.requests, 'request')}, ${counted(plan.elements, 'change')}, ${counted(plan.uploads.length, 'upload')}`,
  );
  await step('Sync', () => syncOnce(walk), reportText);
  await step(
    'Move the clock 31 minutes ahead',
    () => moveClock(walk, 'PT31M'),
    () => 'the videos are processed',
  );
  await step('Sync the rest, submit for review', () => syncOnce(walk), reportText);
}

async function goLive(walk: Walk, step: Step): Promise<void> {
  const { client, workspaceId } = walk;
  await step(
    'Move the clock 1 day ahead',
    () => moveClock(walk, 'P1D'),
    () => 'the reviews are in progress',
  );
  await step(
    'Decide the reviews',
    () => decideAll(walk),
    (count) => `${counted(count, 'review')} approved`,
  );
  await step(
    'Check review status',
    () => client.review.poll({ workspaceId }),
    (reviews) =>
      `${counted(reviews.length, 'review')}, ${counted(reviews.flatMap(({ components }) => components).length, 'component')}`,
  );
  await step(
    'Move the clock to the start date',
    () => moveClock(walk, `P${START_IN_DAYS}D`),
    (now) => `the clock shows ${now}`,
  );
  await step(
    'Refresh',
    async () => {
      await client.sync.refresh({ workspaceId });
      const trees = await walk.account.workspace.readTrees('all');
      const waiting = trees.filter(({ campaign }) => campaign.values.campaignState !== 'live');
      const [first] = waiting;
      if (first !== undefined) {
        const { name, campaignState } = first.campaign.values;
        throw new DemoFailed(`"${name}" is not live, but ${statusName(campaignState ?? 'draft')}`);
      }
      return trees.length;
    },
    (count) => `${counted(count, 'campaign')} live`,
  );
}

/** Every row has to be on the service once, and no request that wrote may have failed. */
async function prove({ account, control }: Walk, say: DemoOptions['say']): Promise<void> {
  const trees = await account.workspace.readTrees('all');
  const requests = await control.requests(0);
  const details = await control.details();
  if (!requests.ok || !details.ok) throw new DemoFailed('the simulated service does not return its request log');
  for (const { thing, table, rowsOf } of CREATED) {
    const expected = trees.reduce((sum, tree) => sum + rowsOf(tree), 0);
    const there = details.value.counts[table] ?? 0;
    say(`    ${thing.padEnd(16)} ${String(expected).padStart(4)} expected ${String(there).padStart(4)} on the service`);
    if (there !== expected) throw new DemoFailed(`${thing}: ${expected} expected, ${there} on the service`);
  }
  const writes = requests.value.filter(isWrite);
  const failed = writes.filter(({ status, elementCodes }) => status >= 400 || elementCodes.includes('failure'));
  if (failed.length > 0) throw new DemoFailed(`${counted(failed.length, 'write request')} failed`);
  say(`    ${counted(writes.length, 'write request')}. Nothing was sent twice, and every campaign is live.`);
}

/** Row types that a campaign creates, with the name of their table in the counts of the service. */
const CREATED: readonly {
  readonly thing: string;
  readonly table: string;
  readonly rowsOf: (tree: CampaignTree) => number;
}[] = [
  { thing: 'campaigns', table: 'campaign', rowsOf: () => 1 },
  { thing: 'ad groups', table: 'adGroup', rowsOf: ({ adGroups }) => adGroups.length },
  { thing: 'ad items', table: 'adItem', rowsOf: ({ adItems }) => adItems.length },
  { thing: 'keywords', table: 'keyword', rowsOf: ({ keywords }) => keywords.length },
  { thing: 'SBA profiles', table: 'sbaProfile', rowsOf: ({ sbaProfiles }) => sbaProfiles.length },
  { thing: 'video profiles', table: 'adGroupMedia', rowsOf: ({ videoProfiles }) => videoProfiles.length },
  {
    thing: 'reviews',
    table: 'review',
    rowsOf: ({ campaign, adGroups }) => (campaign.values.campaignType === 'sponsoredProducts' ? 0 : adGroups.length),
  },
];

/** Item search and reports are reads with the method POST. */
const isWrite = ({ method, path }: PracticeRequest): boolean =>
  path.startsWith('/api/') && method !== 'GET' && !/\/(itemSearch|snapshot\/)/i.test(path);

/** Shared state of the demo's steps, and helpers that do one thing and check that it worked. */
type Walk = Awaited<ReturnType<typeof startWalk>>;

/** A step failed; the demo ends with exit code 1. */
export class DemoFailed extends Error {}

async function startWalk(core: Core) {
  const client: Client = createRouterClient(core.router);
  const { workspaceId } = await client.accounts.addPractice({ name: 'Demo' });
  const account = await core.open.get(workspaceId);
  if (!account.ok) throw new DemoFailed("the account couldn't be opened");
  const control = await account.value.practice?.control();
  if (control?.ok !== true) throw new DemoFailed("the simulated service couldn't start");
  return {
    client,
    workspaceId,
    account: account.value,
    control: control.value,
    grant: async (path: string): Promise<string> => {
      const file = await core.grants.grantPath(path);
      if (!file.ok) throw new DemoFailed(`can't read ${path}`);
      return file.value.grant;
    },
  };
}

/** Sends all changes, waits for the end, and fails if anything failed or is unconfirmed. */
async function syncOnce({ account }: Walk): Promise<SyncReport> {
  const sync = await account.sync();
  const started = await sync.run({ submit: true, campaignIds: null });
  if (!started.ok) throw new DemoFailed(`the sync couldn't start (${started.error.code})`);
  const report = await sync.idle();
  if (report === null) throw new DemoFailed('the sync returned no report');
  if (report.stoppedBy !== null) throw new DemoFailed(`the sync stopped: ${report.stoppedBy.detail}`);
  const [refused] = report.refused;
  if (refused !== undefined) throw new DemoFailed(`"${refused.label}" was not accepted: "${refused.message}"`);
  if (report.inDoubt + report.questions > 0) throw new DemoFailed('a request is unconfirmed, although nothing failed');
  return report;
}

const reportText = (report: SyncReport): string =>
  `${counted(report.done, 'change')} sent, ${counted(report.uploads, 'upload')}, ${counted(report.reviews, 'review')} submitted, ${counted(report.requests, 'request')}`;

/** Advances the practice clock; events due until then happen in order. */
async function moveClock({ control }: Walk, duration: string): Promise<string> {
  const state = await control.advance(duration);
  if (!state.ok) throw new DemoFailed(`the practice clock couldn't be moved: ${state.error.data.detail}`);
  return state.value.now;
}

/** All campaigns start this many days from the practice service's today, as one edit. */
async function startIn(walk: Walk, days: number): Promise<string> {
  const state = await walk.control.state();
  if (!state.ok) throw new DemoFailed('the simulated service does not respond');
  const today = dateInZone(Date.parse(state.value.now), walk.account.profile.business.zone);
  const start = addDays(today, days);
  const trees = await walk.account.workspace.readTrees('all');
  await walk.client.workspace.edit({
    workspaceId: walk.workspaceId,
    label: 'Change start dates',
    changes: trees.flatMap(({ campaign }) => [
      { kind: 'campaign', id: campaign.id, field: 'startDate', value: start },
      { kind: 'campaign', id: campaign.id, field: 'endDate', value: addDays(start, 60) },
    ]),
  });
  return start;
}

async function decideAll({ control }: Walk): Promise<number> {
  const state = await control.state();
  if (!state.ok) throw new DemoFailed('the simulated service does not respond');
  for (const { reviewId } of state.value.openReviews) {
    const decided = await control.decide(reviewId, 'approved');
    if (!decided.ok) throw new DemoFailed(`review ${reviewId} couldn't be decided: ${decided.error.data.detail}`);
  }
  return state.value.openReviews.length;
}
