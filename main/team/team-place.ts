import { getCACertificates } from 'node:tls';
import { err, ok, type Result } from '../../shared/result.ts';
import type { TeamRecord } from '../accounts/account-record.ts';
import type { ConnectionFields, TeamFailure } from './connection.ts';

/** Where the database of a team is. */
export type TeamPlace = Pick<TeamRecord, 'hosts' | 'database' | 'ca'>;

export interface BadHost {
  readonly kind: 'bad-host';
  readonly host: string;
}

/** A name, an IPv4 address or an IPv6 one, which needs brackets when a port follows. */
const HOST =
  /^(?:\[(?<six>[\da-f:.]+)\]|(?<bare>[\da-f]*:[\da-f]*:[\da-f:.]*)|(?<name>[^\s:/@?#[\]]+))(?::(?<port>\d{1,5}))?$/iu;
const PORT = 5432;

/**
 * How each host is connected to. The server has to prove that it is the host, to an authority of ours or of the system;
 * nothing turns this off. Plain text stays on this machine, and only where no authority is named.
 */
export function connectionFields(
  { hosts, database, ca }: TeamPlace,
  user: string,
  password: string,
): Result<readonly ConnectionFields[], BadHost> {
  const fields: ConnectionFields[] = [];
  for (const typed of hosts) {
    const { six, bare, name, port = String(PORT) } = HOST.exec(typed.trim())?.groups ?? {};
    const host = six ?? bare ?? name;
    if (host === undefined || Number(port) > 65_535) return err({ kind: 'bad-host', host: typed });
    const ssl =
      ca === null && isLoopback(host)
        ? false
        : // The name is said here too: for an address, Node would compare the certificate with `localhost`.
          { host, ca: ca ?? knownAuthorities(), rejectUnauthorized: true, minVersion: 'TLSv1.2' as const };
    fields.push({ host, port: Number(port), database, user, password, ssl, enableChannelBinding: true });
  }
  return ok(fields);
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/u.test(host);

/** Those of Node and those of the system: companies have authorities of their own. */
const knownAuthorities = (): string[] => [...getCACertificates('default'), ...getCACertificates('system')];

/** At which step a connection fails, and why, in words that name what to look at. */
export function failedStep(failure: TeamFailure): { readonly step: TeamStep; readonly detail: string } {
  const { problem, code, message } = failure;
  if (problem === 'not-trusted') return { step: 'tls', detail: TLS[code] ?? message };
  if (code === '3D000') return { step: 'database', detail: '' };
  const step = STEPS[problem];
  return { step, detail: problem === 'unreachable' || problem === 'refused' ? message : '' };
}

export type TeamStep =
  | 'unreachable'
  | 'tls'
  | 'login'
  | 'database'
  | 'read-only'
  | 'version'
  | 'schema'
  | 'rights'
  | 'too-many';

const STEPS: Readonly<Record<TeamFailure['problem'], TeamStep>> = {
  unreachable: 'unreachable',
  busy: 'too-many',
  'read-only': 'read-only',
  'not-trusted': 'tls',
  login: 'login',
  'no-access': 'rights',
  'disk-full': 'read-only',
  'too-old': 'version',
  schema: 'schema',
  refused: 'rights',
};

const UNKNOWN_AUTHORITY = 'its certificate is of an authority that this computer does not know';
const TLS: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  CERT_SIGNATURE_FAILURE: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: 'its certificate is no longer valid',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  '': 'it offers no encryption',
};
