import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ReportJob, type ReportWish } from '../../shared/contract/reports.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import { makeFolders } from '../make-folders.ts';
import { nullIfMissing } from '../null-if-missing.ts';
import { writeWhole } from '../write-whole.ts';

/**
 * Reports that the service is still making, one file each in a folder beside the reports, so that they outlive a restart. The
 * service names them, so its ids become no names of files.
 */
export interface JobStore {
  /** Newest first. A job whose file cannot be read is counted, not hidden. */
  list(): Promise<{ readonly jobs: readonly ReportJob[]; readonly damaged: number }>;
  find(snapshotId: string): Promise<ReportJob | null>;
  /** @throws what the disk says when it cannot be written */
  put(job: ReportJob): Promise<ReportJob>;
  remove(snapshotId: string): Promise<boolean>;
}

export function createJobStore(folder: string): JobStore {
  const fileOf = (snapshotId: string): string =>
    join(folder, `${createHash('sha256').update(snapshotId).digest('hex').slice(0, 32)}.json`);
  const read = async (path: string): Promise<ReportJob | 'damaged' | null> => {
    const text = await readFile(path, 'utf8').catch(nullIfMissing);
    if (text === null) return null;
    const parsed = ReportJob.safeParse(jsonOrNull(text));
    return parsed.success ? parsed.data : 'damaged';
  };
  const find: JobStore['find'] = async (snapshotId) => {
    const job = await read(fileOf(snapshotId));
    return job === 'damaged' ? null : job;
  };
  return {
    find,
    list: async () => {
      const names = (await readdir(folder).catch(nullIfMissing)) ?? [];
      const found = await Promise.all(
        names.filter((name) => name.endsWith('.json')).map((name) => read(join(folder, name))),
      );
      const jobs = found.filter((job) => job !== null && job !== 'damaged');
      const damaged = found.filter((job) => job === 'damaged').length;
      return { jobs: jobs.toSorted((a, b) => b.askedAt - a.askedAt), damaged };
    },
    put: async (job) => {
      await makeFolders(dirname(folder), folder);
      await writeWhole(fileOf(job.snapshotId), JSON.stringify(job));
      return job;
    },
    remove: async (snapshotId) => {
      if ((await find(snapshotId)) === null) return false;
      await rm(fileOf(snapshotId), { force: true });
      return true;
    },
  };
}

/** The same wish is the same text. What is not sent and what was never said are one. */
export const wishKey = ({ reportType, startDate, endDate, byDate, attributionWindow, format }: ReportWish): string =>
  JSON.stringify([reportType, startDate, endDate, byDate, attributionWindow ?? null, format ?? null]);
