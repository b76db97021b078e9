import { join } from 'node:path';
import type { ActiveAccount } from '../../main/core/active-accounts.ts';
import type { SyncReport } from '../../shared/api/sync.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { addDays } from '../../shared/model/plain-date.ts';
import type { RowId, WorkspaceId } from '../../shared/model/scalars.ts';
import { addVideo, videoDraft } from '../sync/a-draft.ts';
import { openAccount } from '../sync/an-account.ts';
import { truths } from '../walks/state-walk.ts';
import type { Deployment } from './deployments.ts';
import { connect, type Ground, openGround } from './ground.ts';

/** What the account shows, held against the service's own file. */
const COLLEAGUES = 'Of a colleague';

/** Where the service lists campaigns, a refresh brings the colleague's as well. */
const ours = (trees: readonly CampaignTree[]): readonly CampaignTree[] =>
  trees.filter(({ campaign }) => campaign.values.name !== COLLEAGUES);

function requireVideo({ database }: Ground, mediaId: string): void {
  const sql = 'SELECT count(*) AS shown FROM ad_group_media WHERE media_id = ?';
  if (database.prepare(sql).get(Number(mediaId))?.['shown'] !== 2)
    throw new Error(`video ${mediaId} is not shown by both`);
}

async function compareStates(
  { database }: Ground,
  { workspace }: ActiveAccount,
  step: string,
  seen: { compared: number; readonly differences: string[] },
): Promise<void> {
  await workspace.rowsWithErrors();
  const there = truths(database);
  for (const { campaign } of ours(await workspace.readTrees('all'))) {
    const { name, campaignState, stateSource } = campaign.values;
    const truth = there.get(name ?? '');
    seen.compared += 1;
    if (campaignState === truth?.state) continue;
    seen.differences.push(
      `${step}: ${name} is ${campaignState} (${stateSource}) here, ${truth?.state} (${truth?.status}) there`,
    );
  }
}

/** The bids of items are as the service has them, in cents. */
function requireSameBids({ database }: Ground, trees: readonly CampaignTree[]): void {
  const there = database
    .prepare('SELECT i.bid FROM ad_item i JOIN campaign c USING (campaign_id) WHERE c.name <> ? ORDER BY i.bid')
    .all(COLLEAGUES)
    .map((row) => Number(row['bid']));
  const here = ours(trees)
    .flatMap(({ adItems }) => adItems.map(({ values }) => values.bid ?? 0))
    .toSorted((a, b) => a - b);
  if (JSON.stringify(there) !== JSON.stringify(here))
    throw new Error(`bids: ${there.join()} there, ${here.join()} here`);
}

/**
 * The whole job of the README on one deployment: connect, media, import, check, plan, sync, review, live, edit while live,
 * pause, enable again, extend, report. After each step every campaign's state in the account is held against the status in
 * the service's own file.
 */
interface JobDone {
  /** Settings that the connection test found to be otherwise than entered. */
  readonly found: readonly string[];
  /** Campaigns whose state was compared, over all steps. */
  readonly compared: number;
  /** Step, campaign, and both states, where they differ. */
  readonly differences: readonly string[];
  /** What the command was answered where the service has no call for it; none with the calls beyond the document. */
  readonly notOffered: readonly string[];
  readonly reportRows: number;
}

const EXAMPLES = join(import.meta.dirname, '../../examples');
const MEDIA = [
  'kitchen-roll-spot.mp4',
  'kitchen-roll-spot.vtt',
  'garden-hose-spot.mp4',
  'garden-hose-spot.srt',
  'northwind-logo.png',
] as const;
const START_IN_DAYS = 5;
const FLIGHT_DAYS = 10;
export async function doWholeJob(deployment: Deployment): Promise<JobDone> {
  const ground = await openGround(deployment);
  try {
    return await work(ground, deployment);
  } finally {
    await ground.close();
  }
}

