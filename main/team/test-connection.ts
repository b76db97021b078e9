import type { TeamStep } from '../../shared/error-help/database-problem.ts';
import { fail } from '../../shared/result.ts';
import type { Clock } from '../app/clock.ts';
import { schemaVersion } from './admin.ts';
import { type JoinProblem, withTeamDatabase } from './join.ts';
import type { TeamPlace } from './team-place.ts';

/** Connects and reports the result. */
export async function testTeamConnection(
  place: TeamPlace,
  login: { readonly login: string; readonly password: string },
  clock: Clock,
) {
  const found = await withTeamDatabase(place, login, { clock, random: Math.random }, async (client) => {
    const before = clock.monotonicMs();
    const { rows } = await client.query<{ version: string; ssl: boolean }>(
      `SELECT current_setting('server_version') AS version,
         coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS ssl`,
    );
    const roundTripMs = clock.monotonicMs() - before;
    const isPrepared = (await schemaVersion(client)) !== null;
    const tls = rows[0]?.ssl === true ? ('verified' as const) : ('plain' as const);
    return { version: rows[0]?.version ?? '', tls, roundTripMs, isPrepared };
  });
  return found.ok ? found : refusedOnLine(found.error);
}

export const badConnection = (step: TeamStep, host = '', detail = '') =>
  fail('BAD_TEAM_CONNECTION', { step, host, detail });

export function refusedJoin(problem: Exclude<JoinProblem, { kind: 'has-team' }>) {
  switch (problem.kind) {
    case 'bad-host':
      return badConnection('bad-host', problem.host);
    case 'secrets-refused':
      return badConnection('secrets');
    case 'invitation':
      return badConnection('login');
    default:
      return badConnection(problem.step, problem.host, problem.detail);
  }
}

/** An existing team is a problem only when a team is created. */
export const refusedOnLine = (problem: JoinProblem) =>
  problem.kind === 'has-team' ? badConnection('schema') : refusedJoin(problem);
