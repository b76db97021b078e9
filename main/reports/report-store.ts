import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Failure } from '../../shared/api/operation.ts';
import { type RawMediaType, type ReportRequest, ReportSnapshot } from '../../shared/api/reports.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { guardCell } from '../../shared/spreadsheet/cell-guard.ts';
import { makeFolders, nullIfNotFound, writeFileAtomic } from '../app/atomic-write.ts';
import { csvRows, writeSheet } from '../files/spreadsheet/csv.ts';
import type { ReportOptions } from './fetch-report.ts';
import { type ReceivedReport, type ReportRows, readReportFile } from './read-report-file.ts';

/**
 * Reports saved permanently, as pairs of files: `<id>.raw` has the unchanged answer, `<id>.json` the request, its time,
 * and the type of the bytes. The second is written last, so that a report exists completely or not at all. Rows are
 * read from the bytes each time. Earlier versions stored the rows instead, in `<id>.csv.gz`.
 */
export type ReportStore = ReturnType<typeof createSnapshotStore>;

/**
 * Why a report can't be shown. A report with damaged or unreadable rows is not shown as an empty one, which users would
 * believe. `detail` is the error code of the system or of zlib, without a path, or the check that failed.
 */
export type ReportReadError = Failure<'NO_REPORT' | 'REPORT_UNREADABLE'>;

export interface RawReport {
  readonly snapshot: ReportSnapshot;
  readonly bytes: Buffer;
  readonly mediaType: RawMediaType;
}

export interface FetchedWhen {
  readonly fetchedAt: number;
  readonly fetchedOn: PlainDate;
  /** The ID of its job, if it had one. */
  readonly snapshotId?: string;
}

const unpacked = promisify(gunzip);
const unreadable = (id: string, detail: string) => fail('REPORT_UNREADABLE', { id, detail });

export function createSnapshotStore(folder: string) {
  const describedIn = (id: string): string => join(folder, `${id}.json`);
  const rawIn = (id: string): string => join(folder, `${id}.raw`);
  const rowsIn = (id: string): string => join(folder, `${id}.csv.gz`);

  const find = async (id: string): Promise<ReportSnapshot | null> => {
    const text = await readFile(describedIn(id), 'utf8').catch(nullIfNotFound);
    return text === null ? null : describedBy(text);
  };
  const raw = async (id: string): Promise<Result<RawReport, ReportReadError>> => {
    try {
      const snapshot = await find(id);
      const bytes =
        snapshot === null
          ? null
          : await readFile(snapshot.raw === undefined ? rowsIn(id) : rawIn(id)).catch(nullIfNotFound);
      if (snapshot === null || bytes === null) return fail('NO_REPORT', { id });
      if (snapshot.raw === undefined) return ok({ snapshot, bytes: await unpacked(bytes), mediaType: 'text/csv' });
      if (sha256Of(bytes) !== snapshot.raw.sha256) return unreadable(id, 'SHA-256');
      return ok({ snapshot, bytes, mediaType: snapshot.raw.mediaType });
    } catch (thrown) {
      return unreadable(id, fileCode(thrown));
    }
  };
  const read = async (id: string): Promise<Result<ReportRows, ReportReadError>> => {
    const found = await raw(id);
    if (!found.ok) return found;
    const { snapshot, bytes } = found.value;
    if (snapshot.raw === undefined) return ok(csvRows(bytes.toString('utf8'), ','));
    const content = await readReportFile(bytes);
    return content.ok ? ok(content.value.rows) : unreadable(id, content.error.found);
  };
  return {
    find,
    /** Newest first. Reports with an unreadable description are only counted. */
    list: async (): Promise<{ readonly snapshots: readonly ReportSnapshot[]; readonly damaged: number }> => {
      const names = (await readdir(folder).catch(nullIfNotFound)) ?? [];
      const ids = names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
      const found = await Promise.all(ids.map(find));
      const snapshots = found.filter((snapshot) => snapshot !== null);
      return {
        snapshots: snapshots.toSorted((a, b) => b.fetchedAt - a.fetchedAt),
        damaged: found.length - snapshots.length,
      };
    },
    read,
    /** The path of a report's bytes. */
    fileOf: ({ id, raw: kept }: ReportSnapshot): string => (kept === undefined ? rowsIn(id) : rawIn(id)),
    /** The answer as received; for a report of an earlier version, its rows as CSV. */
    raw,
    /** @throws the error of the disk if it can't be written */
    keep: async (
      options: ReportOptions,
      { bytes, content }: ReceivedReport,
      when: FetchedWhen,
    ): Promise<ReportSnapshot> => {
      await makeFolders(folder);
      const { mediaType, rows, parts } = content;
      const snapshot: ReportSnapshot = {
        ...options,
        ...when,
        id: idFor(options, when),
        rows: Math.max(0, rows.length - 1),
        raw: { mediaType, bytes: bytes.length, sha256: sha256Of(bytes) },
        ...(parts.length === 0 ? {} : { parts: [...parts] }),
      };
      await writeFileAtomic(rawIn(snapshot.id), bytes);
      await writeFileAtomic(describedIn(snapshot.id), JSON.stringify(snapshot));
      return snapshot;
    },
    /** Marks a report that was fetched for metrics as wanted by the user. */
    adopt: async (id: string): Promise<ReportSnapshot | null> => {
      const found = await find(id);
      if (found?.background === undefined) return found;
      const { background: _, ...snapshot } = found;
      const rows = await read(id);
      const own = { ...snapshot, rows: rows.ok ? Math.max(0, rows.value.length - 1) : 0 };
      await writeFileAtomic(describedIn(id), JSON.stringify(own));
      return own;
    },
    remove: async (id: string): Promise<boolean> => {
      if ((await find(id)) === null) return false;
      await rm(describedIn(id), { force: true });
      await rm(rawIn(id), { force: true });
      await rm(rowsIn(id), { force: true });
      return true;
    },
  };
}

/**
 * The code of an error of the disk or of zlib. Both have a number too, which argument errors of Node lack.
 *
 * @throws the given value if it is neither: a defect of ours
 */
function fileCode(thrown: unknown): string {
  if (thrown instanceof Error && 'errno' in thrown && 'code' in thrown) return String(thrown.code);
  throw thrown;
}

function describedBy(text: string): ReportSnapshot | null {
  const parsed = ReportSnapshot.safeParse(jsonOrNull(text));
  return parsed.success ? parsed.data : null;
}

/** The rows of a report as CSV without formulas. Plain numbers, also negative ones, are not escaped. */
export const reportCsv = (rows: ReportRows): string =>
  writeSheet(rows.map((row) => row.map((cell) => (/^-?\d+(\.\d+)?$/.test(cell) ? cell : guardCell(cell)))));

/** The file name of an exported answer, with the extension of its type. */
export const rawNameOf = ({ reportType, startDate, endDate, raw }: ReportSnapshot): string =>
  `${reportType}-${startDate}-${endDate}.${ENDINGS[raw?.mediaType ?? 'text/csv']}`;

const ENDINGS: Readonly<Record<RawMediaType, string>> = {
  'text/csv': 'csv',
  'application/gzip': 'csv.gz',
  'application/zip': 'zip',
  'application/json': 'json',
};

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Readable in a file list, and different for every fetch. */
function idFor(options: ReportRequest, { fetchedAt }: FetchedWhen): string {
  const tail = createHash('sha256')
    .update(JSON.stringify([options, fetchedAt]))
    .digest('hex')
    .slice(0, 12);
  return `${options.reportType.toLowerCase().replaceAll('_', '-')}-${options.startDate}-${options.endDate}-${tail}`;
}
