import { err, ok, type Result } from '../../shared/result.ts';
import type { Workspace } from '../store/workspace.ts';
import { oneRow, type Queries, readBytes } from './connection.ts';
import { packed, unpacked } from './payload.ts';
import type { JoiningTask } from './session-types.ts';
import type { SharingStop } from './share-round.ts';
import { CHANGE_SET_FORMAT } from './team-log.ts';

/** A new snapshot is due after so many entries, or bytes of entries, since the newest one. */
export const SNAPSHOT_DUE: { readonly sets: number; readonly bytes: number } = { sets: 20_000, bytes: 64 * 2 ** 20 };

/** Interval between measurements of the log's size. */
const MEASURE_MS = 3_600_000;

export interface SnapshotDeps {
  readonly account: string;
  readonly desk: number;
  readonly store: Pick<Workspace, 'teamSnapshot' | 'teamTakeSnapshot'>;
  readonly nowMs: () => number;
  readonly upkeep: { readonly due: typeof SNAPSHOT_DUE; measureAtMs: number };
}

interface Kept {
  /** The log position of the newest usable snapshot. */
  readonly from: number;
  readonly isMaking: boolean;
  readonly isTold: boolean;
  /** Another computer has reported its digest of this position, or has made a snapshot here. */
  readonly isAsked: boolean;
  readonly isToConfirm: boolean;
  readonly isRecent: boolean;
}

/**
 * Takes, makes and confirms snapshots for one computer. Two computers can compare rows only at the same log position:
 * the first to report its digest notifies the others, which report theirs if they are still at that position.
 */
