import { unreachable } from '../result.ts';

/** Why a deployment did not accept a connection: the call, its response, and how many forms of it were tried. */
export interface RefusedConnection {
  readonly step: 'access' | 'base-url' | 'unreachable';
  /** Method and address, such as `GET https://api.example.com/api/v1/media`. */
  readonly call: string;
  /** Status of the response; null when there was none. */
  readonly status: number | null;
  /** The service's message, or the cause of a broken connection. */
  readonly words: string;
  readonly tried: number;
  /** How far the service's clock is ahead of this computer's; null without a date in the response. */
  readonly skewSeconds: number | null;
}

/** A signature is valid for some minutes, so a smaller clock difference is not the cause. */
const SKEW_THAT_MATTERS_SECONDS = 120;

/** A setting of the connection that may differ from the entered one. */
export type ConnectionSetting = 'baseUrl' | 'headerPrefix' | 'keyVersion' | 'timestampUnit' | 'signatureAlgorithm';

function foundSettingText(setting: ConnectionSetting, value: string): string {
  switch (setting) {
    case 'baseUrl':
      return `The base URL of the service is ${value}.`;
    case 'headerPrefix':
      return `The service uses the header prefix ${value}.`;
    case 'keyVersion':
      return `The service uses key version ${value}.`;
    case 'timestampUnit':
      return `The service uses timestamps in ${value === 's' ? 'seconds' : 'milliseconds'}.`;
    case 'signatureAlgorithm':
      return `The service uses ${value} signatures.`;
    default:
      return unreachable(setting);
  }
}

interface FoundConnection {
  readonly found: readonly { readonly setting: ConnectionSetting; readonly value: string }[];
  readonly clockAheadSeconds: number | null;
}

/** One sentence for each setting or clock that the connection test found to differ. */
export function foundTexts({ found, clockAheadSeconds }: FoundConnection): readonly string[] {
  const clock = clockText(clockAheadSeconds);
  return [
    ...found.map(({ setting, value }) => `${foundSettingText(setting, value)} Stored.`),
    ...(clock === null ? [] : [`${clock} Adslate allows for it in requests. Set the clock, so that dates are right.`]),
  ];
}

/** The failure, what was tried, and the next step. */
export function refusedConnectionText(refused: RefusedConnection): string {
  const { call, status, words, tried } = refused;
  // The cause of a broken connection is a code, or a sentence.
  const cause = words === '' ? '.' : words.endsWith('.') ? `. ${words}` : ` (${words}).`;
  const response =
    status === null
      ? `There was no response to ${call}${cause}`
      : `${call} returned ${status}${words === '' ? '' : ` "${words}"`}.`;
  const others =
    refused.step === 'access' && tried > 2
      ? ` Adslate tried ${tried} combinations of time unit, header prefix, key version and signature algorithm.`
      : '';
  return `${response}${others} ${causeOf(refused)}`;
}

function causeOf({ step, status, words, skewSeconds }: RefusedConnection): string {
  if (status === null) return 'Check the network and the base URL, then try again. Nothing was stored.';
  if (status === 429) return 'The service limits requests now. Wait some minutes, then try again.';
  if (step === 'unreachable') return 'The service is failing. This is usually temporary. Try again later.';
  if (status >= 300 && status < 400) {
    return 'Adslate does not follow redirects with your credentials. Enter the final address as the base URL.';
  }
  if (step === 'base-url') {
    return 'The address responds, but not as the ad service. Check the base URL; it ends before "/api".';
  }
  if (status === 403 && !/not authenticated/i.test(words)) {
    return 'The credentials work, but not for this advertiser ID. Check the ID, or request access to it.';
  }
  const clock = clockText(skewSeconds);
  if (clock !== null) return `${clock} Set it, then try again.`;
  return 'Check that the token has not expired, that the header prefix is correct, and that consumer ID, key version and key belong together.';
}

function clockText(aheadSeconds: number | null): string | null {
  if (aheadSeconds === null || Math.abs(aheadSeconds) <= SKEW_THAT_MATTERS_SECONDS) return null;
  const side = aheadSeconds > 0 ? 'behind' : 'ahead of';
  return `The clock of this computer is ${spanText(Math.abs(aheadSeconds))} ${side} the service.`;
}

const spanText = (seconds: number): string =>
  seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`;

/** A response of the service that can't be used, as in the contract. */
export interface ServiceAnswered {
  readonly status: number;
  /** Method and path; empty if unknown. */
  readonly call: string;
  /** Description of the response, or its message. */
  readonly detail: string;
  /** The time of a retry that it named, in milliseconds since 1970. */
  readonly retryAt: number | null;
}

/**
 * States that the service responded, and with what, so that the user does not look for a fault in the network.
 *
 * @param timeText formats a time; default: UTC to the minute
 */
export function serviceAnsweredText(
  { status, call, detail, retryAt }: ServiceAnswered,
  timeText: (ms: number) => string = utcText,
): string {
  const asked = call === '' ? '' : ` to ${call}`;
  // The cause of an unconfirmed request begins with its status.
  const said = detail.trim().replace(`the service answered ${status}: `, '').replace(/\.$/, '');
  const what = `The service responded${asked} with status ${status}${said === '' ? '' : `: ${said}`}.`;
  const until = retryAt === null ? null : timeText(retryAt);
  if (status === 429) {
    const when = until === null ? 'later' : `after ${until}`;
    return `${what} It accepts no more requests${until === null ? ' for now' : ` until ${until}`}. Nothing was lost. Try again ${when}.`;
  }
  if (status >= 400 && status < 500) return `${what} Nothing was lost. Check the account and the request.`;
  if (until !== null) return `${what} It requests to wait until ${until}. Nothing was lost. Try again then.`;
  return `${what} Nothing was lost. This is usually temporary. Try again later. If it fails again, check the service address, and whether a proxy or a sign-in page blocks it.`;
}

const utcText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
