import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { err, ok, type Result } from '../../shared/result.ts';
import { makeFolders } from '../app/atomic-write.ts';
import { diskWords, errorCode } from '../app/disk-space.ts';
import { stopWorker } from '../app/stop-worker.ts';
import { workerEntry } from '../app/worker-entries.ts';
import { notWritableFrom } from '../store/not-writable.ts';

/**
 * The simulated partner service of one practice account, in a worker thread of its own. It listens on loopback
 * only; the client speaks to it over HTTP as to any other service.
 *
 *   start ──ready──> running ──close──> closed
 *     └──── exit or time-out ───> failed (the next use starts it again)
 */
export interface PracticeService {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly retailHost: string;
  readonly headerPrefix: string;
  readonly account: PracticePrincipal;
  /** True when the thread has ended by itself; nobody answers at the address any more. */
  hasEnded(): boolean;
  close(): Promise<void>;
}

export interface PracticeUnavailable {
  readonly kind: 'practice-unavailable';
  readonly detail: string;
  /** What the disk is to blame for: then nobody needs to look at the network. */
  readonly disk: 'disk-full' | 'read-only' | null;
  /** The status with which it refused what it was asked, in the words of `detail`; null when nothing came, or nothing readable. */
  readonly refusedWith?: number | null;
}

export const unavailable = (
  detail: string,
  disk: PracticeUnavailable['disk'] = null,
): { readonly ok: false; readonly error: PracticeUnavailable } => err({ kind: 'practice-unavailable', detail, disk });

/** What the simulation says of its disk, beside the words of a failure. */
export const Disk = z.enum(['disk-full', 'read-only']).nullable().catch(null);

const Principal = z.object({
  advertiserId: z.union([z.int(), z.string()]).transform(String),
  name: z.string(),
  migrated: z.boolean(),
  token: z.string(),
  consumerId: z.string(),
  keyVersion: z.string(),
  privateKeyPem: z.string(),
});
type PracticePrincipal = z.infer<typeof Principal>;

const Ready = z.object({
  baseUrl: z.url(),
  controlUrl: z.url(),
  retailHost: z.string(),
  headerPrefix: z.string(),
  accounts: z.array(Principal).min(1),
});
const FirstMessage = z.union([z.object({ ready: Ready }), z.object({ failed: z.string(), disk: Disk })]);

const START_LIMIT_MS = 20_000;
const CLOSE_LIMIT_MS = 5000;

/**
 * @param dataDir folder of the service's state; it survives restarts
 * @param port where it listens; 0 for any free port
 */
export async function startPracticeService(
  dataDir: string,
  port = 0,
): Promise<Result<PracticeService, PracticeUnavailable>> {
  try {
    await makeFolders(dirname(dataDir), dataDir);
  } catch (error) {
    const problem = notWritableFrom(error);
    if (problem === null && errorCode(error) === null) throw error;
    return unavailable(
      problem?.detail ?? diskWords(error) ?? '',
      problem?.why === 'disk-full' ? 'disk-full' : 'read-only',
    );
  }
  // The clock runs along with the machine's and is moved ahead by the user, so a practice day is a day unless
  // somebody is in a hurry.
  const workerData = { dataDir, scenario: 'empty', extensions: true, credentials: 'owners', clock: 'real', port };
  const worker = new Worker(workerEntry('sandbox'), { workerData, name: 'practice', stdout: true, stderr: true });
  sayInOneLine(worker);
  const started = await waitUntilReady(worker);
  if (!started.ok) {
    // One that could not start closes by itself; one that hangs is waited for no longer than that.
    await stopWorker(worker, CLOSE_LIMIT_MS);
    return started;
  }
  const { accounts, ...ready } = started.value;
  const account = accounts.find((candidate) => candidate.migrated) ?? accounts[0];
  if (account === undefined) return unavailable('it has no account');
  worker.unref();
  let ended = false;
  worker.once('exit', () => {
    ended = true;
  });
  return ok({ ...ready, account, hasEnded: () => ended, close: async () => (ended ? undefined : closeWorker(worker)) });
}

function waitUntilReady(worker: Worker): Promise<Result<z.infer<typeof Ready>, PracticeUnavailable>> {
  return new Promise((resolve) => {
    const finish = (answer: Result<z.infer<typeof Ready>, PracticeUnavailable>) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('exit', onExit);
      resolve(answer);
    };
    const fail = (detail: string, disk: PracticeUnavailable['disk'] = null) => finish(unavailable(detail, disk));
    const onMessage = (message: unknown) => {
      const first = FirstMessage.safeParse(message);
      if (!first.success) fail('it started in an unknown way');
      else if ('failed' in first.data) fail(first.data.failed, first.data.disk);
      else finish(ok(first.data.ready));
    };
    const onExit = (code: number) => fail(`it stopped at its start (${code})`);
    const timer = setTimeout(() => fail('it did not start in time'), START_LIMIT_MS);
    // Stays for the thread's life: without a listener a defect in the simulation would end the whole program.
    worker.on('error', (error) => fail(error instanceof Error ? error.message : 'it failed'));
    worker.once('message', onMessage).once('exit', onExit);
  });
}

/** What the simulation says of its defects, without the stacks: the terminal is the user's, who has no use for them. */
function sayInOneLine(worker: Worker): void {
  createInterface({ input: worker.stderr }).on('line', (line) => {
    if (!/^\s+at /u.test(line)) process.stderr.write(`${line}\n`);
  });
}

async function closeWorker(worker: Worker): Promise<void> {
  worker.postMessage('close');
  await stopWorker(worker, CLOSE_LIMIT_MS);
}
