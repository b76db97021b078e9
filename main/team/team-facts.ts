import { z } from 'zod';
import { TEAM_ROLES } from '../../shared/api/choices.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import { KINDS } from '../../shared/model/kinds.ts';
import { openDb } from '../store/db/open-db.ts';
import { readMeta } from '../store/rows/revision.ts';
import type { Queries } from './connection.ts';
import { type Signer, type Signing, signerOf } from './signing.ts';
import { SIGNED_FROM_VERSION } from './sql/schema.ts';

const Signs = z.object({ key: z.string(), fromPush: z.int(), fromVerdict: z.int() }).nullable();

export const TeamFactsShape = z.object({
  /** The number of this computer's member. */
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
      /** The signing key that this computer saw first. */
      signs: Signs.default(null),
    }),
  ),
  /** The version of the database's functions and tables. */
  schema: z.int().default(1),
  /** The computer that may send, or that had unfinished requests when its lease ended. */
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
  /** Computers that have yet to report their requests, since the database may have lost some. */
  unreported: z.array(z.int()),
  places: z.array(z.object({ desk: z.int(), place: z.string() })),
});
/** The members of a team and their computers. Stored on this computer, so that names are known offline. */
export type TeamFacts = z.infer<typeof TeamFactsShape>;

/** Signing, with the number of computers whose key was stored here before, or comes from the database. */
export type CountedSigning = Signing & {
  readonly keys: { readonly seenBefore: number; readonly fromDatabase: number };
};

/**
 * Keys of the team's computers: those stored here, and the database's for all others. Null if no computer signs.
 *
 * @param known facts stored here; null for an administrator without the account
 */
export async function signersInDatabase(
  client: Queries,
  account: string,
  known: TeamFacts | null = null,
): Promise<CountedSigning | null> {
  const { rows } = await client.query<{ no: number; schema: number; signs: unknown }>(
    `SELECT d.no, ${SIGNS} AS signs, (SELECT max(v.version) FROM adslate.schema_version v) AS schema FROM adslate.desk d
     WHERE d.workspace = $1`,
    [account],
  );
  if ((rows[0]?.schema ?? 1) < SIGNED_FROM_VERSION) return null;
  const seen = (known?.desks ?? []).filter(({ signs }) => signs !== null);
  const keys = new Map([
    ...rows.map(({ no, signs }) => [no, Signs.parse(signs)] as const),
    ...seen.map(({ no, signs }) => [no, signs] as const),
  ]);
  const all = [...keys.values()].filter((signs) => signs !== null).length;
  return {
    key: null,
    member: 0,
    keys: { seenBefore: seen.length, fromDatabase: all - seen.length },
    signerOf: async (no) => {
      const key = keys.get(no);
      return key === null || key === undefined ? key : signerOf(key);
    },
  };
}

/** Key under which a workspace stores the facts. */
export const TEAM_FACTS_KEY = 'teamFacts';

/** Team facts kept in a workspace file, even one that another program has open. Null if it was never in a team or can't be read. */
export function keptTeamFacts(file: string): TeamFacts | null {
  try {
    const db = openDb(file, { readOnly: true });
    try {
      return TeamFactsShape.nullable()
        .catch(null)
        .parse(jsonOrNull(readMeta(db, TEAM_FACTS_KEY) ?? ''));
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
}

/** Moments in milliseconds since 1970, by the clock of the database. */
const MS = 'floor(extract(epoch FROM';

const SIGNS = `CASE WHEN d.sign_key IS NOT NULL THEN json_build_object('key', encode(d.sign_key, 'base64'), 'fromPush',
  (to_jsonb(d) ->> 'signs_from_push')::int, 'fromVerdict', (to_jsonb(d) ->> 'signs_from_verdict')::bigint) END`;

/** Null if the database shows nothing of the account. */
export async function readTeamFacts(client: Queries, account: string): Promise<TeamFacts | null> {
  const { rows } = await client.query<{ facts: unknown }>(
    `SELECT json_build_object(
       'me', (SELECT m.no FROM adslate.member m WHERE m.workspace = w.id AND m.login = session_user AND m.state = 'active'),
       'approvals', coalesce((to_jsonb(w) -> 'policy' ->> 'approvals')::int, 0),
       'state', w.state, 'movedTo', w.moved_to, 'schema', (SELECT max(v.version) FROM adslate.schema_version v),
       'members', (SELECT coalesce(json_agg(json_build_object('no', m.no, 'login', m.login, 'display', m.display,
         'roles', m.roles, 'state', m.state, 'invitedBy', m.invited_by, 'invitedAt', ${MS} m.invited_at) * 1000)::bigint)
         ORDER BY m.no), '[]') FROM adslate.member m WHERE m.workspace = w.id),
       'desks', (SELECT coalesce(json_agg(json_build_object('no', d.no, 'member', d.member, 'name', d.name,
         'format', d.format, 'seen', d.seen, 'at', ${MS} d.at) * 1000)::bigint, 'revoked', d.revoked,
         'signs', ${SIGNS}) ORDER BY d.no), '[]')
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

/**
 * The facts read, with the keys that computers were seen with before: so the database can't replace them.
 *
 * @param known facts stored here; null for a computer that has to trust the database
 */
export function withKnownKeys(read: TeamFacts, known: TeamFacts | null): TeamFacts {
  const before = (known?.desks ?? []).filter(({ signs }) => signs !== null);
  const desks = read.desks.map((desk) => ({
    ...desk,
    signs: before.find(({ no }) => no === desk.no)?.signs ?? desk.signs,
  }));
  const gone = before.filter(({ no }) => !desks.some((desk) => desk.no === no));
  return { ...read, desks: [...desks, ...gone.map((desk) => ({ ...desk, revoked: true }))] };
}

/**
 * Keys of computers as stored here; the facts are read again for unknown computers.
 *
 * @param learn reads the facts again
 */
export function signersIn(facts: () => TeamFacts, learn: () => Promise<unknown>) {
  const keys = new Map<string, Signer>();
  let asking: Promise<unknown> | null = null;
  return async (no: number, isSigned: boolean): Promise<Signer | null | undefined> => {
    const find = () => facts().desks.find((desk) => desk.no === no);
    if (find() === undefined || (isSigned && find()?.signs === null)) {
      asking ??= learn().finally(() => {
        asking = null;
      });
      await asking;
    }
    const signs = find()?.signs;
    if (signs === null || signs === undefined) return signs;
    const signer = keys.get(signs.key) ?? signerOf(signs);
    keys.set(signs.key, signer);
    return { ...signer, fromPush: signs.fromPush, fromVerdict: signs.fromVerdict };
  };
}
