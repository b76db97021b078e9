import { join } from 'node:path';
import { createFilePreferences } from '../../../accounts/file-preferences.ts';
import { createMemorySecretBox } from '../../../accounts/memory-secret-box.ts';
import { systemClock } from '../../../clock.ts';
import { createCore } from '../../../core.ts';
import { readFindings } from '../findings.ts';
import { counted } from '../table.ts';
import { fewestRequests } from './lower-bound.ts';
import { type Proof, proveOnce } from './proof.ts';
import { DemoFailed, decideAll, moveClock, reportText, startIn, startWalk, syncOnce, type Walk } from './walk.ts';

const MEDIA = [
  'kitchen-roll-spot.mp4',
  'kitchen-roll-spot.vtt',
  'garden-hose-spot.mp4',
  'garden-hose-spot.srt',
  'northwind-logo.png',
] as const;
/** Reviews take up to three days; the flight begins after them. */
const START_IN_DAYS = 5;

export interface DemoOptions {
  readonly dataDir: string;
  readonly examples: string;
  readonly say: (line: string) => void;
}

/** The main job from a sheet to live campaigns. Throws `DemoFailed` when a step does not do what it has to. */
export async function runDemo({ dataDir, examples, say }: DemoOptions): Promise<void> {
  const core = await createCore({
    dataDir,
    host: 'cli',
    clock: systemClock,
    preferences: createFilePreferences(dataDir),
    secrets: createMemorySecretBox(),
  });
  let steps = 0;
  const step = async <T>(title: string, work: () => Promise<T>, tell: (answer: T) => string): Promise<T> => {
    const startedMs = systemClock.monotonicMs();
    const answer = await work();
    steps += 1;
    const tookMs = Math.round(systemClock.monotonicMs() - startedMs);
    say(`${String(steps).padStart(2)}. ${title.padEnd(34)} ${tell(answer)}  [${tookMs} ms]`);
    return answer;
  };
  try {
    const walk = await step(
      'Start a practice account',
      () => startWalk(core),
      () => 'the practice service is running',
    );
    await draft(walk, examples, step);
    await send(walk, step);
    await goLive(walk, step);
    const { proof, fewest } = await prove(walk);
    for (const line of proof.lines) say(`    ${line}`);
    say(
      `    ${counted(proof.writes, 'writing request')}; fewest by the batch rules: ${fewest}; ${counted(proof.reads, 'read')}`,
    );
    const [problem] = proof.problems;
    if (problem !== undefined) throw new DemoFailed(problem);
    say('    Nothing was sent twice, and every campaign is live.');
  } finally {
    await core.close();
  }
}

type Step = <T>(title: string, work: () => Promise<T>, tell: (answer: T) => string) => Promise<T>;

async function draft(walk: Walk, examples: string, step: Step): Promise<void> {
  const { client, workspaceId } = walk;
  await step(
    'Add videos, captions and the logo',
    async () => {
      const grants = await Promise.all(MEDIA.map((name) => walk.grant(join(examples, 'media', name))));
      const { files } = await client.media.add({ workspaceId, grants });
      const refused = files.find((file) => file.outcome === 'refused');
      if (refused !== undefined) throw new DemoFailed(`${refused.fileName} was refused (${refused.reason})`);
      return files.length;
    },
    (count) => `${counted(count, 'file')} checked and copied`,
  );
  await step(
    'Import the sheet',
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
    'Move the start dates',
    () => startIn(walk, START_IN_DAYS),
    (date) => `all campaigns start on ${date}`,
  );
  await step(
    'Check',
    async () => {
      const { counts, findings } = await readFindings(client, workspaceId);
      const error = findings.find(({ severity }) => severity === 'error');
      if (error !== undefined) throw new DemoFailed(`${error.campaign}: ${error.message}`);
      return counts;
    },
    (counts) => `${counted(counts.error, 'error')}, ${counted(counts.warning, 'warning')}, ${counts.advice} advice`,
  );
}

async function send(walk: Walk, step: Step): Promise<void> {
  const { client, workspaceId } = walk;
  await step(
    'Plan',
    () => client.sync.plan({ workspaceId, submit: true }),
    (plan) =>
      `${counted(plan.requests, 'request')}, ${counted(plan.elements, 'element')}, ${counted(plan.uploads.length, 'upload')}`,
  );
  await step('Sync', () => syncOnce(walk), reportText);
  await step(
    'Move the clock by 31 minutes',
    () => moveClock(walk, 'PT31M'),
    () => 'the videos are processed',
  );
  await step('Sync the rest and ask for reviews', () => syncOnce(walk), reportText);
}

async function goLive(walk: Walk, step: Step): Promise<void> {
  const { client, workspaceId } = walk;
  await step(
    'Move the clock by a day',
    () => moveClock(walk, 'P1D'),
    () => 'the reviewers look at the campaigns',
  );
  await step(
    'The reviewers decide',
    () => decideAll(walk),
    (count) => `${counted(count, 'review')} approved`,
  );
  await step(
    'Read the outcomes',
    () => client.review.poll({ workspaceId }),
    (reviews) =>
      `${counted(reviews.length, 'review')} read, ${reviews.flatMap(({ components }) => components).length} components`,
  );
  await step(
    'Move the clock to the start',
    () => moveClock(walk, `P${START_IN_DAYS}D`),
    (now) => `it shows ${now}`,
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
        throw new DemoFailed(`"${name}" is ${campaignState ?? 'unknown to the service'} instead of live`);
      }
      return trees.length;
    },
    (count) => `${counted(count, 'campaign')} live`,
  );
}

async function prove({ account, control }: Walk): Promise<{ readonly proof: Proof; readonly fewest: number }> {
  const trees = await account.workspace.readTrees('all');
  const requests = await control.requests(0);
  const details = await control.details();
  if (!requests.ok || !details.ok) throw new DemoFailed('the practice service does not show its books');
  const notLive = details.value.campaigns.find(({ status }) => status !== 'live');
  if (notLive !== undefined) throw new DemoFailed(`the service says "${notLive.name}" is ${notLive.status}`);
  return { proof: proveOnce(trees, requests.value, details.value), fewest: fewestRequests(trees, account.profile) };
}
