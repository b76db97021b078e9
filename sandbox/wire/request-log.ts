/** The numbered log of API calls that `GET /sandbox/requests` shows; the last 10,000 are kept, in memory. */
interface LoggedRequest {
  readonly n: number;
  /** The sandbox's clock, ISO 8601. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  /** 0 when the connection was cut instead of answered. */
  readonly status: number;
  readonly correlationId: string | null;
  readonly principal: { readonly advertiserId: number; readonly role: string; readonly consumerId: string } | null;
  /** How many elements the request carried. */
  readonly elementCount: number;
  /** The `code` of each element answered, in order. */
  readonly elementCodes: readonly string[];
  /** The kind of fault that met the call, if one did. */
  readonly fault: string | null;
}

export interface RequestLog {
  readonly add: (request: Omit<LoggedRequest, 'n'>) => void;
  /** Those with a number above `n`, oldest first. */
  readonly since: (n: number) => readonly LoggedRequest[];
  readonly last: () => number;
  readonly clear: () => void;
}

const KEPT = 10_000;

export function createRequestLog(): RequestLog {
  let requests: LoggedRequest[] = [];
  let last = 0;
  return {
    add: (request) => {
      last += 1;
      requests.push({ n: last, ...request });
      // Cutting in large steps keeps the cost per call near nothing.
      if (requests.length >= 2 * KEPT) requests = requests.slice(-KEPT);
    },
    since: (n) => requests.filter((request) => request.n > n).slice(-KEPT),
    last: () => last,
    clear: () => {
      requests = [];
      last = 0;
    },
  };
}
