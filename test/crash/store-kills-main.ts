import { parseArgs } from 'node:util';
import { saveResult } from '../reliability/render.ts';
import { killStore } from './store-kills.ts';

/**
 * `npm run test:store-kills -- [--kills 1000] [--seed N] [--minutes M] [--save NAME]`: kills a process in the middle of edits, bulk
 * edits, imports, undo and backups. Prints one line of JSON; ends with 1 when anything was lost, half or unsound.
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    seed: { type: 'string' },
    minutes: { type: 'string' },
    save: { type: 'string' },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const startedAt = Date.now();
const deadlineMs = values.minutes === undefined ? undefined : startedAt + Number(values.minutes) * 60_000;
const report = await killStore(Number(values.kills), seed, deadlineMs);
const seconds = Math.round((Date.now() - startedAt) / 1000);
process.stdout.write(`${JSON.stringify({ ...report, seconds })}\n`);
if (values.save !== undefined) saveResult(values.save, { ...report, seconds });
const { lost, half, unsound, badBackups } = report;
process.exitCode = lost + half + unsound + badBackups === 0 ? 0 : 1;
