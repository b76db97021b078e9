import { parseArgs } from 'node:util';
import { killCube } from './cube-kills.ts';

/**
 * `npm run test:cube-kills -- [--kills 100] [--seed N]`: kills a process while reports are taken into the metrics. Prints one
 * line of JSON; ends with 1 when anything was lost, half or unsound.
 */
const { values } = parseArgs({ options: { kills: { type: 'string', default: '100' }, seed: { type: 'string' } } });
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const startedAt = Date.now();
const report = await killCube(Number(values.kills), seed);
process.stdout.write(`${JSON.stringify({ ...report, seed, seconds: Math.round((Date.now() - startedAt) / 1000) })}\n`);
process.exitCode = report.lost + report.half + report.unsound === 0 ? 0 : 1;
