import { z } from 'zod';
import { operation } from './operation.ts';
import { KindSchema, RowIdSchema } from './scalars.ts';

/** A copy of the workspace that was read back and found whole. */
export const Backup = z.strictObject({
  backupId: z.string(),
  reason: z.enum(['timed', 'before-import', 'before-sync', 'before-restore', 'before-schema', 'by-hand']),
  /** Milliseconds since 1970. */
  at: z.int(),
  bytes: z.int(),
});
export type Backup = z.infer<typeof Backup>;

/** Something that was found when the workspace was opened and that the user should know. */
export const OpeningNote = z.strictObject({
  what: z.enum([
    /** The file was damaged; it was set aside and the newest backup took its place. */
    'restored-after-damage',
    /** The user put a backup back. */
    'restored',
    /** What could be read of a damaged file was put into a new one. */
    'salvaged',
    /** Nothing can be written: no write access, or a newer Adslate made it. */
    'view-only',
    /** An older state of the same workspace lies here. What was sent since is asked about before anything is sent again. */
    'older-state',
    /** Another workspace was put in the place of this one. */
    'other-file',
    /** This folder is a copy, and the one it was copied from is still there. Sync waits for `backups.settle`. */
    'copied',
  ]),
  detail: z.string(),
  /** When the backup that is in use now was made. */
  backupAt: z.int().nullable(),
  /** Where the file that was replaced is now, below the account's folder. */
  setAside: z.string().nullable(),
});
export type OpeningNote = z.infer<typeof OpeningNote>;

/** What taking a backup would change, by kind of row, with the first rows concerned. */
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
   * The step for `history.restore` that brings a part of it back: the one after which the backup was made. Null where the
   * history was pruned, or goes another way since.
   */
  moment: z.int().nullable(),
});
export type RestorePreview = z.infer<typeof RestorePreview>;

/** What one check of the data of an account found. */
export const DataCheck = z.strictObject({
  /** The rows and their promises, a copy that was read back, the journal of requests, the files of the media library. */
  check: z.enum(['rows', 'backup', 'journal', 'media']),
  ok: z.boolean(),
  /** What is wrong, a line each. */
  found: z.array(z.string()),
  /** Bytes of the copy, entries of the journal, files; of rows the promises that are broken. */
  count: z.int(),
});
export type DataCheck = z.infer<typeof DataCheck>;

/** What of an account is durable, and when it was last proved. Times are milliseconds since 1970. */
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
  /** Puts a backup in the place of the workspace. What is there now is backed up and set aside, never deleted. */
  restore: operation({
    runs: 'app',
    announced: true,
    input: { backupId },
    output: z.strictObject({ setAside: z.string() }),
    errors: ['NO_BACKUP', 'SYNC_RUNNING'],
  }),
  /** Reads what can be read of a damaged workspace into a new one, when there is no backup to go back to. */
  recover: operation({
    runs: 'app',
    announced: true,
    output: z.strictObject({
      setAside: z.string(),
      rows: z.int(),
      lostRanges: z.int(),
      orphans: z.int(),
      withoutBase: z.int(),
      /** How much of the file was not there, by what its header says. */
      missingBytes: z.int(),
      /** About how many rows were on what could not be read. */
      lostRows: z.int(),
    }),
  }),
  safety: operation({ output: DataSafety }),
  /** Runs every check of the data now; the result is kept. */
  check: operation({ announced: true, access: 'write', output: DataSafety }),
  /** What was found when the workspace was opened, and whether it can be written. */
  condition: operation({
    output: z.strictObject({ writable: z.boolean(), notes: z.array(OpeningNote) }),
  }),
  /**
   * Says which of two copies this is: `moved`, the one that goes on; `copied`, one to look at and to draft in, which
   * is set to read only so that the two never send the same things.
   */
  settle: operation({
    announced: true,
    access: 'write',
    input: { this: z.enum(['moved', 'copied']) },
    output: z.strictObject({}),
  }),
};
