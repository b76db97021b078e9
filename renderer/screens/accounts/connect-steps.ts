/** The steps in which main proves a connection, in its order; each is only tried when the one before it held. */
export const CONNECT_STEPS = ['addresses', 'key', 'token', 'answer', 'clock', 'access'] as const;
export type ConnectStep = (typeof CONNECT_STEPS)[number];
export type StepState = 'done' | 'failed' | 'open' | 'running';

/** The step that a refusal of main belongs to; null for one that is about none, such as a name that is taken. */
export function stepOf(refusal: string): ConnectStep | null {
  switch (refusal) {
    case 'base-url':
    case 'retail-host':
      return 'addresses';
    case 'key':
    case 'key-locked':
      return 'key';
    case 'token':
      return 'token';
    case 'unreachable':
      return 'answer';
    case 'clock':
      return 'clock';
    case 'access':
      return 'access';
    default:
      return null;
  }
}

/**
 * How far the proof came.
 *
 * @param failedAt null while it is under way: then all of it is, since main answers once
 */
export function stepsAfter(
  failedAt: ConnectStep | null,
): readonly { readonly step: ConnectStep; readonly state: StepState }[] {
  const end = failedAt === null ? -1 : CONNECT_STEPS.indexOf(failedAt);
  return CONNECT_STEPS.map((step, at) => {
    if (failedAt === null) return { step, state: 'running' };
    return { step, state: at < end ? 'done' : at === end ? 'failed' : 'open' };
  });
}
