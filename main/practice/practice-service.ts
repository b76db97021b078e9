import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { PracticeState } from '../../shared/api/app.ts';
import type { Failure } from '../../shared/api/operation.ts';
import type { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import { dateInZone } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { err, fail, ok, type Result } from '../../shared/result.ts';
import { makeFolders } from '../app/atomic-write.ts';
import type { Clock } from '../app/clock.ts';
import { diskWords, errorCode } from '../app/system.ts';
import { stopWorker, workerEntry } from '../app/workers.ts';
import { notWritable, notWritableFrom } from '../store/not-writable.ts';

/**
 * The simulated partner service of one practice account, in its own worker thread. It listens on loopback only; the
 * client calls it over HTTP like any other service.
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
  /** True when the thread has ended by itself; the address no longer responds. */
  hasEnded(): boolean;
  close(): Promise<void>;
}

/** The service runs on this computer, so a disk error is reported as such and not as an unreachable network. */
export type PracticeUnavailable = Failure<'UNREACHABLE' | 'NOT_WRITABLE'>;
/** `SERVICE_ANSWERED`: a refusal by the running service, which is no sign that it is unreachable. */
type PracticeRefused = PracticeUnavailable | Failure<'SERVICE_ANSWERED'>;

const unavailable = (
  detail: string,
  disk: 'disk-full' | 'read-only' | null = null,
): { readonly ok: false; readonly error: PracticeUnavailable } =>
  disk === null ? fail('UNREACHABLE', { detail }) : err(notWritable(disk, detail));

/** The disk problem in a response of the simulation, next to its error text. */
const Disk = z.enum(['disk-full', 'read-only']).nullable().catch(null);

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

/** The initial content of a new practice service: none, or the campaigns of the sample account. */
export type PracticeScenario = 'empty' | 'sample';

export interface PracticeStart {
  /** The port to listen on; 0 for any free port. */
  readonly port?: number;
  /** Only for a new service; an existing one keeps its state. */
  readonly scenario?: PracticeScenario;
  /** The advertiser of a new service, whose rows have IDs of their own; an existing one keeps its own. */
  readonly advertiserId?: string;
  /** Starts the service; in a worker thread by default. */
  readonly start?: typeof startServiceThread | undefined;
}

/** @param dataDir folder of the service's state, which survives restarts */
export async function startPracticeService(
  dataDir: string,
  { port = 0, scenario = 'empty', advertiserId, start = startServiceThread }: PracticeStart = {},
): Promise<Result<PracticeService, PracticeUnavailable>> {
  try {
    await makeFolders(dirname(dataDir), dataDir);
  } catch (error) {
    const problem = notWritableFrom(error);
    if (problem === null && errorCode(error) === null) throw error;
    const { why = 'read-only', detail = diskWords(error) ?? '' } = problem?.data ?? {};
    return unavailable(detail, why === 'disk-full' ? why : 'read-only');
  }
  // The clock runs with the computer's clock, and the user can move it ahead: a practice day takes a day unless it is
  // skipped.
  const advertiser = advertiserId === undefined ? {} : { advertiser: Number(advertiserId) };
  const thread = start({
    dataDir,
    scenario,
    ...advertiser,
    extensions: true,
    credentials: 'first',
    clock: 'real',
    port,
  });
  const started = await waitUntilReady(thread.first);
  if (!started.ok) {
    // Closes a thread that failed to start; one that hangs is ended after the close time-out.
    await thread.close();
    return started;
  }
  const { accounts, ...ready } = started.value;
  const account = accounts.find((candidate) => candidate.migrated) ?? accounts[0];
  if (account === undefined) return unavailable('it has no account');
  return ok({ ...ready, account, hasEnded: thread.hasEnded, close: thread.close });
}

/** @param workerData options of the simulation */
export function startServiceThread(workerData: object) {
  const worker = new Worker(workerEntry('sandbox'), { workerData, name: 'practice', stdout: true, stderr: true });
  sayInOneLine(worker);
  const { promise: first, resolve, reject } = Promise.withResolvers<unknown>();
  let ended = false;
  worker.once('message', (message: unknown) => {
    worker.unref();
    resolve(message);
  });
  worker.once('exit', (code) => {
    ended = true;
    reject(new Error(`it stopped at its start (${code})`));
  });
  // Kept while the thread lives: without a listener, a defect in the simulation would end the whole program.
  worker.on('error', reject);
  return {
    /** Its first message; rejects if the thread ends without one. */
    first,
    hasEnded: () => ended,
    /** Closes the service and waits until the thread has ended. */
    close: async () => {
      worker.postMessage('close');
      await stopWorker(worker, CLOSE_LIMIT_MS);
    },
  };
}

