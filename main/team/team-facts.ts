import { z } from 'zod';
import { TEAM_ROLES } from '../../shared/api/choices.ts';
import { KINDS } from '../../shared/model/kinds.ts';
import type { Queries } from './connection.ts';

export const TeamFactsShape = z.object({
  /** The number of the member that this computer belongs to. */
  me: z.int(),
  approvals: z.int(),
  state: z.enum(['open', 'closed', 'moved']).default('open'),
  movedTo: z
    .object({ hosts: z.array(z.string()), database: z.string() })
    .nullable()
    .default(null),
  members: z.array(
    z.object({
      no: z.int(),
      login: z.string(),
      display: z.string(),
      roles: z.array(z.enum(TEAM_ROLES)),
      state: z.enum(['invited', 'active', 'removed']),
      invitedBy: z.int().nullable(),
      invitedAt: z.int(),
    }),
  ),
  desks: z.array(
    z.object({
      no: z.int(),
      member: z.int(),
      name: z.string(),
      format: z.int(),
      seen: z.int(),
      at: z.int(),
      revoked: z.boolean(),
    }),
  ),
  /** Who may send, or was sending when the right ended with requests on their way. */
  sender: z
    .object({
      desk: z.int(),
      member: z.int(),
      since: z.int(),
      until: z.int(),
      isOver: z.boolean(),
      unconfirmed: z.int(),
      first: z.array(z.object({ kind: z.enum(KINDS), id: z.int() })),
    })
    .nullable(),
  /** Computers that have yet to say what they sent, since the database may have forgotten it. */
  unreported: z.array(z.int()),
  places: z.array(z.object({ desk: z.int(), place: z.string() })),
});
/** Who is in a team and with which computers. Kept on this computer, so that names are known offline. */
export type TeamFacts = z.infer<typeof TeamFactsShape>;

/** As it is kept in the workspace. */
export const TEAM_FACTS_KEY = 'teamFacts';

/** Moments in milliseconds since 1970, by the clock of the database. */
const MS = 'floor(extract(epoch FROM';

/** Null where nothing of the account is shown. */
export async function readTeamFacts(client: Queries, account: string): Promise<TeamFacts | null> {
  const { rows } = await client.query<{ facts: unknown }>(
    `SELECT json_build_object(
       'me', (SELECT m.no FROM adslate.member m WHERE m.workspace = w.id AND m.login = session_user AND m.state = 'active'),
       'approvals', coalesce((to_jsonb(w) -> 'policy' ->> 'approvals')::int, 0),
       'state', w.state, 'movedTo', w.moved_to,
       'members', (SELECT coalesce(json_agg(json_build_object('no', m.no, 'login', m.login, 'display', m.display,
         'roles', m.roles, 'state', m.state, 'invitedBy', m.invited_by, 'invitedAt', ${MS} m.invited_at) * 1000)::bigint)
         ORDER BY m.no), '[]') FROM adslate.member m WHERE m.workspace = w.id),
       'desks', (SELECT coalesce(json_agg(json_build_object('no', d.no, 'member', d.member, 'name', d.name,
         'format', d.format, 'seen', d.seen, 'at', ${MS} d.at) * 1000)::bigint, 'revoked', d.revoked) ORDER BY d.no), '[]')
         FROM adslate.desk d WHERE d.workspace = w.id),
       'sender', (SELECT json_build_object('desk', l.desk, 'member', l.member, 'since', ${MS} l.taken_at) * 1000)::bigint,
         'until', ${MS} l.expires_at) * 1000)::bigint, 'isOver', l.expires_at <= clock_timestamp(), 'unconfirmed', open.count,
         'first', open.first)
         FROM adslate.lease l CROSS JOIN LATERAL (SELECT count(*), coalesce((array_agg(json_build_object('kind', o.kind,
             'id', o.row_id) ORDER BY o.intent, o.idx))[1:5], '{}') AS first
           FROM adslate.intent_op o WHERE o.workspace = w.id AND o.state IN ('SENT', 'IN_DOUBT')) AS open
         WHERE l.workspace = w.id AND l.desk IS NOT NULL AND (l.expires_at > clock_timestamp() OR open.count > 0)),
       'unreported', coalesce((SELECT to_json(l.unreported) FROM adslate.lease l WHERE l.workspace = w.id), '[]'),
       'places', (SELECT coalesce(json_agg(json_build_object('desk', p.desk, 'place', p.place)), '[]')
         FROM adslate.presence p WHERE p.workspace = w.id)) AS facts
     FROM adslate.workspace w WHERE w.id = $1`,
    [account],
  );
  return rows[0] === undefined ? null : TeamFactsShape.parse(rows[0].facts);
}