export function openSnapshots(client: Queries, { account, desk, store, nowMs, upkeep }: SnapshotDeps) {
  const kept = (seen: number): Promise<Kept> =>
    oneRow<Kept>(
      client,
      `SELECT coalesce((SELECT max(s.seq) FROM adslate.snapshot s WHERE s.workspace = $1 AND s.state = 'usable'), 0)::float8 AS from,
         EXISTS (SELECT FROM adslate.snapshot s WHERE s.workspace = $1 AND s.state IN ('making', 'made')
           AND s.at > now() - interval '1 hour') AS "isMaking",
         EXISTS (SELECT FROM adslate.digest d WHERE d.workspace = $1 AND d.seq = $3 AND d.desk = $2) AS "isTold",
         EXISTS (SELECT FROM adslate.digest d WHERE d.workspace = $1 AND d.seq = $3 AND d.desk <> $2) AS "isAsked",
         EXISTS (SELECT FROM adslate.snapshot s WHERE s.workspace = $1 AND s.seq = $3 AND s.desk <> $2
           AND s.state = 'made') AS "isToConfirm",
         coalesce((SELECT d.at FROM adslate.digest d WHERE d.workspace = $1 ORDER BY d.seq DESC LIMIT 1)
           > now() - interval '1 hour', false) AS "isRecent"`,
      [account, desk, seen],
    );
  /** Whether the log is long enough for another snapshot. */
  const isLong = async (from: number, seen: number): Promise<boolean> => {
    if (seen - from >= upkeep.due.sets) return true;
    if (seen === from || nowMs() < upkeep.measureAtMs) return false;
    upkeep.measureAtMs = nowMs() + MEASURE_MS;
    const { bytes } = await oneRow<{ bytes: number }>(
      client,
      `SELECT coalesce(sum(octet_length(payload) + parts * 1048576::bigint), 0)::float8 AS bytes FROM adslate.change_set
       WHERE workspace = $1 AND seq > $2`,
      [account, from],
    );
    return bytes >= upkeep.due.bytes;
  };
  const make = async (snapshot: NonNullable<Awaited<ReturnType<Workspace['teamSnapshot']>>>): Promise<void> => {
    const { place, parts, rows, digest } = snapshot;
    const begun = await client.query<{ begun: boolean }>(
      'SELECT adslate.begin_snapshot_v1($1, $2, $3, $4, $5) AS begun',
      [account, desk, place.seq, Buffer.from(place.hash, 'hex'), CHANGE_SET_FORMAT],
    );
    if (begun.rows[0]?.begun !== true) return;
    for (const [no, part] of parts.entries())
      await client.query('SELECT adslate.put_snapshot_part_v1($1, $2, $3, $4, $5)', [
        account,
        desk,
        place.seq,
        no,
        packed(part),
      ]);
    await client.query('SELECT adslate.end_snapshot_v1($1, $2, $3, $4, $5, $6)', [
      account,
      desk,
      place.seq,
      parts.length,
      rows,
      Buffer.from(digest, 'hex'),
    ]);
  };
  /** Whether digests differ at the newest position that two computers reported; null if there is none. */
  const differs = async (): Promise<boolean | null> => {
    const { rows } = await client.query<{ values: number }>(
      `SELECT count(DISTINCT d.value)::int AS values FROM adslate.digest d WHERE d.workspace = $1
       GROUP BY d.seq HAVING count(*) > 1 ORDER BY d.seq DESC LIMIT 1`,
      [account],
    );
    return rows[0] === undefined ? null : rows[0].values > 1;
  };
  async function* partsOf(seq: number, count: number, from: number, taking: JoiningTask): AsyncGenerator<Uint8Array> {
    const { escapeLiteral } = (await import('pg')).default;
    for (let no = from; no < count; no++) {
      taking.signal?.throwIfAborted();
      taking.tellShare?.(no / count);
      const payload = await readBytes(
        client,
        `SELECT payload FROM adslate.snapshot_part WHERE workspace = ${escapeLiteral(account)} AND seq = ${seq} AND no = ${no}`,
      );
      const plain = unpacked(payload ?? Buffer.alloc(0));
      // A damaged part is yielded as an empty one: the store stops there.
      yield plain.ok ? plain.value : new Uint8Array();
    }
  }

  return {
    differs,
    /**
     * Continues from the newest snapshot of this log; false if none is newer than `seen`. An older one would revert
     * what this computer has shared since. A new computer also takes the first snapshot.
     */
    take: async (
      { seen, isNew }: { readonly seen: number; readonly isNew: boolean },
      taking: JoiningTask = {},
    ): Promise<Result<boolean, SharingStop>> => {
      const { rows } = await client.query<{
        seq: number;
        hash: string;
        digest: string;
        parts: number;
        lastPush: number;
      }>(
        `SELECT s.seq::float8 AS seq, encode(s.hash, 'hex') AS hash, encode(s.digest, 'hex') AS digest, d.last_push AS "lastPush",
           (SELECT count(*)::int FROM adslate.snapshot_part p WHERE p.workspace = s.workspace AND p.seq = s.seq) AS parts
         FROM adslate.snapshot s JOIN adslate.workspace w ON w.id = s.workspace
         JOIN adslate.desk d ON d.workspace = s.workspace AND d.no = $2
         WHERE s.workspace = $1 AND s.state = 'usable' AND s.format <= $3 AND s.seq > $4 AND s.hash = CASE w.pruned_to WHEN s.seq THEN w.pruned_hash
           ELSE (SELECT c.hash FROM adslate.change_set c WHERE c.workspace = s.workspace AND c.seq = s.seq) END
         ORDER BY s.seq DESC LIMIT 1`,
        [account, desk, CHANGE_SET_FORMAT, isNew ? -1 : seen],
      );
      const [newest] = rows;
      if (newest === undefined) return ok(false);
      const { seq, hash, digest, parts, lastPush } = newest;
      const isWhole = await store.teamTakeSnapshot((from) => partsOf(seq, parts, from, taking), {
        place: { seq, hash },
        digest,
        lastPush,
      });
      return isWhole ? ok(true) : err({ is: 'damaged', seq, why: 'damaged' });
    },
    /**
     * Makes the snapshot of an account when its team starts, before the first log entry. No second computer can confirm
     * it, so its creator, an admin, approves it.
     */
    begin: async (): Promise<void> => {
      const snapshot = await store.teamSnapshot();
      if (snapshot === null) throw new Error('an account that is not shared yet has rows to be shared');
      await make(snapshot);
      await client.query('SELECT adslate.approve_snapshot_v1($1, $2)', [account, snapshot.place.seq]);
    },
    /**
     * Runs when nothing is waiting: makes a snapshot if one is due, confirms another computer's, and compares rows once
     * an hour.
     *
     * @returns whether the rows of two computers differ; null before two have compared them
     */
    keep: async (seen: number, mayEdit: boolean): Promise<boolean | null> => {
      const { from, isMaking, isTold, isAsked, isToConfirm, isRecent } = await kept(seen);
      const isDue = mayEdit && !isMaking && (await isLong(from, seen));
      const isToTell = !isTold && (isAsked || !isRecent);
      if (isDue || isToTell || (isToConfirm && mayEdit)) {
        const snapshot = await store.teamSnapshot();
        // Rows were edited or taken meanwhile: the next call tries again.
        if (snapshot === null || snapshot.place.seq !== seen) return differs();
        const digest = Buffer.from(snapshot.digest, 'hex');
        if (isDue) await make(snapshot);
        await client.query('SELECT adslate.report_digest_v1($1, $2, $3, $4)', [account, desk, seen, digest]);
        if (mayEdit)
          await client.query('SELECT adslate.confirm_snapshot_v1($1, $2, $3, $4)', [account, desk, seen, digest]);
      }
      return differs();
    },
  };
}
