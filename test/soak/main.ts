import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { startHostProcess } from '../e2e/host-process.ts';
import { signedIn } from '../hosts/a-web-host.ts';
import { type Line, openSocketLine } from '../hosts/lines.ts';
import { saveResult } from '../reliability/results.ts';
import { type Condition, conditionOf, verdicts } from './condition.ts';

/**
 * `npm run test:soak -- --minutes 10 --days 30 [--save NAME]`: a marketer's days at a desk that is never closed, on a host in a
 * process of its own. Ends with 1 when memory, handles or threads grow, or the write-ahead log is not bounded.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    days: { type: 'string', default: '30' },
    save: { type: 'string' },
  },
});
const runMs = Number(values.minutes) * 60_000;
const days = Number(values.days);
const SAMPLES = 60;
const ENTRY = join(import.meta.dirname, '..', '..', 'main', 'host', 'web', 'main.ts');

const dataDir = mkdtempSync(join(tmpdir(), 'adslate-soak-'));
const host = await startHostProcess(ENTRY, ['--data', dataDir, '--practice', '--no-open']);
const url = new URL(host.url);
const door = { server: { port: Number(url.port) }, code: () => url.hash.slice('#code='.length) };
const page = await signedIn(door);
const line = await openSocketLine(door, page);
const [account] = await line.client.accounts.list();
if (account === undefined) throw new Error('The host has no practice account.');

const done = { days: 0, edits: 0, syncs: 0, reloads: 0 };
const moments: Condition[] = [];
const startedAt = performance.now();
const passedMs = (): number => performance.now() - startedAt;
const watch = setInterval(() => moments.push(conditionOf(host.pid, dataDir)), runMs / SAMPLES);

try {
  while (passedMs() < runMs || done.days < days) {
    await aDay(line, account.workspaceId);
    // The days are spread over the run, so that a pause is a pause here too.
    const nextMs = (done.days / days) * runMs;
    if (nextMs > passedMs()) await wait(nextMs - passedMs());
  }
} finally {
  clearInterval(watch);
  await line.close();
  await host.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
const found = verdicts(moments);
const figures = { minutes: Math.round(passedMs() / 6000) / 10, ...done, samples: moments.length, verdicts: found };
process.stdout.write(`${JSON.stringify(figures)}\n`);
const isSound = found.every(({ isFlat }) => isFlat);
if (values.save !== undefined) saveResult(values.save, figures);
process.exitCode = isSound ? 0 : 1;

/** Drafts, edits, undo, looks through lists, a sync, a page that comes and goes, and the night. */
async function aDay({ client }: Line, workspaceId: WorkspaceId): Promise<void> {
  const name = `Day ${done.days}`;
  const created = await client.workspace.create({
    workspaceId,
    label: name,
    rows: [
      { kind: 'campaign', parent: null, values: { name } },
      { kind: 'adGroup', parent: { at: 0 }, values: { name: 'Group' } },
    ],
  });
  const campaign = created.touched.find(({ kind }) => kind === 'campaign')?.id;
  if (campaign === undefined) throw new Error('No campaign was made.');
  for (let edit = 0; edit < 100; edit += 1) {
    const change = { kind: 'campaign' as const, id: campaign, field: 'dailyBudget', value: 5000 + edit };
    await client.workspace.edit({ workspaceId, label: 'Budget', changes: [change] });
    done.edits += 1;
  }
  for (let step = 0; step < 10; step += 1) await client.workspace.undo({ workspaceId });
  for (const kind of ['campaign', 'keyword', 'adItem'] as const) {
    const { viewId } = await client.workspace.openView({ workspaceId, view: { kind } });
    await client.workspace.readWindow({ workspaceId, viewId, from: 0, count: 100 });
    await client.workspace.closeView({ workspaceId, viewId });
  }
  await client.workspace.findings({ workspaceId, from: 0, count: 100 });
  await client.sync.refresh({ workspaceId });
  done.syncs += 1;
  const other = await openSocketLine(door, page);
  await other.client.workspace.summary({ workspaceId });
  await other.close();
  done.reloads += 1;
  await client.practice.advance({ workspaceId, duration: 'P1D' });
  done.days += 1;
}
