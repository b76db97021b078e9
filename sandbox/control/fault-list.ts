/**
 * Failures ordered through `POST /sandbox/faults`. They apply to the next matching calls of the partner API, or of an
 * upload address.
 *
 *   kind              the change   the caller gets
 *   status            not made     the given status, body and headers
 *   delay             made         the proper answer, late
 *   drop-before       not made     a closed connection
 *   drop-after        made         a closed connection
 *   truncate          made         half of the answer, then a closed connection
 *   garbage           made         200 with a body that is no JSON
 *   shorten-results   made         the answer without its last result
 */
export const faultKinds = [
  'status',
  'delay',
  'drop-before',
  'drop-after',
  'truncate',
  'garbage',
  'shorten-results',
] as const;
type FaultKind = (typeof faultKinds)[number];

export interface Fault {
  readonly match: { readonly method?: string; readonly path?: string };
  readonly times: number;
  readonly kind: FaultKind;
  readonly status?: number;
  /** An object is sent as JSON, a string as text. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delayMs?: number;
}

export type FaultList = ReturnType<typeof createFaultList>;

export function createFaultList() {
  let faults: readonly Fault[] = [];
  return {
    add: (fault: Fault): void => {
      faults = [...faults, fault];
    },
    /** The fault for this call, whose count is reduced by one; the one ordered first is used. */
    take: (method: string, path: string): Fault | null => {
      if (faults.length === 0) return null;
      const found = faults.find((fault) => isMatch(fault, method, path));
      if (found === undefined) return null;
      faults = faults
        .map((fault) => (fault === found ? { ...fault, times: fault.times - 1 } : fault))
        .filter((fault) => fault.times > 0);
      return found;
    },
    list: (): readonly Fault[] => faults,
    clear: (): void => {
      faults = [];
    },
  };
}

/** A path must match completely; `*` matches any characters. An omitted method or path matches every call. */
function isMatch(fault: Fault, method: string, path: string): boolean {
  const { match } = fault;
  if (match.method !== undefined && match.method.toUpperCase() !== method) return false;
  if (match.path === undefined) return true;
  const pieces = match.path.split('*').map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${pieces.join('.*')}$`).test(path);
}
