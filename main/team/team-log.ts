import { createHash } from 'node:crypto';
import { err, ok, type Result } from '../../shared/result.ts';
import { sizeOf } from '../../shared/team/change-set.ts';
import type { LogPlace, Push, PushAnswer, SetKind, TeamEntry } from '../../shared/team/position.ts';
import { oneRow, type Queries } from './connection.ts';
import { packChangeSet, unpackChangeSet } from './payload.ts';
import { checkEntry, type SignatureState, type SignedEntry, type Signing, signEntry } from './signing.ts';

/** The log of a team for one computer. Calls run one after the other: one connection, one query at a time. */
export type TeamLog = ReturnType<typeof openTeamLog>;

export const CHANGE_SET_FORMAT = 2;

/**
 * Why an entry can't be folded: its hash does not match the chain, its computer's signature is missing or wrong, its
 * bytes are damaged, or its format is newer.
 */
export type EntryError = {
  readonly seq: number;
  readonly is: 'wrong-hash' | 'forged' | 'damaged' | 'newer';
  readonly format: number;
};

/** The check of an entry without folding it. */
export interface CheckedEntry extends LogPlace {
  readonly problem: EntryError['is'] | null;
  readonly signature: SignatureState;
}

/**
 * Upper limits of one answer, whichever is reached first. An answer is folded in one transaction, which delays the
 * user's edits, and is unpacked in the thread that serves the window.
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
  /** The change set, or the hashes of its parts. */
  readonly payload: Buffer;
  readonly parts: number;
  readonly hash: Buffer;
  /** The hash of the entry that it is based on, as signed, and as in the log; null where there is none. */
  readonly signed_hash: Buffer | null;
  readonly based_hash: Buffer | null;
  readonly signature: Buffer | null;
}

interface LogExtent {
  readonly head: number;
  /** Entries up to this one are only in snapshots. */
  readonly prunedTo: number;
  readonly hash: string | null;
}

