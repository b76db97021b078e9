import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type Account, PROFILE_TEXT_MAX, TARGET_ROAS_MAX } from '../../shared/api/accounts.ts';
import { WorkspaceIdSchema } from '../../shared/api/scalars.ts';
import { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { parseProfile } from '../../shared/deployment/settings-text.ts';
import { asWorkspaceId, type WorkspaceId } from '../../shared/model/scalars.ts';
import { nullIfNotFound } from '../app/atomic-write.ts';
import { notWritable } from '../store/not-writable.ts';

/** The team's database, and the identity of this computer in it. */
export const TeamRecord = z.strictObject({
  /** Tried in order, each with or without a port. */
  hosts: z.array(z.string().min(1)).min(1),
  database: z.string(),
  login: z.string(),
  /** A private certificate authority, as PEM; null for those of the system. */
  ca: z.string().nullable(),
  workspace: z.uuid(),
  desk: z.int(),
});
export type TeamRecord = z.infer<typeof TeamRecord>;

/** Key of the team password in the credential store. Account IDs contain no point, so they can't clash with it. */
export const teamSecretId = (workspace: string): string => `${workspace}.team`;

/** One account as stored in `accounts.json`. No token and no key; `files` are paths to them. */
export const AccountRecord = z.strictObject({
  workspaceId: WorkspaceIdSchema,
  /** Names are checked when entered; a name that an older rule allowed must still load. */
  name: z.string().min(1).max(1000),
  advertiserId: z.string().regex(/^\d{1,19}$/),
  practice: z.boolean(),
  /** Empty for a practice account: its service gets another port at every start. */
  baseUrl: z.string(),
  consumerId: z.string(),
  keyVersion: z.string(),
  headerPrefix: z.string(),
  retailHost: z.string(),
  extensions: z.boolean(),
  /** Whether item ids have the new format; null while the service has not shown it. */
  migrated: z.boolean().nullable(),
  color: z.string(),
  mode: z.enum(['normal', 'confirm', 'read-only']),
  /** Deployment settings that differ from the defaults, as text; absent for none. */
  profile: z
    .string()
    .max(PROFILE_TEXT_MAX)
    .refine((text) => parseProfile(text).ok, 'the profile cannot be read')
    .optional(),
  keyFingerprint: z.string().nullable(),
  /** A practice account that was filled with example campaigns. */
  isSample: z.literal(true).optional(),
  /** Target sales for each dollar of spend; absent until set. */
  targetRoas: z.number().positive().max(TARGET_ROAS_MAX).optional(),
  /** The team of the account; its password is stored like the secrets of the account. */
  team: TeamRecord.optional(),
  secrets: z.discriminatedUnion('kept', [
    z.strictObject({ kept: z.literal('practice') }),
    /** In the credential store of the host: keychain, passphrase or memory. */
    z.strictObject({ kept: z.literal('box') }),
    /** Read again from the user's own files at every start. */
    z.strictObject({
      kept: z.literal('files'),
      keyFile: z.string(),
      /** Path to the passphrase of an encrypted key; absent for a key without one. */
      keyPassphraseFile: z.string().optional(),
      tokenFile: z.string(),
    }),
  ]),
});
export type AccountRecord = z.infer<typeof AccountRecord>;

export const AccountsFile = z.strictObject({
  version: z.literal(1),
  accounts: z.array(AccountRecord),
});
export type AccountsFile = z.infer<typeof AccountsFile>;

/** Distinct also for people who can't distinguish red from green. */
const COLORS = ['#1c7ed6', '#e8590c', '#2b8a3e', '#9c36b5', '#c2255c', '#0c8599', '#5f3dc4', '#a67c00'] as const;
export const colorOf = (position: number): string => COLORS[position % COLORS.length] ?? COLORS[0];

/** The account as shown to windows: no secret and no path. */
export function accountView(record: AccountRecord, boxGrade: Account['secrets']): Account {
  return {
    workspaceId: record.workspaceId,
    name: record.name,
    advertiserId: record.advertiserId,
    practice: record.practice,
    baseUrl: record.baseUrl,
    consumerId: record.consumerId,
    keyVersion: record.keyVersion,
    headerPrefix: record.headerPrefix,
    retailHost: record.retailHost,
    extensions: record.extensions,
    color: record.color,
    keyFingerprint: record.keyFingerprint,
    secrets: record.secrets.kept === 'box' ? boxGrade : record.secrets.kept,
    mode: record.mode,
    isSample: record.isSample === true,
    targetRoas: record.targetRoas ?? null,
    hasTeam: record.team !== undefined,
  };
}

/**
 * The deployment settings of an account: those in its text, and defaults for the rest. The retail host was verified
 * with the connection, so the account's own one always applies.
 */
export function profileOf(record: Pick<AccountRecord, 'profile' | 'retailHost'>): DeploymentSettings {
  const parsed = parseProfile(record.profile ?? '');
  // The text was checked when it was stored, and again when the list of accounts was read.
  if (!parsed.ok) throw new Error(`the profile of the account cannot be read: ${parsed.error[0]?.problem}`);
  return DeploymentSettings.parse({
    ...parsed.value,
    retail: { host: record.retailHost },
  });
}

/** Why an account that the user has set to read-only sends nothing. */
export const READ_ONLY = notWritable('read-only-account', 'this account is set to read only');

/**
 * The files of one account below the data folder:
 *
 *   workspaces/<id>/  workspace.db  cube.db  sync.journal  pending-sync.json  media/  reports/  backups/
 *   practice/<id>/    the simulated service of a practice account
 */
export const workspaceFolder = (dataDir: string, id: WorkspaceId): string => join(dataDir, 'workspaces', id);
export const workspaceFile = (dataDir: string, id: WorkspaceId): string =>
  join(workspaceFolder(dataDir, id), 'workspace.db');
export const mediaFolder = (dataDir: string, id: WorkspaceId): string => join(workspaceFolder(dataDir, id), 'media');
export const practiceFolder = (dataDir: string, id: WorkspaceId): string => join(dataDir, 'practice', id);

/** The name of an account as a part of a file name; empty when none of its characters is safe in all systems. */
export const readableName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '');

