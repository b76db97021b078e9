import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { NODE_FLAGS } from '../../main/hosts/start/node-flags.mjs';
import { ensureBuilt } from '../../scripts/build.mjs';
import { startHostProcess } from '../e2e/host-process.ts';
import { signedIn } from '../hosts/a-web-host.ts';
import { openSocketLine } from '../hosts/lines.ts';
import { saveResult } from '../reliability/render.ts';
import { type Desk, liveOneDay } from './day.ts';
import { type Condition, conditionOf, LIMITS, largestLog, verdicts } from './verdicts.ts';

/**
 * `npm run test:soak -- [--minutes 10] [--days 30] [--within] [--save NAME]`: a marketer's days at a desk that is never
 * closed, on the built host in a process of its own. Writes a line of JSON for each morning and one at the end. `--within`
 * leaves the practice service where a user has it, inside the host. Ends with 1 when something grows or the log is not
 * bounded, and with 3 when the run was too short to tell.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    days: { type: 'string', default: '30' },
    within: { type: 'boolean', default: false },
    save: { type: 'string' },
  },
});
const runMs = Number(values.minutes) * 60_000;
const days = Number(values.days);
const LOG_LOOK_MS = 250;
const ENTRY = join(import.meta.dirname, '..', '..', 'out', 'main', 'web.js');
const INSIDE = join(import.meta.dirname, 'inside.mjs');

const folder = mkdtempSync(join(tmpdir(), 'adslate-soak-'));
const [dataDir, insideDir] = [join(folder, 'data'), join(folder, 'inside')];
for (const made of [dataDir, insideDir]) mkdirSync(made);
process.env['ADSLATE_SOAK_INSIDE'] = insideDir;
if (!values.within) process.env['ADSLATE_SOAK_SERVICE'] = 'outside';
ensureBuilt(['main', 'sandbox', 'renderer']);
const host = await startHostProcess(
  ENTRY,
  ['--data', dataDir, '--practice', '--no-open'],
  [...NODE_FLAGS, '--expose-gc', '--import', INSIDE],
);
const url = new URL(host.url);
const door = { server: { port: Number(url.port) }, code: () => url.hash.slice('#code='.length) };
const page = await signedIn(door);
const line = await openSocketLine(door, page);
const [account] = await line.client.accounts.list();
if (account === undefined) throw new Error('The host has no practice account.');
const desk: Desk = {
  client: line.client,
  workspaceId: account.workspaceId,
  reload: async (look) => {
    const other = await openSocketLine(door, page);
    await look(other.client);
    await other.close();
  },
};

const done = { days: 0, edits: 0, syncs: 0, sent: 0, reloads: 0 };
const moments: Condition[] = [];
const startedAt = performance.now();
const passedMs = (): number => performance.now() - startedAt;
let peakLog = 0;
const logWatch = setInterval(() => {
  peakLog = Math.max(peakLog, largestLog(dataDir));
}, LOG_LOOK_MS);
const look = async (): Promise<void> => {
  const moment = await conditionOf(host.pid, dataDir, insideDir);
  moments.push(moment);
  process.stdout.write(
    `${JSON.stringify({ minute: Math.round(passedMs() / 6000) / 10, day: done.days, ...moment })}\n`,
  );
};

try {
  while (passedMs() < runMs || done.days < days) {
    await look();
    const day = await liveOneDay(desk, done.days);
    done.days += 1;
    done.edits += day.edits;
    done.syncs += 1;
    done.sent += day.sent;
    done.reloads += 1;
    // The days are spread over the run, so that a pause is a pause here too.
    const nextMs = (done.days / days) * runMs;
    if (nextMs > passedMs()) await wait(nextMs - passedMs());
  }
} finally {
  clearInterval(logWatch);
  await line.close();
  await host.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
const found = verdicts(moments, passedMs() / done.days, peakLog);
const figures = {
  service: values.within ? 'within' : 'outside',
  minutes: Math.round(passedMs() / 6000) / 10,
  ...done,
  samples: moments.length,
  limits: LIMITS,
  verdicts: found,
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
if (values.save !== undefined) saveResult(values.save, figures);
const outcomes = new Set(found.map(({ outcome }) => outcome));
process.exitCode = outcomes.has('grows') ? 1 : outcomes.has('unshown') ? 3 : 0;
