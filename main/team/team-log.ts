import { createHash } from 'node:crypto';
import { err, ok, type Result } from '../../shared/result.ts';
import { type ChangeSet, isEmpty } from '../../shared/team/change-set.ts';
import type { LogPlace, Push, PushAnswer, SetKind, TeamEntry } from '../../shared/team/position.ts';
import type { Queries } from './connection.ts';
import { packChangeSet, unpackChangeSet } from './payload.ts';

/** The log of a team as one computer reads and writes it. Calls are made one after the other: one connection, one query at a time. */
export type TeamLog = ReturnType<typeof openTeamLog>;

export const CHANGE_SET_FORMAT = 1;

/** Why an entry cannot be folded: it is not what its place in the chain says, its bytes are none of ours, or they are of a later version. */
export type EntryError = { readonly seq: number; readonly is: 'wrong-hash' | 'damaged' | 'newer' };

/** About this much is asked for at once: whichever is reached first. */
const ANSWER_ROWS = 2000;
const ANSWER_BYTES = 4_000_000;

interface EntryRow {
  readonly seq: string;
  readonly desk: number;
  readonly push: number;
  readonly member: number;
  /** Milliseconds since 1970, by the clock of the database. */
  readonly at: string;
  readonly kind: SetKind;
  readonly label: string;
  readonly based: string;
  readonly scopes: string;
  readonly format: number;
  readonly payload: Buffer;
  readonly hash: Buffer;
}

export function openTeamLog(client: Queries, account: string, desk: number) {
  /** Null where the log has no such entry, or no longer: behind the place up to which it was pruned, only snapshots go on. */
  const hashAt = async (seq: number): Promise<string | null> => {
    const { rows } = await client.query<{ hash: Buffer }>(
      `SELECT hash FROM adslate.change_set WHERE workspace = $1 AND seq = $2
       UNION ALL SELECT pruned_hash FROM adslate.workspace WHERE id = $1 AND pruned_to = $2`,
      [account, seq],
    );
    return rows[0]?.hash.toString('hex') ?? null;
  };

  return {
    hashAt,
    /** One statement and one transaction: a call whose answer is lost is made again, with the same number. */
    append: async (
      { push, based, changes, scopes }: Push,
      label: string,
      kind: SetKind = 'edit',
    ): Promise<PushAnswer> => {
      const { rows } = await client.query<{ answer: PushAnswer }>(
        'SELECT answer FROM adslate.append_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
        [
          account,
          desk,
          push,
          based.seq,
          Buffer.from(based.hash, 'hex'),
          kind,
          label,
          `{${scopes.map((scope) => `[${scope},${scope}]`).join(',')}}`,
          isEmpty(changes) ? 0 : changes.made.length + changes.removed.length + changes.cells.length,
          CHANGE_SET_FORMAT,
          packChangeSet(changes),
        ],
      );
      const answer = rows[0]?.answer;
      if (answer === undefined) throw new Error('append_v1 returned no row');
      return answer;
    },
    /**
     * The entries behind a place, as many as fit into one answer; null when the place is not in this log. Each is checked
     * against the chain. One that cannot be read ends the answer, and is the error when it is the first.
     */
    after: async (place: LogPlace, most = ANSWER_ROWS): Promise<Result<readonly TeamEntry[], EntryError> | null> => {
      if ((await hashAt(place.seq)) !== place.hash) return null;
      const { rows } = await client.query<EntryRow>(
        `SELECT seq, desk, push, member, floor(extract(epoch FROM at) * 1000) AS at, kind, label, based, scopes::text, format,
           payload, hash
         FROM (SELECT *, sum(octet_length(payload)) OVER (ORDER BY seq) - octet_length(payload) AS bytes_before
           FROM adslate.change_set WHERE workspace = $1 AND seq > $2 ORDER BY seq LIMIT $3) AS behind
         WHERE bytes_before <= $4 ORDER BY seq`,
        [account, place.seq, most, ANSWER_BYTES],
      );
      const entries: TeamEntry[] = [];
      let before = place.hash;
      for (const row of rows) {
        const entry = entryOf(row, before);
        if (!entry.ok) return entries.length === 0 ? entry : ok(entries);
        entries.push(entry.value);
        before = entry.value.hash;
      }
      return ok(entries);
    },
  };
}

function entryOf(row: EntryRow, before: string): Result<TeamEntry, EntryError> {
  const seq = Number(row.seq);
  const hash = row.hash.toString('hex');
  if (chained(before, row) !== hash) return err({ seq, is: 'wrong-hash' });
  const changes: Result<ChangeSet, 'damaged' | 'newer'> =
    row.format > CHANGE_SET_FORMAT ? err('newer') : unpackChangeSet(row.payload);
  if (!changes.ok) return err({ seq, is: changes.error });
  const { desk, push, member, kind, label } = row;
  return ok({ seq, hash, desk, push, member, at: Number(row.at), kind, label, changes: changes.value });
}

/** As `adslate.chained` in the schema: what an entry is, behind the hash of the one before it. */
function chained(before: string, row: EntryRow): string {
  const label = row.label.replaceAll('\n', ' ');
  const facts = [row.seq, row.desk, row.push, row.kind, label, row.based, row.scopes, row.format].join('\n');
  return createHash('sha256')
    .update(Buffer.from(before, 'hex'))
    .update(facts)
    .update(Buffer.of(0))
    .update(row.payload)
    .digest('hex');
}
