import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type RawMediaType, type ReportRequest, ReportSnapshot } from '../../shared/api/reports.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { guardCell } from '../../shared/spreadsheet/cell-guard.ts';
import { makeFolders, nullIfNotFound, writeFileAtomic } from '../app/atomic-write.ts';
import { csvRows, writeSheet } from '../files/spreadsheet/csv.ts';
import type { ReportOptions } from './fetch-report.ts';
import { type ReceivedReport, type ReportRows, readReportFile } from './read-report-file.ts';

/**
 * Reports saved permanently, one pair of files each: `<id>.raw` holds the answer to the byte, `<id>.json` what was asked for, when,
 * and what the bytes are. The second is written last, so that a report is there whole or not at all. Rows are read from the
 * bytes each time. Earlier versions kept the rows instead, in `<id>.csv.gz`.
 */
export type ReportStore = ReturnType<typeof createSnapshotStore>;

/**
 * Why a report cannot be looked at. One whose rows are damaged, or may not be read, is no empty one: that would be
 * believed. `detail` is the code of the system or of zlib, without a path, or which check failed.
 */
export type ReportReadError = { readonly kind: 'not-kept' } | { readonly kind: 'unreadable'; readonly detail: string };

export interface RawReport {
  readonly snapshot: ReportSnapshot;
  readonly bytes: Buffer;
  readonly mediaType: RawMediaType;
}

export interface FetchedWhen {
  readonly fetchedAt: number;
  readonly fetchedOn: PlainDate;
  /** The job it came from, where it was one. */
  readonly snapshotId?: string;
}

const unpacked = promisify(gunzip);

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
      if (snapshot === null || bytes === null) return err({ kind: 'not-kept' });
      if (snapshot.raw === undefined) return ok({ snapshot, bytes: await unpacked(bytes), mediaType: 'text/csv' });
      if (sha256Of(bytes) !== snapshot.raw.sha256) return err({ kind: 'unreadable', detail: 'SHA-256' });
      return ok({ snapshot, bytes, mediaType: snapshot.raw.mediaType });
    } catch (thrown) {
      return err({ kind: 'unreadable', detail: fileCode(thrown) });
    }
  };
  const read = async (id: string): Promise<Result<ReportRows, ReportReadError>> => {
    const found = await raw(id);
    if (!found.ok) return found;
    const { snapshot, bytes } = found.value;
    if (snapshot.raw === undefined) return ok(csvRows(bytes.toString('utf8'), ','));
    const content = await readReportFile(bytes);
    return content.ok ? ok(content.value.rows) : err({ kind: 'unreadable', detail: content.error.found });
  };
  return {
    find,
    /** Newest first. A report whose description cannot be read is counted, not hidden. */
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
    /** Where the bytes of a report lie. */
    fileOf: ({ id, raw: kept }: ReportSnapshot): string => (kept === undefined ? rowsIn(id) : rawIn(id)),
    /** The answer as it was received; of a report of an earlier version, its rows as CSV. */
    raw,
    /** @throws what the disk says when it cannot be written */
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
    /** One that was fetched in the background is read by the user from now on. */
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

/** The rows of a report as CSV, in which nothing is a formula. Plain numbers, also negative ones, are none. */
export const reportCsv = (rows: ReportRows): string =>
  writeSheet(rows.map((row) => row.map((cell) => (/^-?\d+(\.\d+)?$/.test(cell) ? cell : guardCell(cell)))));

/** The name under which an answer leaves, with the ending of what it is. */
export const rawNameOf = ({ reportType, startDate, endDate, raw }: ReportSnapshot): string =>
  `${reportType}-${startDate}-${endDate}.${ENDINGS[raw?.mediaType ?? 'text/csv']}`;

const ENDINGS: Readonly<Record<RawMediaType, string>> = {
  'text/csv': 'csv',
  'application/gzip': 'csv.gz',
  'application/zip': 'zip',
  'application/json': 'json',
};

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Readable in a file list, and another one for every fetch. */
function idFor(options: ReportRequest, { fetchedAt }: FetchedWhen): string {
  const tail = createHash('sha256')
    .update(JSON.stringify([options, fetchedAt]))
    .digest('hex')
    .slice(0, 12);
  return `${options.reportType.toLowerCase().replaceAll('_', '-')}-${options.startDate}-${options.endDate}-${tail}`;
}
