import type { AccountRecord } from './account-record.ts';

/** Who an account is for the service. Consumer id, key and names of headers say how it is spoken to, not who it is. */
type Advertiser = Pick<AccountRecord, 'practice' | 'baseUrl' | 'advertiserId'>;

/** The first account that is this advertiser on this service, however its address was typed; null when there is none. */
export const sameAdvertiser = <A extends Advertiser>(accounts: readonly A[], wanted: Advertiser): A | null =>
  // Each practice account has a service of its own.
  (wanted.practice ? null : accounts.find((account) => !account.practice && keyOf(account) === keyOf(wanted))) ?? null;

const keyOf = ({ baseUrl, advertiserId }: Advertiser): string =>
  `${serviceOf(baseUrl)} ${advertiserId.replace(/^0+(?=\d)/u, '')}`;

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * One text for every way to write an address: case, a slash or point at the end, the port that is meant anyway. Capitals in
 * the path count for nothing as well: two services of one host that differ by them alone are less likely than a slip.
 */
function serviceOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl.trim().toLowerCase();
  const { protocol, hostname, port, pathname } = new URL(baseUrl.trim());
  const name = hostname.toLowerCase().replace(/\.$/u, '');
  const host = LOOPBACK.has(name) ? 'localhost' : name;
  const path = decoded(pathname)
    .toLowerCase()
    .replace(/\/{2,}/gu, '/')
    .replace(/\/$/u, '');
  return `${host}:${port === '' ? DEFAULT_PORTS[protocol] : port}${path}`;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A "%" that stands for itself: then nothing in it was encoded.
    return path;
  }
}
