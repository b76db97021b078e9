import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '../../main/app/clock.ts';
import type { CreateRow } from '../../main/store/types.ts';
import type { ReadyLine } from '../../sandbox/start.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { asRowId, type RowId } from '../../shared/model/scalars.ts';
import { type Plan, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { apiOf, openAccount, type TestAccount } from '../sync/an-account.ts';
import { seeded } from '../sync/simulator/seeded.ts';
import { said, share, timed } from './figure.ts';
import { createSlowService, sendBare } from './slow-service.ts';
import { uploadBesideCurl } from './upload-beside-curl.ts';

/**
 * A sync of 10,000 changed elements over HTTP with 20 ms latency, without faults and with 2 % that need no settling,
 * edits meanwhile, and an upload beside `curl -T`: `node test/bench/sync.bench.ts [IGNORED [MEGABYTES]]`.
 */
const LATENCY_MS = 20;
const FAULTS = 0.02;
const SEED = 42;
const LANES = 4;
/** A sync must reach 85 % of what it is compared with. */
const SHARE = 1 / 0.85;
const CAMPAIGNS = 50;
const KEYWORDS = 198;
const MEGABYTES = Number(process.argv[3] ?? 4096);

async function startSandbox(): Promise<{ readonly ready: ReadyLine; readonly stop: () => void }> {
  const cli = join(import.meta.dirname, '../../sandbox/cli.ts');
  const args = [cli, '--rate', 'off', '--scenario', 'empty', '--clock', 'virtual', '--extensions', 'on'];
  const program = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: program.stdout }), 'line');
  return { ready: JSON.parse(String(line)) as ReadyLine, stop: () => program.kill() };
}

const draft = (n: number): readonly CreateRow[] => [
  {
    kind: 'campaign',
    parent: null,
    values: {
      name: `Bench ${n}`,
      campaignType: 'sba',
      targetingType: 'manual',
      totalBudget: 450_000,
      dailyBudget: 3750,
      startDate: '2030-03-04',
      status: 'enabled',
    },
  },
  { kind: 'adGroup', parent: { at: 0 }, values: { name: `Bench group ${n}`, status: 'enabled' } },
  ...Array.from({ length: KEYWORDS }, (_, k): CreateRow => {
    const values = { text: `kitchen roll ${n} ${k}`, matchType: 'exact', bid: 185, state: 'enabled' };
    return { kind: 'keyword', parent: { at: 1 }, values };
  }),
];

async function syncManyElements(faults: number): Promise<boolean> {
  const sandbox = await startSandbox();
  const service = createSlowService({ latencyMs: LATENCY_MS, faults, seed: SEED });
  const usual = defaultDeploymentSettings('shop.example');
  const account = await openAccount({
    sandbox: { ready: sandbox.ready, close: async () => undefined },
    capabilities: WITH_EXTENSIONS,
    profile: { ...usual, rate: { ...usual.rate, opsPerHour: 10_000_000 } },
    clock: systemClock,
    fetch: service.fetch,
    random: seeded(SEED).next,
  });
  try {
    let group = asRowId(0);
    for (let n = 0; n < CAMPAIGNS; n++) [, group = group] = await account.create(draft(n));
    const { plan } = await account.sync.planned({ submit: false, campaignIds: null });
    const bareMs = await bareClient(plan, faults);
    const began = performance.now();
    const run = account.run();
    // The sync has ended when it says so, not when the pause after the last edit is over.
    const ended = run.then(() => performance.now());
    const edits = await editUntil(run, account, group);
    const report = await run;
    const ms = (await ended) - began;
    const elements = CAMPAIGNS * (KEYWORDS + 2);
    if (report.done < elements) throw new Error(`only ${report.done} of ${elements} were done`);
    const how = `${elements} elements, ${LATENCY_MS} ms latency, ${faults * 100} % faults`;
    const all = [
      said(`sync of ${how}`, ms / 1000, 's', {
        bar: 60,
        peer: `${service.requests()} latencies / lanes`,
        peerValue: service.boundMs(began, LANES) / 1000,
        // The waits that a 429 or a refused connection demands are in no bound; the bare client has them as well.
        ratioBar: faults === 0 ? SHARE : null,
      }),
      said(`sync of ${how}`, ms / 1000, 's', { peer: 'bare client', peerValue: bareMs / 1000, ratioBar: SHARE }),
      said('edit during that sync, p99', share(edits, 0.99), 'ms', { bar: 20 }),
    ];
    return all.every(Boolean);
  } finally {
    await account.close();
    sandbox.stop();
  }
}

/** How long a client needs that keeps no record, in milliseconds: the same plan, another service, the same faults. */
async function bareClient(plan: Plan, faults: number): Promise<number> {
  const sandbox = await startSandbox();
  const { fetch } = createSlowService({ latencyMs: LATENCY_MS, faults, seed: SEED });
  const api = apiOf({ ready: sandbox.ready, close: async () => undefined }, fetch);
  try {
    return await timed(() => sendBare(api, plan, LANES, seeded(SEED).next));
  } finally {
    api.close();
    sandbox.stop();
  }
}

/** Edits one cell after the other until the sync is over. @returns how long each took in ms, shortest first */
async function editUntil(run: Promise<unknown>, account: TestAccount, group: RowId): Promise<readonly number[]> {
  let isOver = false;
  const over = run.finally(() => {
    isOver = true;
  });
  const edits: number[] = [];
  for (let n = 0; !isOver; n++) {
    edits.push(await timed(() => account.edit('adGroup', group, { name: `Bench group ${n}` })));
    await systemClock.sleep(25);
  }
  await over;
  return edits.sort((a, b) => a - b);
}

const kept = [await syncManyElements(0), await syncManyElements(FAULTS), await uploadBesideCurl(MEGABYTES)];
process.exitCode = kept.every(Boolean) ? 0 : 1;
