import { z } from 'zod';
import { type Account, PROFILE_TEXT_MAX } from '../../shared/contract/accounts.ts';
import { WorkspaceIdSchema } from '../../shared/contract/scalars.ts';
import { parseProfile } from '../../shared/profile/profile-text.ts';

/** One account as `accounts.json` keeps it. Facts only: no token, no key; `files` are paths to them. */
export const AccountRecord = z.strictObject({
  workspaceId: WorkspaceIdSchema,
  /** Names are judged when they are given; one that was taken by an older rule is no damage. */
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
  /** What the deployment has otherwise than usual, as profile text; absent for nothing. */
  profile: z
    .string()
    .max(PROFILE_TEXT_MAX)
    .refine((text) => parseProfile(text).ok, 'the profile cannot be read')
    .optional(),
  keyFingerprint: z.string().nullable(),
  secrets: z.discriminatedUnion('kept', [
    z.strictObject({ kept: z.literal('practice') }),
    /** In the box of the host: key store, passphrase or memory. */
    z.strictObject({ kept: z.literal('box') }),
    /** Read again from the user's own files at every start. */
    z.strictObject({
      kept: z.literal('files'),
      keyFile: z.string(),
      /** Where the passphrase of an encrypted key stands; absent for a key without one. */
      keyPassphraseFile: z.string().optional(),
      tokenFile: z.string(),
    }),
  ]),
});
export type AccountRecord = z.infer<typeof AccountRecord>;

export const AccountsFile = z.strictObject({
  version: z.literal(1),
  accounts: z.array(AccountRecord).max(1000),
});
export type AccountsFile = z.infer<typeof AccountsFile>;

/** Told apart at a glance, also by people who do not tell red from green. */
const COLORS = ['#1c7ed6', '#e8590c', '#2b8a3e', '#9c36b5', '#c2255c', '#0c8599', '#5f3dc4', '#a67c00'] as const;
export const colorOf = (position: number): string => COLORS[position % COLORS.length] ?? COLORS[0];

/** What a window may know of the account. */
export function accountView(record: AccountRecord, boxGrade: Account['secrets']): Account {
  return {
    workspaceId: record.workspaceId,
    name: record.name,
    advertiserId: record.advertiserId,
    practice: record.practice,
    baseUrl: record.baseUrl,
    retailHost: record.retailHost,
    color: record.color,
    keyFingerprint: record.keyFingerprint,
    secrets: record.secrets.kept === 'box' ? boxGrade : record.secrets.kept,
    mode: record.mode,
  };
}