async function work(
  ground: Ground,
  { extensions, canPause = extensions, profile, foreignMedia = false }: Deployment,
): Promise<JobDone> {
  const { client, control, core } = ground;
  const connected = await connect(ground);
  const { workspaceId } = connected;
  if (profile !== undefined) await client.accounts.setProfile({ workspaceId, text: profile });
  const opened = await core.open.get(workspaceId);
  if (!opened.ok) throw new Error(`the account does not open: ${JSON.stringify(opened.error)}`);
  const account = opened.value;
  const seen = { compared: 0, differences: [] as string[] };
  const compare = (step: string): Promise<void> => compareStates(ground, account, step, seen);
  const run = (): Promise<SyncReport> => syncUntilDone(ground, workspaceId, account);
  /** What a user does to see where things stand: with calls to list campaigns they are read, else reviews alone are. */
  const look = async (): Promise<void> => {
    await client.review.poll({ workspaceId });
    if (extensions) await client.sync.refresh({ workspaceId });
  };

  await draft(ground, workspaceId, account);
  const foreign = foreignMedia ? await showForeignVideo(ground, workspaceId, account) : null;
  const plan = await client.sync.plan({ workspaceId, submit: true });
  if (plan.errors > 0 || plan.requests === 0)
    throw new Error(`the plan has ${plan.requests} requests, ${plan.errors} errors`);
  await run();
  await look();
  await compare('sent');
  await ground.pass(1);
  await run();
  await look();
  await compare('submitted');
  for (const id of openReviews(ground)) await control.decideAll(id, 'approved');
  await look();
  await compare('approved');
  await ground.pass(24 * START_IN_DAYS + 12);
  await look();
  await compare('live');

  const items = (await account.workspace.readTrees('all')).flatMap(({ adItems }) => adItems);
  await edit(
    ground,
    workspaceId,
    'Raise bids',
    items.map(({ id, values }) => ['adItem', id, 'bid', (values.bid ?? 0) + 15]),
  );
  await run();
  await compare('edited while live');
  requireSameBids(ground, await account.workspace.readTrees('all'));

  const [first] = await account.workspace.readTrees('all');
  if (first === undefined) throw new Error('there is no campaign');
  const campaignId = first.campaign.id;
  await edit(ground, workspaceId, 'Pause', [['campaign', campaignId, 'status', 'paused']]);
  if (canPause) await run();
  else if (extensions) {
    // Nobody knows yet that the service has no such call: it refuses the first one.
    const { refused } = await syncOnce(ground, workspaceId, account);
    if (refused.length !== 1 || refused[0]?.id !== campaignId) throw new Error(`refused: ${JSON.stringify(refused)}`);
  }
  const { leftOut } = await client.sync.plan({ workspaceId, submit: true });
  const notOffered = leftOut.flatMap(({ reason, rows }) => Array.from({ length: rows }, () => reason));
  const isOffered = notOffered.length === 0;
  if (isOffered) {
    await look();
    await compare('paused');
    await edit(ground, workspaceId, 'Enable again', [['campaign', campaignId, 'status', 'enabled']]);
    await run();
    await ground.pass(24);
    await look();
    await compare('enabled again');
  } else await client.workspace.undo({ workspaceId });
  await ground.pass(24 * (FLIGHT_DAYS + 2));
  await look();
  await compare('over');
  if (isOffered) {
    const endDate = addDays(ground.today(), 20);
    await edit(ground, workspaceId, 'Extend', [['campaign', campaignId, 'endDate', endDate]]);
    await run();
    await ground.pass(24);
    await look();
    await compare('extended');
  }
  if (foreign !== null) requireVideo(ground, foreign);
  const yesterday = addDays(ground.today(), -1);
  const wish = { reportType: 'campaign', startDate: addDays(yesterday, -6), endDate: yesterday, byDate: true };
  let report = await client.reports.request({ workspaceId, wish });
  for (let hours = 0; report.is === 'job' && hours < HOURS_MAX; hours++) {
    await ground.pass(1);
    report = await client.reports.request({ workspaceId, wish });
  }
  const reportRows = report.is === 'report' ? report.snapshot.rows : 0;
  return { found: connected.found.map(({ setting }) => setting), ...seen, notOffered, reportRows };
}

type Change = readonly [kind: Kind, id: RowId, field: string, value: string | number];

