import { parseArgs } from 'node:util';
import { saveResult } from '../reliability/render.ts';
import { playUploadKills } from './upload-kills.ts';

/** `npm run test:upload-kills -- --kills N --megabytes N --seed S [--save NAME]`; ends with 1 when a video is there twice. */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    megabytes: { type: 'string', default: '1024' },
    seed: { type: 'string', default: '1' },
    save: { type: 'string' },
  },
});
const GROWTH_MAX_MB = 64;
const started = performance.now();
const megabytes = Number(values.megabytes);
const seed = Number(values.seed);
const outcome = await playUploadKills({ kills: Number(values.kills), bytes: megabytes * 1024 * 1024, seed });
const figures = { seed, megabytes, seconds: Math.round((performance.now() - started) / 1000), ...outcome };
console.log(JSON.stringify(figures));
const isClean = outcome.media === 1 && outcome.available && outcome.grownMb < GROWTH_MAX_MB;
if (isClean && values.save !== undefined) saveResult(values.save, figures);
process.exitCode = isClean ? 0 : 1;
