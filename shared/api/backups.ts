import { z } from 'zod';
import { operation } from './operation.ts';
import { KindSchema, RowIdSchema } from './scalars.ts';

export const BACKUP_REASONS = [
  'timed',
  'before-import',
  'before-sync',
  'before-restore',
  'before-schema',
  'by-hand',
] as const;

/** A copy of the workspace that was read back and verified. */
export const Backup = z.strictObject({
  backupId: z.string(),
  reason: z.enum(BACKUP_REASONS),
  /** Milliseconds since 1970. */
  at: z.int(),
  bytes: z.int(),
});
export type Backup = z.infer<typeof Backup>;

/** What happened at the opening of the workspace, if the user should know. */
export const OpeningNote = z.strictObject({
  what: z.enum([
    /** The file was damaged; it was moved to quarantine and the newest backup was restored. */
    'restored-after-damage',
    /** The user restored a backup. */
    'restored',
    /** The readable part of a damaged file was recovered into a new one. */
    'salvaged',
    /** View-only: no write access, or a newer Adslate made it. */
    'view-only',
    /** The file is an older state of this workspace. Requests sent since are resolved before anything is sent again. */
    'older-state',
    /** The file was replaced by another workspace. */
    'other-file',
    /** This folder is a copy, and the one it was copied from is still there. Sync waits for `backups.settle`. */
    'copied',
  ]),
  detail: z.string(),
  /** When the restored backup was made. */
  backupAt: z.int().nullable(),
  /** Where the replaced file is now, below the account's folder. */
  setAside: z.string().nullable(),
});
export type OpeningNote = z.infer<typeof OpeningNote>;

/** The changes of a restore, by row type, with the first rows affected. */
export const RestorePreview = z.strictObject({
  backupId: z.string(),
  at: z.int(),
  /** `comingBack` counts rows that only the backup has, `going` those that it does not have. */
  kinds: z.array(z.strictObject({ kind: KindSchema, comingBack: z.int(), going: z.int(), changing: z.int() })),
  examples: z.array(
    z.strictObject({
      kind: KindSchema,
      id: z.int(),
      label: z.string(),
      what: z.enum(['comes-back', 'goes', 'changes']),
    }),
  ),
  /** The first campaigns that differ, with how many of their rows do, and how many campaigns differ beyond them. */
  campaigns: z.array(z.strictObject({ campaignId: RowIdSchema, name: z.string(), rows: z.int() })),
  moreCampaigns: z.int(),
  /**
   * The step for `history.restore` that restores a part of it: the one after which the backup was made. Null if the
   * history was pruned or has changed since.
   */
  moment: z.int().nullable(),
});
export type RestorePreview = z.infer<typeof RestorePreview>;

/** The result of one check of an account's data. */
export const DataCheck = z.strictObject({
  /** The rows and their constraints, a copy that was read back, the journal of requests, the files of the media library. */
  check: z.enum(['rows', 'backup', 'journal', 'media']),
  ok: z.boolean(),
  /** The problems, one per line. */
  found: z.array(z.string()),
  /** Bytes of the copy, entries of the journal, files; of rows the promises that are broken. */
  count: z.int(),
});
export type DataCheck = z.infer<typeof DataCheck>;

/** The durable data of an account, and when it was last verified. Times are milliseconds since 1970. */
export const DataSafety = z.strictObject({
  lastChange: z.strictObject({ at: z.int(), label: z.string(), step: z.int() }).nullable(),
  revision: z.int(),
  /** Intents and outcomes of requests, on the disk before a request is sent. */
  journal: z.strictObject({ entries: z.int(), bytes: z.int(), lastAt: z.int().nullable() }),
  backups: z.int(),
  lastBackup: Backup.omit({ backupId: true }).nullable(),
  unsent: z.int(),
  held: z.int(),
  unresolved: z.int(),
  conflicts: z.int(),
  checked: z.strictObject({ at: z.int(), checks: z.array(DataCheck) }).nullable(),
});
export type DataSafety = z.infer<typeof DataSafety>;

const backupId = z.string().min(1).max(100);

export const backupsContract = {
  /** Newest first. */
  list: operation({ runs: 'app', output: z.array(Backup) }),
  make: operation({ announced: true, access: 'write', output: Backup }),
  preview: operation({ runs: 'app', input: { backupId }, output: RestorePreview, errors: ['NO_BACKUP'] }),
  /** Restores a backup. The present workspace is backed up and moved to quarantine, never deleted. */
  restore: operation({
    runs: 'app',
    announced: true,
    input: { backupId },
    output: z.strictObject({ setAside: z.string() }),
    errors: ['NO_BACKUP', 'SYNC_RUNNING'],
  }),
  /** Recovers the readable rows of a damaged workspace into a new one, when there is no backup. */
  recover: operation({
    runs: 'app',
    announced: true,
    output: z.strictObject({
      setAside: z.string(),
      rows: z.int(),
      lostRanges: z.int(),
      orphans: z.int(),
      withoutBase: z.int(),
      /** How many bytes of the file were missing, by its header; null if the header is damaged. */
      missingBytes: z.int().nullable(),
      /** Estimated number of rows in the unreadable parts. */
      lostRows: z.int(),
    }),
  }),
  safety: operation({ output: DataSafety }),
  /** Runs every check of the data now and stores the result. */
  check: operation({ announced: true, access: 'write', output: DataSafety }),
  /** What happened at the opening of the workspace, and whether it is writable. */
  condition: operation({
    output: z.strictObject({ writable: z.boolean(), notes: z.array(OpeningNote) }),
  }),
  /**
   * Decides which of two copies this is: `moved`, the one to continue with; `copied`, one to view and draft in, which
   * becomes read-only so that the two never send the same changes.
   */
  settle: operation({
    announced: true,
    access: 'write',
    input: { this: z.enum(['moved', 'copied']) },
    output: z.strictObject({}),
  }),
};