async function waitUntilReady(said: Promise<unknown>): Promise<Result<z.infer<typeof Ready>, PracticeUnavailable>> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('it did not start in time')), START_LIMIT_MS);
  try {
    const first = FirstMessage.safeParse(await Promise.race([said, late]));
    if (!first.success) return unavailable('it started in an unknown way');
    return 'failed' in first.data ? unavailable(first.data.failed, first.data.disk) : ok(first.data.ready);
  } catch (error) {
    return unavailable(error instanceof Error ? error.message : 'it failed');
  } finally {
    clearTimeout(timer);
  }
}

/** Prints the simulation's errors without stack traces, which are useless to the user of the terminal. */
function sayInOneLine(worker: Worker): void {
  createInterface({ input: worker.stderr }).on('line', (line) => {
    if (!/^\s+at /u.test(line)) process.stderr.write(`${line}\n`);
  });
}

/** The practice service of an account: started on first use, stopped when the account closes. */
export type PracticeHost = ReturnType<typeof createPracticeHost>;

/** @param onClock called with the service's time, in milliseconds since 1970, whenever it is read */
export function createPracticeHost(
  folder: string,
  onClock: (serviceNowMs: number) => Promise<void> = async () => {},
  start?: PracticeStart['start'],
) {
  let starting: Promise<Result<PracticeService, PracticeUnavailable>> | null = null;
  // A service that ended by itself restarts on the same port, so that existing clients keep working.
  let port = 0;
  let isClosed = false;
  const service = async () => {
    // A call may arrive after its account was closed; nothing would stop a service started then.
    if (isClosed) return unavailable('the account was closed');
    const known = starting;
    const running = await known;
    // Several callers may find that it has ended: the first one restarts it, the others use that one.
    if (running?.ok === true && running.value.hasEnded() && starting === known) starting = null;
    starting ??= startPracticeService(folder, { port, start });
    const own = starting;
    const started = await own;
    if (started.ok) port = Number(new URL(started.value.baseUrl).port);
    else if (starting === own) starting = null;
    return started;
  };
  return {
    service,
    control: async (): Promise<Result<PracticeControl, PracticeUnavailable>> => {
      const started = await service();
      return started.ok ? ok(createPracticeControl(started.value.controlUrl, onClock)) : started;
    },
    /** Stops the service; it can't be started after that. */
    close: async () => {
      isClosed = true;
      const started = await starting;
      if (started?.ok === true) await started.value.close();
      starting = null;
    },
  };
}

/** Controls that the user has over the practice service: show its time, move it, decide a review. */
export type PracticeControl = ReturnType<typeof createPracticeControl>;

const id = z.union([z.int(), z.string()]).transform(String);

const Details = z.object({
  now: z.string(),
  counts: z.record(z.string(), z.int()).default({}),
  campaigns: z.array(z.object({ campaignId: id, name: z.string(), status: z.string() })).default([]),
  reviews: z.array(z.object({ reviewId: id, campaignId: id, status: z.string() })).default([]),
});
export type PracticeDetails = z.infer<typeof Details>;

const Requests = z.object({
  requests: z.array(
    z.object({
      n: z.int(),
      method: z.string(),
      path: z.string(),
      status: z.int(),
      correlationId: z.string().nullable(),
      elementCount: z.int(),
      elementCodes: z.array(z.string()),
    }),
  ),
});
export type PracticeRequest = z.infer<typeof Requests>['requests'][number];

/** What the service itself knows of its state. */
type ControlState = Omit<PracticeState, 'zone'>;

const Faults = z.object({ faults: z.array(z.unknown()) });

const Refusal = z.object({ error: z.string().catch(''), disk: Disk });

/** An error response. The simulation's JSON has the error text, and whether its disk caused it. */
function refused(status: number, text: string): { readonly ok: false; readonly error: PracticeRefused } {
  const said = Refusal.safeParse(jsonOrNull(text));
  const { error, disk } = said.success ? said.data : { error: '', disk: null };
  // A refusal with a text comes from a running service.
  if (status < 500 && error !== '' && disk === null) {
    return fail('SERVICE_ANSWERED', { status, call: '', detail: error, retryAt: null });
  }
  return unavailable(error === '' ? `it answered ${status}` : `it answered ${status}: ${error}`, disk);
}

