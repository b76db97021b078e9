import { getCACertificates } from 'node:tls';
import type { Failure } from '../../shared/api/operation.ts';
import type { DatabaseProblem, TeamStep } from '../../shared/error-help/database-problem.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import type { TeamRecord } from '../accounts/account-record.ts';
import type { ConnectionFields, TeamFailure } from './connection.ts';

/** The address of a team's database. */
export type TeamPlace = Pick<TeamRecord, 'hosts' | 'database' | 'ca'>;

export const badConnection = (step: TeamStep, host = '', detail = '') =>
  fail('BAD_TEAM_CONNECTION', { step, host, detail });

/** A name, an IPv4 address or an IPv6 one, which needs brackets when a port follows. */
const HOST =
  /^(?:\[(?<six>[\da-f:.]+)\]|(?<bare>[\da-f]*:[\da-f]*:[\da-f:.]*)|(?<name>[^\s:/@?#[\]]+))(?::(?<port>\d{1,5}))?$/iu;
const PORT = 5432;

/**
 * How to connect to each host. The server's certificate must be valid for the host, from the given authority or a known
 * one; nothing turns this off. Plain text is used only on this computer, and only if no authority is given.
 */
export function connectionFields(
  { hosts, database, ca }: TeamPlace,
  user: string,
  password: string,
): Result<readonly ConnectionFields[], Failure<'BAD_TEAM_CONNECTION'>> {
  const fields: ConnectionFields[] = [];
  for (const typed of hosts) {
    const { six, bare, name, port = String(PORT) } = HOST.exec(typed.trim())?.groups ?? {};
    const host = six ?? bare ?? name;
    if (host === undefined || Number(port) > 65_535) return badConnection('bad-host', typed);
    const ssl =
      ca === null && isLoopback(host)
        ? false
        : // The name is passed here too: for an address, Node would compare the certificate with `localhost`.
          { host, ca: ca ?? knownAuthorities(), rejectUnauthorized: true, minVersion: 'TLSv1.2' as const };
    fields.push({ host, port: Number(port), database, user, password, ssl, enableChannelBinding: true });
  }
  return ok(fields);
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/u.test(host);

/** Authorities of Node and of the system, which include those of companies. */
const knownAuthorities = (): string[] => [...getCACertificates('default'), ...getCACertificates('system')];

/** The step at which a connection failed, and the host. */
export function failedStep({ problem, code, message, host }: TeamFailure): DatabaseProblem {
  if (problem === 'not-trusted') {
    const step = TLS[code] ?? 'tls';
    return { step, host, detail: step === 'tls' ? message : '' };
  }
  if (code === 'AD003') return { step: 'old-version', host, detail: '' };
  if (code === '3D000') return { step: 'database', host, detail: '' };
  return { step: STEPS[problem], host, detail: problem === 'unreachable' || problem === 'refused' ? message : '' };
}

const STEPS: Readonly<Record<TeamFailure['problem'], TeamStep>> = {
  unreachable: 'unreachable',
  busy: 'too-many',
  'read-only': 'read-only',
  'not-trusted': 'tls',
  locked: 'secrets',
  forgotten: 'forgotten',
  password: 'login',
  login: 'login',
  'no-access': 'rights',
  closed: 'closed',
  'disk-full': 'disk-full',
  'too-old': 'version',
  schema: 'schema',
  refused: 'refused',
};

const TLS: Readonly<Record<string, TeamStep>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls-name',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls-authority',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls-authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls-authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls-authority',
  CERT_SIGNATURE_FAILURE: 'tls-authority',
  CERT_HAS_EXPIRED: 'tls-date',
  CERT_NOT_YET_VALID: 'tls-date',
  '': 'tls-off',
};
