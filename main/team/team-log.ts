import { createHash } from 'node:crypto';
import { err, ok, type Result } from '../../shared/result.ts';
import { type ChangeSet, sizeOf } from '../../shared/team/change-set.ts';
import type { LogPlace, Push, PushAnswer, SetKind, TeamEntry } from '../../shared/team/position.ts';
import { type Queries, TeamFailure } from './connection.ts';
import { packChangeSet, unpackChangeSet } from './payload.ts';

/** The log of a team as one computer reads and writes it. Calls are made one after the other: one connection, one query at a time. */
export type TeamLog = ReturnType<typeof openTeamLog>;

export const CHANGE_SET_FORMAT = 2;

/** Why an entry cannot be folded: it is not what its place in the chain says, its bytes are none of ours, or they are of a later version. */
export type EntryError = {
  readonly seq: number;
  readonly is: 'wrong-hash' | 'damaged' | 'newer';
  readonly format: number;
};

/**
 * About this much is asked for at once, whichever is reached first. An answer is folded in one transaction, for which the edits of
 * the user wait, and is unpacked in the thread that answers the window.
 */
const ANSWER_ROWS = 1000;
const ANSWER_CELLS = 10_000;
const ANSWER_BYTES = 4_000_000;
const PART_BYTES = 2 ** 20;

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
  /** The set, or the hashes of the parts that it is in. */
  readonly payload: Buffer;
  readonly parts: number;
  readonly hash: Buffer;
}

interface LogExtent {
  readonly head: number;
  /** Entries up to this one are only in snapshots any more. */
  readonly prunedTo: number;
  readonly hash: string | null;
}

export function openTeamLog(client: Queries, account: string, desk: number) {
  /**
   * How far the log is, up to where it was pruned, and the hash of one of its entries, null where it has no such entry.
   *
   * @throws where nothing of the account is shown: somebody who was removed must not take that for a log that was lost
   */
  const look = async (seq: number): Promise<LogExtent> => {
    const { rows } = await client.query<{ head: string; pruned_to: string; hash: Buffer | null }>(
      `SELECT w.head, w.pruned_to, CASE w.pruned_to WHEN $2 THEN w.pruned_hash
         ELSE (SELECT c.hash FROM adslate.change_set c WHERE c.workspace = w.id AND c.seq = $2) END AS hash
       FROM adslate.workspace w WHERE w.id = $1`,
      [account, seq],
    );
    const [row] = rows;
    if (row === undefined) throw new TeamFailure('no-access', '42501', 'nothing of the account is shown');
    return { head: Number(row.head), prunedTo: Number(row.pruned_to), hash: row.hash?.toString('hex') ?? null };
  };
  const hashAt = async (seq: number): Promise<string | null> => (await look(seq)).hash;

  const hashesOfParts = async (of: number, push: number): Promise<readonly Buffer[]> => {
    const { rows } = await client.query<{ hash: Buffer }>(
      `SELECT sha256(payload) AS hash FROM adslate.part WHERE workspace = $1 AND desk = $2 AND push = $3 ORDER BY no`,
      [account, of, push],
    );
    return rows.map(({ hash }) => hash);
  };
  /** Those that are there already from before a cut are not sent again. */
  const putParts = async (push: number, body: Buffer): Promise<void> => {
    const known = await hashesOfParts(desk, push);
    for (let no = 0; no * PART_BYTES < body.length; no++) {
      const part = body.subarray(no * PART_BYTES, (no + 1) * PART_BYTES);
      if (known[no]?.equals(sha256(part)) === true) continue;
      await client.query('SELECT adslate.put_part_v1($1, $2, $3, $4, $5)', [account, desk, push, no, part]);
    }
  };
  const bodyOf = async ({ parts, payload, desk: of, push }: EntryRow): Promise<Buffer> => {
    if (parts === 0) return payload;
    const bodies: Buffer[] = [];
    for (let no = 0; no < parts; no++) {
      const { rows } = await client.query<{ payload: Buffer }>(
        'SELECT payload FROM adslate.part WHERE workspace = $1 AND desk = $2 AND push = $3 AND no = $4',
        [account, of, push, no],
      );
      bodies.push(rows[0]?.payload ?? Buffer.alloc(0));
    }
    return Buffer.concat(bodies.map(sha256)).equals(payload) ? Buffer.concat(bodies) : Buffer.alloc(0);
  };

  return {
    hashAt,
    look,
    /**
     * One statement and one transaction: a call whose answer is lost is made again, with the same number. A large set goes
     * ahead in parts, so that a cut costs one of them.
     */
    append: async (
      { push, based, changes, scopes }: Push,
      label: string,
      kind: SetKind = 'edit',
    ): Promise<PushAnswer> => {
      const body = packChangeSet(changes);
      const isWhole = body.length <= PART_BYTES;
      if (!isWhole) await putParts(push, body);
      const { rows } = await client.query<{ answer: PushAnswer }>(
        'SELECT answer FROM adslate.append_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)',
        [
          account,
          desk,
          push,
          based.seq,
          Buffer.from(based.hash, 'hex'),
          kind,
          label,
          `{${scopes.map((scope) => `[${scope},${scope}]`).join(',')}}`,
          sizeOf(changes),
          CHANGE_SET_FORMAT,
          isWhole ? body : null,
          isWhole ? 0 : Math.ceil(body.length / PART_BYTES),
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
           payload, parts, hash
         FROM (SELECT *, sum(octet_length(payload)) OVER (ORDER BY seq) - octet_length(payload) AS bytes_before,
             sum(cells) OVER (ORDER BY seq) AS cells_to, row_number() OVER (ORDER BY seq) AS place
           FROM adslate.change_set WHERE workspace = $1 AND seq > $2 AND seq <= $2::bigint + $3) AS behind
         WHERE place = 1 OR (bytes_before <= $4 AND cells_to <= $5) ORDER BY seq`,
        [account, place.seq, most, ANSWER_BYTES, ANSWER_CELLS],
      );
      const entries: TeamEntry[] = [];
      let before = place.hash;
      for (const row of rows) {
        const entry = entryOf(row, before, await bodyOf(row));
        if (!entry.ok) return entries.length === 0 ? entry : ok(entries);
        entries.push(entry.value);
        before = entry.value.hash;
      }
      return ok(entries);
    },
  };
}

function entryOf(row: EntryRow, before: string, body: Buffer): Result<TeamEntry, EntryError> {
  const seq = Number(row.seq);
  const hash = row.hash.toString('hex');
  const { format } = row;
  if (chained(before, row) !== hash) return err({ seq, is: 'wrong-hash', format });
  const changes: Result<ChangeSet, 'damaged' | 'newer'> =
    format > CHANGE_SET_FORMAT ? err('newer') : unpackChangeSet(body);
  if (!changes.ok) return err({ seq, is: changes.error, format });
  const { desk, push, member, kind, label } = row;
  return ok({ seq, hash, desk, push, member, at: Number(row.at), kind, label, changes: changes.value });
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

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
