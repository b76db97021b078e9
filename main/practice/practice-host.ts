import { z } from 'zod';
import type { PracticeState } from '../../shared/api/app.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import {
  Disk,
  type PracticeService,
  type PracticeUnavailable,
  startPracticeService,
  unavailable,
} from './practice-service.ts';

/** The one practice service of an account: started on first use, kept until the account closes. */
export interface PracticeHost {
  service(): Promise<Result<PracticeService, PracticeUnavailable>>;
  control(): Promise<Result<PracticeControl, PracticeUnavailable>>;
  /** Ends the service; none is started after that. */
  close(): Promise<void>;
}

/** @param onClock told the service's time, in milliseconds since 1970, whenever it is learned */
export function createPracticeHost(
  folder: string,
  onClock: (serviceNowMs: number) => Promise<void> = async () => {},
): PracticeHost {
  let starting: Promise<Result<PracticeService, PracticeUnavailable>> | null = null;
  // A service that ended by itself comes back at the same address, so that clients made for it go on.
  let port = 0;
  let isClosed = false;
  const service = async () => {
    // A call may still be on its way when its account is closed: nobody would end what it starts.
    if (isClosed) return unavailable('the account was closed meanwhile');
    const known = starting;
    const running = await known;
    // Several may find it ended at once; it is started again for the first of them, and the others get that one.
    if (running?.ok === true && running.value.hasEnded() && starting === known) starting = null;
    starting ??= startPracticeService(folder, port);
    const own = starting;
    const started = await own;
    if (started.ok) port = Number(new URL(started.value.baseUrl).port);
    else if (starting === own) starting = null;
    return started;
  };
  return {
    service,
    control: async () => {
      const started = await service();
      return started.ok ? ok(createPracticeControl(started.value.controlUrl, onClock)) : started;
    },
    close: async () => {
      isClosed = true;
      const started = await starting;
      if (started?.ok === true) await started.value.close();
      starting = null;
    },
  };
}

/** What the user may do to the practice service from outside: see its time, move it, decide a review. */
export interface PracticeControl {
  state(): Promise<Result<PracticeState, PracticeUnavailable>>;
  advance(duration: string): Promise<Result<PracticeState, PracticeUnavailable>>;
  decide(reviewId: string, verdict: 'approved' | 'rejected'): Promise<Result<PracticeState, PracticeUnavailable>>;
  /** How much there is, and every campaign with its state. */
  details(): Promise<Result<PracticeDetails, PracticeUnavailable>>;
  /** Calls of the partner API that the service has seen from number `since` on. */
  requests(since: number): Promise<Result<readonly PracticeRequest[], PracticeUnavailable>>;
}

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

const Refusal = z.object({ error: z.string().catch(''), disk: Disk });

/** An answer that is none: the simulation says in words what is wrong, and whether its disk is. */
function refused(status: number, text: string): { readonly ok: false; readonly error: PracticeUnavailable } {
  const said = Refusal.safeParse(jsonOrNull(text));
  const { error, disk } = said.success ? said.data : { error: '', disk: null };
  // What it refuses in words, it was there to refuse.
  if (status < 500 && error !== '' && disk === null) {
    return err({ kind: 'practice-unavailable', detail: error, disk, refusedWith: status });
  }
  return unavailable(error === '' ? `it answered ${status}` : `it answered ${status}: ${error}`, disk);
}

const OPEN = new Set(['pending', 'in-progress', 'inprogress', 'submitted']);
const CALL_LIMIT_MS = 20_000;

/** @param onClock told the service's time, in milliseconds since 1970, before an answer that carries it is given */
export function createPracticeControl(
  controlUrl: string,
  onClock: (serviceNowMs: number) => Promise<void>,
): PracticeControl {
  const call = async (
    method: string,
    path: string,
    body: object | null,
  ): Promise<Result<unknown, PracticeUnavailable>> => {
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
      return unavailable(error instanceof Error ? error.message : 'no answer');
    }
  };
  const details = async (): Promise<Result<PracticeDetails, PracticeUnavailable>> => {
    const answer = await call('GET', '/state', null);
    if (!answer.ok) return answer;
    const parsed = Details.safeParse(answer.value);
    if (!parsed.success) return unavailable('its state is not readable');
    await onClock(Date.parse(parsed.data.now));
    return ok(parsed.data);
  };
  const state = async (): Promise<Result<PracticeState, PracticeUnavailable>> => {
    const now = await details();
    if (!now.ok) return now;
    const names = new Map(now.value.campaigns.map((campaign) => [campaign.campaignId, campaign.name]));
    const openReviews = now.value.reviews
      .filter((review) => OPEN.has(review.status.toLowerCase()))
      .map(({ reviewId, campaignId, status }) => ({ reviewId, campaign: names.get(campaignId) ?? campaignId, status }));
    return ok({ now: now.value.now, openReviews });
  };
  const then = async (done: Promise<Result<unknown, PracticeUnavailable>>) => {
    const answer = await done;
    return answer.ok ? state() : answer;
  };
  return {
    state,
    details,
    advance: (duration) => then(call('POST', '/clock', { advance: duration })),
    decide: (reviewId, verdict) => then(call('POST', `/reviews/${reviewId}/decide`, { all: verdict })),
    requests: async (since) => {
      const answer = await call('GET', `/requests?since=${since}`, null);
      if (!answer.ok) return answer;
      const log = Requests.safeParse(answer.value);
      return log.success ? ok(log.data.requests) : unavailable('its request log is not readable');
    },
  };
}
