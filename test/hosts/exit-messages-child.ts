import { systemClock } from '../../main/app/clock.ts';
import { createFileLog } from '../../main/app/log.ts';
import { exitOnFatalError } from '../../main/hosts/start/start-host.ts';

/** Run as a program, with a data folder and how to fail: a host with a defect that shows after its start. */
const [, , dataDir = '', how] = process.argv;
exitOnFatalError(createFileLog(dataDir, systemClock), (sentence) => {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
  // A second failure on the way out changes nothing.
  setTimeout(() => process.exit(), 1);
  void Promise.reject(new Error('ending failed too'));
});

if (how === 'rejected') void Promise.reject(new TypeError('planted\nin two lines'));
else
  setTimeout(() => {
    throw new TypeError('planted\nin two lines');
  }, 1);
setTimeout(() => process.stderr.write('went on\n'), 10_000);