const OPEN = new Set(['pending', 'in-progress', 'inprogress', 'submitted']);
const CALL_LIMIT_MS = 20_000;

/**
 * @param onClock called with the service's time, in milliseconds since 1970, before a response that contains it is
 * returned
 */
export function createPracticeControl(controlUrl: string, onClock: (serviceNowMs: number) => Promise<void>) {
  const call = async (method: string, path: string, body: object | null): Promise<Result<unknown, PracticeRefused>> => {
    try {
      const answer = await fetch(`${controlUrl}${path}`, {
        method,
        signal: AbortSignal.timeout(CALL_LIMIT_MS),
        ...(body === null ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      const text = await answer.text();
      if (!answer.ok) return refused(answer.status, text);
      return ok(text === '' ? null : JSON.parse(text));
    } catch (error) {
      return unavailable(error instanceof Error ? error.message : 'no response');
    }
  };
  const details = async (): Promise<Result<PracticeDetails, PracticeRefused>> => {
    const answer = await call('GET', '/state', null);
    if (!answer.ok) return answer;
    const parsed = Details.safeParse(answer.value);
    if (!parsed.success) return unavailable('its state is not readable');
    await onClock(Date.parse(parsed.data.now));
    return ok(parsed.data);
  };
  const state = async (): Promise<Result<ControlState, PracticeRefused>> => {
    const now = await details();
    if (!now.ok) return now;
    const names = new Map(now.value.campaigns.map((campaign) => [campaign.campaignId, campaign.name]));
    const openReviews = now.value.reviews
      .filter((review) => OPEN.has(review.status.toLowerCase()))
      .map(({ reviewId, campaignId, status }) => ({ reviewId, campaign: names.get(campaignId) ?? campaignId, status }));
    return ok({ now: now.value.now, openReviews });
  };
  const then = async (done: Promise<Result<unknown, PracticeRefused>>) => {
    const answer = await done;
    return answer.ok ? state() : answer;
  };
  return {
    state,
    /** The number of objects, and every campaign with its state. */
    details,
    advance: (duration: string): Promise<Result<ControlState, PracticeRefused>> =>
      then(call('POST', '/clock', { advance: duration })),
    decide: (reviewId: string, verdict: 'approved' | 'rejected'): Promise<Result<ControlState, PracticeRefused>> =>
      then(call('POST', `/reviews/${reviewId}/decide`, { all: verdict })),
    /** Runs the next call of this method at once, and delays its response by `delayMs`. */
    delayNext: (method: string, delayMs: number): Promise<Result<unknown, PracticeRefused>> =>
      call('POST', '/faults', { match: { method }, times: 1, kind: 'delay', delayMs }),
    /** The number of ordered faults that no call has met yet. */
    pendingFaults: async (): Promise<Result<number, PracticeRefused>> => {
      const answer = await call('GET', '/faults', null);
      if (!answer.ok) return answer;
      const pending = Faults.safeParse(answer.value);
      return pending.success ? ok(pending.data.faults.length) : unavailable('its faults are not readable');
    },
    /** Calls of the partner API received by the service, from number `since` on. */
    requests: async (since: number): Promise<Result<readonly PracticeRequest[], PracticeRefused>> => {
      const answer = await call('GET', `/requests?since=${since}`, null);
      if (!answer.ok) return answer;
      const log = Requests.safeParse(answer.value);
      return log.success ? ok(log.data.requests) : unavailable('its request log is not readable');
    },
  };
}

/** The current day of an account: of the business, or for a practice account of its service's clock. */
export const businessDayOf = async (
  practice: PracticeHost | null,
  profile: DeploymentSettings,
  clock: Clock,
): Promise<PlainDate> => dateInZone(await serviceNowMs(practice, clock), profile.business.zone);

/** The practice service's calendar may be weeks ahead; if it can't be asked, the computer's clock is used. */
export async function serviceNowMs(practice: PracticeHost | null, clock: Clock): Promise<number> {
  const control = await practice?.control();
  const state = control?.ok === true ? await control.value.state() : null;
  return state?.ok === true ? Date.parse(state.value.now) : clock.nowMs();
}