const edit = ({ client }: Ground, workspaceId: WorkspaceId, label: string, changes: readonly Change[]) =>
  client.workspace.edit({
    workspaceId,
    label,
    changes: changes.map(([kind, id, field, value]) => ({ kind, id, field, value })),
  });

/** Media, the sheet of the examples, and dates to come; nothing may be wrong with them. */
async function draft(ground: Ground, workspaceId: WorkspaceId, account: ActiveAccount): Promise<void> {
  const { core, client } = ground;
  const grant = async (path: string): Promise<string> => {
    const file = await core.grants.grantPath(join(EXAMPLES, path));
    if (!file.ok) throw new Error(`${path} cannot be read`);
    return file.value.grant;
  };
  const grants = await Promise.all(MEDIA.map((name) => grant(`media/${name}`)));
  await client.media.add({ workspaceId, grants });
  const preview = await client.exchange.preview({ workspaceId, grant: await grant('campaigns.csv') });
  if (preview.errors.length > 0) throw new Error(JSON.stringify(preview.errors));
  await client.exchange.apply({ workspaceId, previewId: preview.previewId });
  const startDate = addDays(ground.today(), START_IN_DAYS);
  const endDate = addDays(startDate, FLIGHT_DAYS);
  const trees = await account.workspace.readTrees('all');
  await edit(
    ground,
    workspaceId,
    'Move the dates',
    trees.flatMap(({ campaign: { id } }): readonly Change[] => [
      ['campaign', id, 'startDate', startDate],
      ['campaign', id, 'endDate', endDate],
    ]),
  );
  const errors = await account.workspace.rowsWithErrors();
  if (errors.length > 0) throw new Error(`${errors.length} rows have errors`);
}

/** A colleague uploads a video and shows it; ours is put into the first video campaign here. @returns its id on the service */
async function showForeignVideo(ground: Ground, workspaceId: WorkspaceId, account: ActiveAccount): Promise<string> {
  const { sandbox, clock, client } = ground;
  const colleague = await openAccount({ sandbox, clock, fetch: ground.fetch });
  try {
    await colleague.create(videoDraft(await addVideo(colleague), COLLEAGUES));
    await colleague.run();
    await ground.pass(1);
    await colleague.run();
  } finally {
    await colleague.close();
  }
  await client.sync.refresh({ workspaceId });
  const media = (await account.workspace.readMedia()).find(({ remoteId }) => remoteId !== null);
  const [profile] = (await account.workspace.readTrees('all')).flatMap(({ videoProfiles }) => videoProfiles);
  if (media?.remoteId == null || profile === undefined) throw new Error('the video of the colleague is not here');
  await edit(ground, workspaceId, 'Show the video of the colleague', [['videoProfile', profile.id, 'video', media.id]]);
  return media.remoteId;
}
/** Sends, and sends again after each hour that the service asks to wait. */
async function syncUntilDone(ground: Ground, workspaceId: WorkspaceId, account: ActiveAccount): Promise<SyncReport> {
  for (let hours = 0; hours < HOURS_MAX; hours++) {
    const report = await syncOnce(ground, workspaceId, account);
    if (report.refused.length + report.failedUploads.length + report.questions + report.inDoubt > 0)
      throw new Error(JSON.stringify(report));
    if (report.stoppedBy === null && report.untouched === 0) return report;
    if (report.stoppedBy !== null && report.stoppedBy.cause !== 'rate-limited') throw new Error(JSON.stringify(report));
    await ground.pass(1);
  }
  throw new Error(`not done after ${HOURS_MAX} hours`);
}
const HOURS_MAX = 20;

async function syncOnce(ground: Ground, workspaceId: WorkspaceId, account: ActiveAccount): Promise<SyncReport> {
  await ground.client.sync.run({ workspaceId, submit: true });
  const report = await (await account.sync()).idle();
  if (report === null) throw new Error('a sync without a report');
  return report;
}

const openReviews = ({ database }: Ground): readonly string[] =>
  database
    .prepare("SELECT review_id FROM review WHERE status IN ('pending', 'in-progress')")
    .all()
    .map((row) => String(row['review_id']));
