/**
 * One part of `npm test` in a process of its own, so that parts run beside each other and each counts its own seconds of CPU.
 * Started by `test.mjs`, which gets the result as a message.
 */
import { setPriority } from 'node:os';
import { cpuSeconds } from './cpu.mjs';
import { endToEnd } from './test-e2e.mjs';
import { gates } from './test-gates.mjs';
import { unitTests } from './test-unit.mjs';

const PARTS = { gates, unit: unitTests, e2e: endToEnd };
/** Lower than usual: whoever waits for a browser goes first, and the unit tests take what is left. */
const BACKGROUND_NICE = 5;

const [name, place] = process.argv.slice(2);
if (place === 'background') setPriority(BACKGROUND_NICE);
// Nobody would read the result, and what a part has started ends with it.
const giveIn = () => process.kill(process.pid, 'SIGTERM');
process.once('disconnect', giveIn);

const startedAt = Date.now();
const counts = await PARTS[name]();
const seconds = Math.round((Date.now() - startedAt) / 1000);
process.send({ ...counts, seconds, cpu: cpuSeconds() }, () => {
  process.off('disconnect', giveIn);
  process.disconnect();
});
