import type { RunningSandbox } from '../../sandbox/start.ts';

/** Steers a practice service through its control interface. */
export interface Control {
  advance(duration: string): Promise<void>;
  fault(fault: object): Promise<void>;
  clearFaults(): Promise<void>;
  requests(): Promise<readonly LoggedRequest[]>;
  state(): Promise<SandboxState>;
  decideAll(reviewId: string, verdict: 'approved' | 'rejected'): Promise<void>;
  /** Decides a review part by part. */
  decide(reviewId: string, components: readonly object[]): Promise<void>;
  console(path: string, body: object): Promise<void>;
  /** Flips the item ids of an account to their new form. */
  migrate(advertiserId: number): Promise<void>;
  /** What answers look like from here on: by call and member, other words for those of the document. */
  words(words: object): Promise<void>;
  /** Starts over with accounts and a catalogue and nothing else. */
  reset(): Promise<void>;
}

export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly correlationId: string | null;
  readonly elements?: number;
  readonly codes?: readonly string[];
}

export interface SandboxState {
  readonly now: string;
  readonly campaigns: readonly {
    readonly campaignId: number;
    readonly name: string;
    readonly status: string;
    readonly adGroups: readonly { readonly adGroupId: number }[];
  }[];
}

export function controlOf({ ready: { controlUrl } }: RunningSandbox): Control {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(controlUrl + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  return {
    advance: async (duration) => void (await call('POST', '/clock', { advance: duration })),
    fault: async (fault) => void (await call('POST', '/faults', fault)),
    clearFaults: async () => void (await call('DELETE', '/faults')),
    requests: async () => {
      const answer = await call('GET', '/requests?since=0');
      return (Array.isArray(answer) ? answer : (answer as { requests: unknown }).requests) as readonly LoggedRequest[];
    },
    state: async () => (await call('GET', '/state')) as SandboxState,
    decideAll: async (reviewId, verdict) => void (await call('POST', `/reviews/${reviewId}/decide`, { all: verdict })),
    decide: async (reviewId, components) => void (await call('POST', `/reviews/${reviewId}/decide`, { components })),
    migrate: async (advertiserId) => void (await call('POST', `/accounts/${advertiserId}/migrate`, {})),
    words: async (words) => void (await call('POST', '/wire', { words })),
    reset: async () => void (await call('POST', '/reset', { scenario: 'empty' })),
    console: async (path, body) => void (await call('POST', `/console/${path}`, body)),
  };
}
