import { createHash } from 'node:crypto';
import type { LogPlace } from '../../shared/team/position.ts';
import type { Queries } from './connection.ts';
import { CHANGE_SET_FORMAT } from './team-log.ts';

/** A snapshot that may be taken: somebody else than its maker has found the same, or an administrator answers for it. */
export interface SnapshotPlace extends LogPlace {
  readonly format: number;
  readonly parts: number;
  readonly rows: number;
  readonly digest: string;
}

/** Snapshots of an account, as one computer makes and takes them. */
export function openSnapshots(client: Queries, account: string, desk: number) {
  return {
    /** The newest one that may be taken; null where there is none yet. */
    newest: async (): Promise<SnapshotPlace | null> => {
      const { rows } = await client.query(
        `SELECT s.seq, s.hash, s.format, s.row_count, s.digest,
           (SELECT count(*) FROM adslate.snapshot_part p WHERE p.workspace = s.workspace AND p.seq = s.seq) AS parts
         FROM adslate.snapshot s WHERE s.workspace = $1 AND s.state = 'usable' ORDER BY s.seq DESC LIMIT 1`,
        [account],
      );
      const [row] = rows;
      if (row === undefined) return null;
      const { format } = row;
      const [hash, digest] = [row.hash.toString('hex'), row.digest.toString('hex')];
      return { seq: Number(row.seq), hash, format, parts: Number(row.parts), rows: Number(row.row_count), digest };
    },
    part: async (seq: number, no: number): Promise<Buffer> => {
      const { rows } = await client.query<{ payload: Buffer }>(
        'SELECT payload FROM adslate.snapshot_part WHERE workspace = $1 AND seq = $2 AND no = $3',
        [account, seq, no],
      );
      if (rows[0] === undefined) throw new Error(`the snapshot of entry ${seq} has no part ${no}`);
      return rows[0].payload;
    },
    /**
     * Puts a snapshot of a place into the database, part by part.
     *
     * @returns false where another computer makes one of the same place
     */
    make: async (place: LogPlace, rowCount: number, parts: AsyncIterable<Buffer>): Promise<boolean> => {
      const begun = await client.query<{ made: boolean }>(
        'SELECT adslate.begin_snapshot_v1($1, $2, $3, $4, $5) AS made',
        [account, desk, place.seq, Buffer.from(place.hash, 'hex'), CHANGE_SET_FORMAT],
      );
      if (begun.rows[0]?.made !== true) return false;
      const digest = createHash('sha256');
      let no = 0;
      for await (const part of parts) {
        digest.update(part);
        await client.query('SELECT adslate.put_snapshot_part_v1($1, $2, $3, $4, $5)', [
          account,
          desk,
          place.seq,
          no++,
          part,
        ]);
      }
      await client.query('SELECT adslate.end_snapshot_v1($1, $2, $3, $4, $5, $6)', [
        account,
        desk,
        place.seq,
        no,
        rowCount,
        digest.digest(),
      ]);
      return true;
    },
    /** By an administrator, who answers for what is in it. */
    approve: async (seq: number): Promise<void> => {
      await client.query('SELECT adslate.approve_snapshot_v1($1, $2)', [account, seq]);
    },
    /** Whether a snapshot of another computer waits for a second one to find the same at this place. */
    isWaitingAt: async (seq: number): Promise<boolean> => {
      const { rowCount } = await client.query(
        `SELECT FROM adslate.snapshot WHERE workspace = $1 AND seq = $2 AND state = 'made' AND desk <> $3`,
        [account, seq, desk],
      );
      return rowCount === 1;
    },
    confirm: async (seq: number, digest: Buffer): Promise<void> => {
      await client.query('SELECT adslate.confirm_snapshot_v1($1, $2, $3, $4)', [account, desk, seq, digest]);
    },
    /** @returns whether another computer has found something else at this place */
    report: async (seq: number, digest: Buffer): Promise<boolean> => {
      const { rows } = await client.query<{ differs: boolean }>(
        'SELECT adslate.report_digest_v1($1, $2, $3, $4) AS differs',
        [account, desk, seq, digest],
      );
      return rows[0]?.differs === true;
    },
    /** Entries and bytes of the log since the newest snapshot. */
    sinceNewest: async (): Promise<{ readonly entries: number; readonly bytes: number }> => {
      const { rows } = await client.query(
        `SELECT count(*) AS entries, coalesce(sum(octet_length(payload)), 0) AS bytes FROM adslate.change_set
         WHERE workspace = $1 AND seq > coalesce((SELECT max(seq) FROM adslate.snapshot WHERE workspace = $1
           AND state <> 'refused'), 0)`,
        [account],
      );
      return { entries: Number(rows[0]?.entries ?? 0), bytes: Number(rows[0]?.bytes ?? 0) };
    },
  };
}
