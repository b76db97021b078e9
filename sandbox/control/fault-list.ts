/**
 * Failures ordered through `POST /sandbox/faults`: the next matching calls of the partner API, or of an upload address,
 * meet them.
 *
 *   kind              the change   the caller sees
 *   status            not made     the given status, body and headers
 *   delay             made         the proper answer, late
 *   drop-before       not made     a cut connection
 *   drop-after        made         a cut connection
 *   truncate          made         half of the answer, then a cut connection
 *   garbage           made         200 with something that is no JSON
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
  /** Sent as it is: an object as JSON, a string as text. */
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
    /** The fault that meets this call, used up by one; the one ordered first wins. */
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

/** A path matches whole; `*` stands for any run of characters. An absent method or path matches every call. */
function isMatch(fault: Fault, method: string, path: string): boolean {
  const { match } = fault;
  if (match.method !== undefined && match.method.toUpperCase() !== method) return false;
  if (match.path === undefined) return true;
  const pieces = match.path.split('*').map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${pieces.join('.*')}$`).test(path);
}
