/** An answer of the service that is no use, as the contract tells of it. */
export interface ServiceAnswered {
  readonly status: number;
  /** Method and path; empty where they are not known. */
  readonly call: string;
  /** What the answer was, or its own words. */
  readonly detail: string;
  /** The moment it named for another try, in milliseconds since 1970. */
  readonly retryAt: number | null;
}

/**
 * Says that the service answered and what, so that nobody looks for a fault in the network.
 *
 * @param timeText how a moment is written; in UTC to the minute when it is not said
 */
export function serviceAnsweredText(
  { status, call, detail, retryAt }: ServiceAnswered,
  timeText: (ms: number) => string = utcText,
): string {
  const asked = call === '' ? '' : ` ${call}`;
  const said = detail.trim().replace(/\.$/, '');
  const what = `The service answered${asked} with status ${status}${said === '' ? '' : `: ${said}`}.`;
  const until = retryAt === null ? null : timeText(retryAt);
  if (status === 429) {
    const when = until === null ? 'later' : `after ${until}`;
    return `${what} It takes no more requests${until === null ? ' for now' : ` until ${until}`}. Nothing was lost; try again ${when}, or earlier if you know better.`;
  }
  if (status >= 400 && status < 500) return `${what} Nothing was lost; check the account and what was asked for.`;
  if (until !== null) return `${what} It asks to wait until ${until}. Nothing was lost; try again then.`;
  return `${what} Nothing was lost. This is usually temporary: try again later; if it stays, check the service address, and whether a proxy or a sign-in page is in the way.`;
}

const utcText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
