import type { Clock } from '../app/clock.ts';
import { schemaVersion } from './admin.ts';
import { withTeamDatabase } from './join.ts';
import type { TeamPlace } from './team-place.ts';

/** Connects and reports the result. */
export function testTeamConnection(
  place: TeamPlace,
  login: { readonly login: string; readonly password: string },
  clock: Clock,
) {
  return withTeamDatabase(place, login, { clock, random: Math.random }, async (client) => {
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
}
