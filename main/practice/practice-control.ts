import { z } from 'zod';
import type { PracticeState } from '../../shared/contract/app.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { PracticeUnavailable } from './practice-service.ts';

/** What the user may do to the practice service from outside: see its time, move it, decide a review. */
export interface PracticeControl {
  state(): Promise<Result<PracticeState, PracticeUnavailable>>;
  advance(duration: string): Promise<Result<PracticeState, PracticeUnavailable>>;
  decide(reviewId: string, verdict: 'approved' | 'rejected'): Promise<Result<PracticeState, PracticeUnavailable>>;
  /** Calls of the partner API that the service has seen from number `since` on. */
  requests(since: number): Promise<Result<readonly PracticeRequest[], PracticeUnavailable>>;
}

const State = z.object({
  now: z.string(),
  campaigns: z
    .array(
      z.object({
        campaignId: z.union([z.int(), z.string()]).transform(String),
        name: z.string(),
        status: z.string(),
      }),
    )
    .default([]),
  reviews: z
    .array(
      z.object({
        reviewId: z.union([z.int(), z.string()]).transform(String),
        campaignId: z.union([z.int(), z.string()]).transform(String),
        status: z.string(),
      }),
    )
    .default([]),
});

const Request = z.object({
  number: z.int(),
  method: z.string(),
  path: z.string(),
  status: z.int(),
  correlationId: z.string().nullable().default(null),
  elements: z.int().nullable().default(null),
  codes: z.array(z.string()).nullable().default(null),
});
export type PracticeRequest = z.infer<typeof Request>;

const OPEN = new Set(['pending', 'in-progress', 'inprogress', 'submitted']);
const CALL_LIMIT_MS = 20_000;

export function createPracticeControl(controlUrl: string): PracticeControl {
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
      if (!answer.ok) return unavailable(`it answered ${answer.status}`);
      return ok(text === '' ? null : JSON.parse(text));
    } catch (error) {
      return unavailable(error instanceof Error ? error.message : 'no answer');
    }
  };
  const state = async (): Promise<Result<PracticeState, PracticeUnavailable>> => {
    const answer = await call('GET', '/state', null);
    if (!answer.ok) return answer;
    const parsed = State.safeParse(answer.value);
    if (!parsed.success) return unavailable('its state is not readable');
    const names = new Map(parsed.data.campaigns.map((campaign) => [campaign.campaignId, campaign.name]));
    const openReviews = parsed.data.reviews
      .filter((review) => OPEN.has(review.status.toLowerCase()))
      .map(({ reviewId, campaignId, status }) => ({ reviewId, campaign: names.get(campaignId) ?? campaignId, status }));
    return ok({ now: parsed.data.now, openReviews });
  };
  const then = async (done: Promise<Result<unknown, PracticeUnavailable>>) => {
    const answer = await done;
    return answer.ok ? state() : answer;
  };
  return {
    state,
    advance: (duration) => then(call('POST', '/clock', { advance: duration })),
    decide: (reviewId, verdict) => then(call('POST', `/reviews/${reviewId}/decide`, { all: verdict })),
    requests: async (since) => {
      const answer = await call('GET', `/requests?since=${since}`, null);
      if (!answer.ok) return answer;
      const list = z.union([z.array(Request), z.object({ requests: z.array(Request) })]).safeParse(answer.value);
      if (!list.success) return unavailable('its request log is not readable');
      return ok(Array.isArray(list.data) ? list.data : list.data.requests);
    },
  };
}

const unavailable = (detail: string): { ok: false; error: PracticeUnavailable } =>
  err({ kind: 'practice-unavailable', detail });