/** @param signing null in a database that has no signatures yet */
export function openTeamLog(client: Queries, account: string, desk: number, signing: Signing | null = null) {
  /**
   * The last entry of the log, the last pruned entry, and the hash of one of its entries, null if it has no such entry.
   *
   * @throws if nothing of the account is shown, so that a removed member does not take that for a lost log
   */
  const look = async (seq: number): Promise<LogExtent> => {
    const row = await oneRow<{ head: string; pruned_to: string; hash: Buffer | null }>(
      client,
      `SELECT w.head, w.pruned_to, CASE w.pruned_to WHEN $2 THEN w.pruned_hash
         ELSE (SELECT c.hash FROM adslate.change_set c WHERE c.workspace = w.id AND c.seq = $2) END AS hash
       FROM adslate.workspace w WHERE w.id = $1`,
      [account, seq],
    );
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
  /** Parts stored before a lost connection are not sent again. */
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

  const rowsAfter = async (place: LogPlace, most: number): Promise<readonly EntryRow[]> => {
    const signed =
      signing === null
        ? 'NULL::bytea AS signed_hash, NULL::bytea AS based_hash, NULL::bytea AS signature'
        : `s.based_hash AS signed_hash, s.signature, CASE WHEN behind.based = 0 THEN ''::bytea ELSE (SELECT b.hash
             FROM adslate.change_set b WHERE b.workspace = behind.workspace AND b.seq = behind.based) END AS based_hash`;
    const join = 'LEFT JOIN adslate.signature s USING (workspace, desk, push)';
    const { rows } = await client.query<EntryRow>(
      `SELECT seq, desk, push, member, floor(extract(epoch FROM at) * 1000) AS at, kind, label, based, scopes::text, format,
         payload, parts, hash, ${signed}
       FROM (SELECT *, sum(octet_length(payload)) OVER (ORDER BY seq) - octet_length(payload) AS bytes_before,
           sum(cells) OVER (ORDER BY seq) AS cells_to, row_number() OVER (ORDER BY seq) AS place
         FROM adslate.change_set WHERE workspace = $1 AND seq > $2 AND seq <= $2::bigint + $3) AS behind
         ${signing === null ? '' : join}
       WHERE place = 1 OR (bytes_before <= $4 AND cells_to <= $5) ORDER BY seq`,
      [account, place.seq, most, ANSWER_BYTES, ANSWER_CELLS],
    );
    return rows;
  };
  const signatureOf = async (row: EntryRow): Promise<SignatureState> => {
    if (signing === null) return 'unsigned';
    const { signed_hash, based_hash, signature } = row;
    // If the base entry was pruned, only the signed hash is left to check.
    if (signed_hash !== null && based_hash !== null && !signed_hash.equals(based_hash)) return 'wrong';
    return checkEntry(account, { ...row, basedHash: signed_hash?.toString('hex') ?? '' }, signature, signing);
  };

  return {
    hashAt,
    look,
    /**
     * Appends in one statement and one transaction. A call whose answer was lost is repeated with the same number. A
     * large set is sent in parts first, so that a lost connection costs one part.
     */
    append: async (
      { push, based, changes, scopes }: Push,
      label: string,
      kind: SetKind = 'edit',
    ): Promise<PushAnswer> => {
      const body = packChangeSet(changes);
      const isWhole = body.length <= PART_BYTES;
      if (!isWhole) await putParts(push, body);
      const wire = scopesText(scopes);
      const values = [
        account,
        desk,
        push,
        based.seq,
        Buffer.from(based.hash, 'hex'),
        kind,
        label,
        wire,
        sizeOf(changes),
        CHANGE_SET_FORMAT,
        isWhole ? body : null,
        isWhole ? 0 : Math.ceil(body.length / PART_BYTES),
      ];
      const entry: Omit<SignedEntry, 'member'> = {
        desk,
        push,
        kind,
        label,
        scopes: wire,
        format: CHANGE_SET_FORMAT,
        based: String(based.seq),
        basedHash: based.hash,
        payload: isWhole ? body : hashesOf(body),
      };
      const { answer } = await oneRow<{ answer: PushAnswer }>(
        client,
        signing === null
          ? 'SELECT answer FROM adslate.append_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)'
          : 'SELECT answer FROM adslate.append_v2($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)',
        signing === null ? values : [...values, signed(signing, account, entry)],
      );
      return answer;
    },
    /**
     * The entries after a place, as many as fit into one answer; null if the place is not in this log. Each is checked
     * against the chain. An unreadable entry ends the answer, and is the error if it is the first.
     */
    after: async (place: LogPlace, most = ANSWER_ROWS): Promise<Result<readonly TeamEntry[], EntryError> | null> => {
      if ((await hashAt(place.seq)) !== place.hash) return null;
      const rows = await rowsAfter(place, most);
      const entries: TeamEntry[] = [];
      let before = place.hash;
      // In parallel: each check runs in another thread.
      const signatures = await Promise.all(rows.map(signatureOf));
      for (const [at, row] of rows.entries()) {
        const entry = entryOf(row, before, await bodyOf(row), signatures[at] ?? 'wrong');
        if (!entry.ok) return entries.length === 0 ? entry : ok(entries);
        entries.push(entry.value);
        before = entry.value.hash;
      }
      return ok(entries);
    },
    /**
     * Checks the entries after a place, including those after one that can't be folded. Empty at the end of the log.
     */
    check: async (place: LogPlace): Promise<readonly CheckedEntry[]> => {
      const rows = await rowsAfter(place, ANSWER_ROWS);
      const checked: CheckedEntry[] = [];
      let before = place;
      for (const row of rows) {
        const signature = await signatureOf(row);
        const entry = entryOf(row, before.hash, await bodyOf(row), signature);
        const isNext = Number(row.seq) === before.seq + 1;
        const problem = !isNext ? 'wrong-hash' : entry.ok ? null : entry.error.is;
        before = { seq: Number(row.seq), hash: row.hash.toString('hex') };
        checked.push({ ...before, problem, signature });
      }
      return checked;
    },
  };
}

const signed = ({ key, member }: Signing, account: string, entry: Omit<SignedEntry, 'member'>): Buffer | null =>
  key === null ? null : signEntry(key, account, { ...entry, member });

/** Hashes of the parts of a large push, as in its entry. */
function hashesOf(body: Buffer): Buffer {
  const parts = Array.from({ length: Math.ceil(body.length / PART_BYTES) }, (_, no) =>
    body.subarray(no * PART_BYTES, (no + 1) * PART_BYTES),
  );
  return Buffer.concat(parts.map(sha256));
}

/** In the format of PostgreSQL, to get the same text that was signed. */
function scopesText(scopes: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const scope of [...new Set(scopes)].toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.[1] === scope) last[1] = scope + 1;
    else ranges.push([scope, scope + 1]);
  }
  return `{${ranges.map(([from, to]) => `[${from},${to})`).join(',')}}`;
}

function entryOf(
  row: EntryRow,
  before: string,
  body: Buffer,
  signature: SignatureState,
): Result<TeamEntry, EntryError> {
  const seq = Number(row.seq);
  const hash = row.hash.toString('hex');
  const { format } = row;
  if (chained(before, row) !== hash) return err({ seq, is: 'wrong-hash', format });
  // A newer version may sign differently.
  if (format > CHANGE_SET_FORMAT) return err({ seq, is: 'newer', format });
  if (signature === 'wrong') return err({ seq, is: 'forged', format });
  const changes = unpackChangeSet(body);
  if (!changes.ok) return err({ seq, is: changes.error, format });
  const { desk, push, member, kind, label } = row;
  return ok({ seq, hash, desk, push, member, at: Number(row.at), kind, label, changes: changes.value });
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** Same as `adslate.chained` in the schema: hashes an entry with the hash of the one before it. */
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
