import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import Papa from 'papaparse';
import { ReportSnapshot, type ReportWish } from '../../shared/contract/reports.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { nullIfMissing } from '../null-if-missing.ts';
import { writeWhole } from '../write-whole.ts';
import type { ReportRows } from './fetch-report.ts';

/**
 * Reports kept for good, one pair of files each: `<id>.csv.gz` holds the rows as they came, `<id>.json` what was
 * asked for and when. The second is written last, so that a report is there whole or not at all.
 */
export interface SnapshotStore {
  /** Newest first. A report whose description cannot be read is counted, not hidden. */
  list(): Promise<{ readonly snapshots: readonly ReportSnapshot[]; readonly damaged: number }>;
  find(id: string): Promise<ReportSnapshot | null>;
  read(id: string): Promise<Result<ReportRows, KeptProblem>>;
  /** @throws what the disk says when it cannot be written */
  keep(wish: ReportWish, rows: ReportRows, when: FetchedWhen): Promise<ReportSnapshot>;
  remove(id: string): Promise<boolean>;
}

/**
 * Why a report cannot be looked at. One whose rows are damaged, or may not be read, is no empty one: that would be
 * believed. `detail` is the code of the system or of zlib, without a path.
 */
export type KeptProblem = { readonly kind: 'not-kept' } | { readonly kind: 'unreadable'; readonly detail: string };

export interface FetchedWhen {
  readonly fetchedAt: number;
  readonly fetchedOn: PlainDate;
}

const packed = promisify(gzip);
const unpacked = promisify(gunzip);

export function createSnapshotStore(folder: string): SnapshotStore {
  const describedIn = (id: string): string => join(folder, `${id}.json`);
  const rowsIn = (id: string): string => join(folder, `${id}.csv.gz`);

  const find = async (id: string): Promise<ReportSnapshot | null> => {
    const text = await readFile(describedIn(id), 'utf8').catch(nullIfMissing);
    return text === null ? null : describedBy(text);
  };
  return {
    find,
    list: async () => {
      const names = (await readdir(folder).catch(nullIfMissing)) ?? [];
      const ids = names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
      const found = await Promise.all(ids.map(find));
      const snapshots = found.filter((snapshot) => snapshot !== null);
      return {
        snapshots: snapshots.toSorted((a, b) => b.fetchedAt - a.fetchedAt),
        damaged: found.length - snapshots.length,
      };
    },
    read: async (id) => {
      try {
        const bytes = await readFile(rowsIn(id)).catch(nullIfMissing);
        if (bytes === null) return err({ kind: 'not-kept' });
        return ok(Papa.parse<string[]>((await unpacked(bytes)).toString('utf8'), { skipEmptyLines: true }).data);
      } catch (thrown) {
        return err({ kind: 'unreadable', detail: fileCode(thrown) });
      }
    },
    keep: async (wish, rows, when) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const snapshot: ReportSnapshot = { ...wish, ...when, id: idFor(wish, when), rows: Math.max(0, rows.length - 1) };
      await writeWhole(rowsIn(snapshot.id), await packed(Papa.unparse([...rows.map((row) => [...row])])));
      await writeWhole(describedIn(snapshot.id), JSON.stringify(snapshot));
      return snapshot;
    },
    remove: async (id) => {
      if ((await find(id)) === null) return false;
      await rm(describedIn(id), { force: true });
      await rm(rowsIn(id), { force: true });
      return true;
    },
  };
}

/**
 * The code of an error of the disk or of zlib; both have a number as well, which errors of Node's arguments lack.
 *
 * @throws what it was given when it is neither: a defect of ours
 */
function fileCode(thrown: unknown): string {
  if (thrown instanceof Error && 'errno' in thrown && 'code' in thrown) return String(thrown.code);
  throw thrown;
}

function describedBy(text: string): ReportSnapshot | null {
  const parsed = ReportSnapshot.safeParse(jsonOrNull(text));
  return parsed.success ? parsed.data : null;
}

/** Readable in a file list, and another one for every fetch. */
function idFor(wish: ReportWish, { fetchedAt }: FetchedWhen): string {
  const tail = createHash('sha256')
    .update(JSON.stringify([wish, fetchedAt]))
    .digest('hex')
    .slice(0, 12);
  return `${wish.reportType.toLowerCase()}-${wish.startDate}-${wish.endDate}-${tail}`;
}