/** A folder name: the readable name of the account, and random characters that keep two accounts apart. */
export function newWorkspaceId(name: string): WorkspaceId {
  const readable = readableName(name);
  const unique = randomBytes(4).toString('hex');
  return asWorkspaceId(readable === '' ? `account-${unique}` : `${readable}-${unique}`);
}

/** Names of unfinished files of an account: each is renamed at the end, or removed when it fails. */
const ARRIVING: readonly { readonly folder: string; readonly names: RegExp }[] = [
  { folder: '', names: /\.(?:restoring|salvaging)(?:-wal|-shm|-journal)?$|\.part$/u },
  { folder: 'backups', names: /\.tmp(?:-wal|-shm|-journal)?$/u },
  { folder: 'media', names: /^arriving-/u },
  { folder: 'reports', names: /\.part$/u },
  { folder: 'reports/jobs', names: /\.part$/u },
  { folder: 'imports', names: /./u },
];

/**
 * Removes unfinished files of an earlier process. Called just after the lock of the workspace was taken and before any
 * other work, so that no running process uses them.
 */
export async function sweepLeftovers(folder: string): Promise<void> {
  for (const { folder: below, names } of ARRIVING) {
    const found = (await readdir(join(folder, below)).catch(nullIfNotFound)) ?? [];
    for (const name of found.filter((each) => names.test(each))) {
      await rm(join(folder, below, name), { recursive: true, force: true }).catch((error: unknown) => {
        // A file that can't be removed takes space but does no harm: no reason to refuse to open the account.
        if (!(error instanceof Error && 'code' in error)) throw error;
      });
    }
  }
}

/** Removes all files of an account and returns their paths, so that "removed" can be checked. */
export async function removeAccountFiles(dataDir: string, id: WorkspaceId): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const folder of [workspaceFolder(dataDir, id), practiceFolder(dataDir, id)]) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(nullIfNotFound);
    if (entries === null) continue;
    for (const entry of entries) {
      // Relative names: paths of the user's disk do not leave main.
      if (entry.isFile()) removed.push(join(entry.parentPath, entry.name).slice(dataDir.length + 1));
    }
    await rm(folder, { recursive: true, force: true });
  }
  return removed;
}
