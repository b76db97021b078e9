/** The numbered log of API calls that `GET /sandbox/requests` shows; the last 10,000 are kept, in memory. */
interface LoggedRequest {
  readonly n: number;
  /** The sandbox's clock, ISO 8601. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  /** 0 if the connection was closed without an answer. */
  readonly status: number;
  readonly correlationId: string | null;
  readonly principal: { readonly advertiserId: number; readonly role: string; readonly consumerId: string } | null;
  /** The number of elements in the request. */
  readonly elementCount: number;
  /** The `code` of each element answered, in order. */
  readonly elementCodes: readonly string[];
  /** The kind of fault that affected the call; null without one. */
  readonly fault: string | null;
}

export type RequestLog = ReturnType<typeof createRequestLog>;

const KEPT = 10_000;
/** Removing many entries at once makes a call's cost negligible; the log never has more than both limits together. */
const CUT_AT_ONCE = 1000;

export function createRequestLog() {
  let requests: LoggedRequest[] = [];
  let last = 0;
  return {
    add: (request: Omit<LoggedRequest, 'n'>): void => {
      last += 1;
      requests.push({ n: last, ...request });
      if (requests.length >= KEPT + CUT_AT_ONCE) requests = requests.slice(-KEPT);
    },
    /** Requests with a number above `n`, oldest first. */
    since: (n: number): readonly LoggedRequest[] => requests.filter((request) => request.n > n).slice(-KEPT),
    last: (): number => last,
    clear: (): void => {
      requests = [];
      last = 0;
    },
  };
}
