import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { ReadyLine } from '../../sandbox/start.ts';
import { createWireClient, type WireClient } from '../walks/wire-client.ts';
import { type Figure, print, share } from './figure.ts';

/**
 * The sandbox as a program of its own, on a core of its own: `node test/bench/sandbox.bench.ts [KEYWORDS]`. Every call
 * is signed and verified; the client signs once a minute, since it is the service that is measured.
 */
const sandbox = join(import.meta.dirname, '../../sandbox/cli.ts');
const child = join(import.meta.dirname, 'sandbox-child.ts');
const LISTS = 10_000;
const CREATES = 2000;
/** Enough calls under way to keep the service busy, few enough that waiting is not what is measured. */
const AT_ONCE = 8;

const said = (name: string, value: number, bar: number, beside: Partial<Figure> = {}, unit = 'ms'): boolean =>
  print({ name, value, unit, bar, peer: null, peerValue: null, ratioBar: null, ...beside });

interface Running {
  readonly ready: ReadyLine;
  readonly startMs: number;
  readonly stop: () => Promise<void>;
}

async function start(args: readonly string[]): Promise<Running> {
  const began = performance.now();
  const program = spawn(process.execPath, [sandbox, '--rate', 'off', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: program.stdout }), 'line');
  const startMs = performance.now() - began;
  const stop = async () => {
    program.kill();
    if (program.exitCode === null && program.signalCode === null) await once(program, 'exit');
  };
  return { ready: JSON.parse(String(line)), startMs, stop };
}

/** Durations of so many calls in milliseconds, shortest first, and the calls in a second. */
async function load(count: number, call: (at: number) => Promise<{ readonly status: number; readonly body: string }>) {
  const durations: number[] = [];
  let next = 0;
  const began = performance.now();
  const worker = async () => {
    while (next < count) {
      const at = next++;
      const sent = performance.now();
      const { status, body } = await call(at);
      durations.push(performance.now() - sent);
      if (status !== 200 || body.includes('"failure"')) throw new Error(`${status} ${body.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const perSecond = (count / (performance.now() - began)) * 1000;
  return { perSecond, sorted: durations.sort((a, b) => a - b) };
}

/** Creates video campaigns with an ad group each: room for 600 keywords apiece. */
async function groupsFor(client: WireClient, keywords: number): Promise<readonly number[]> {
  const groups: number[] = [];
  for (let at = 0; at < keywords / 600; at += 1) {
    const campaign = { advertiserId: 900_001, name: `Bench ${at}`, campaignType: 'video', targetingType: 'manual' };
    const dates = { startDate: '2099-01-01', endDate: '9999-12-30', budget: 1500, dailyBudget: 75, status: 'enabled' };
    const campaignId = await created(client, '/api/v1/campaigns', { ...campaign, ...dates }, 'campaignId');
    groups.push(await created(client, '/api/v1/adGroups', { name: 'G', campaignId, status: 'enabled' }, 'adGroupId'));
  }
  return groups;
}

async function created(client: WireClient, path: string, element: object, idField: string): Promise<number> {
  const { status, body } = await client.call('POST', path, JSON.stringify([element]));
  const [answer]: readonly Readonly<Record<string, unknown>>[] = JSON.parse(body);
  const id = answer?.[idField];
  if (typeof id !== 'number' || id === 0) throw new Error(`${status} ${body}`);
  return id;
}

/** Fifty new keywords for the n-th call: 4 calls of texts for each of the three match types of a group. */
function fifty(groups: readonly number[], at: number): string {
  const adGroupId = groups[Math.floor(at / 12)];
  const matchType = ['exact', 'phrase', 'broad'][Math.floor((at % 12) / 4)];
  return JSON.stringify(
    Array.from({ length: 50 }, (_, i) => ({
      adGroupId,
      keywordText: `towel ${(at % 4) * 50 + i}`,
      matchType,
      bid: 1.65,
      state: 'enabled',
    })),
  );
}

/** A bar from below is told as time for a thousand calls, so that less is better in every line. */
const perThousand = (perSecond: number): number => 1_000_000 / perSecond;

export async function benchSandbox(keywords: number): Promise<boolean> {
  const running = await start([]);
  const verdicts: boolean[] = [said('sandbox with the demo scenario started', running.startMs, 1000)];
  const account = running.ready.accounts.find((one) => one.role === 'owner' && one.advertiserId === 900_001);
  if (account === undefined) throw new Error('no owner');
  const client = createWireClient(running.ready.baseUrl, account, AT_ONCE);
  try {
    const groups = await groupsFor(client, CREATES * 50);
    const list = () => client.call('GET', '/api/v1/media?advertiserId=900001');
    await load(1000, list);
    const lists = await load(LISTS, list);
    verdicts.push(rate('signed list calls', lists.perSecond, 2000));
    verdicts.push(said('signed list call, p99', share(lists.sorted, 0.99), 25));
    const creates = await load(CREATES, (at) => client.call('POST', '/api/v1/keywords', fifty(groups, at)));
    verdicts.push(rate('signed 50-element creates', creates.perSecond, 500));
    verdicts.push(said('signed 50-element create, p99', share(creates.sorted, 0.99), 25));
  } finally {
    client.close();
    await running.stop();
  }
  const { stdout } = await promisify(execFile)(process.execPath, [child, String(keywords)]);
  const { megabytes }: { readonly megabytes: number } = JSON.parse(stdout);
  verdicts.push(said(`memory of ${keywords} keywords held`, megabytes, 1024, {}, 'MB'));
  return verdicts.every(Boolean);
}

const rate = (name: string, perSecond: number, bar: number): boolean =>
  said(`1,000 ${name} (${Math.round(perSecond)} a second)`, perThousand(perSecond), perThousand(bar));

if (import.meta.main) {
  const holds = await benchSandbox(Number(process.argv[2] ?? 1_000_000));
  process.exitCode = holds ? 0 : 1;
}
