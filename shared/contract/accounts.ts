import { oc } from '@orpc/contract';
import { z } from 'zod';
import { inAccount, may } from './errors.ts';
import { GrantSchema, inWorkspace, WorkspaceIdSchema } from './scalars.ts';

/** Longest text of a deployment profile, in characters. */
export const PROFILE_TEXT_MAX = 20_000;

const name = z.string().trim().min(1).max(60);

/** One advertiser account as the window may know it: no token, no key, no path. */
export const Account = z.strictObject({
  workspaceId: WorkspaceIdSchema,
  name: z.string(),
  advertiserId: z.string(),
  practice: z.boolean(),
  baseUrl: z.string(),
  retailHost: z.string(),
  color: z.string(),
  /** Fingerprint of the public key, once a key is there. */
  keyFingerprint: z.string().nullable(),
  /** How the secrets are kept, in one word; `locked` waits for the passphrase, `none` asks for them again. */
  secrets: z.enum(['keyring', 'passphrase', 'memory', 'files', 'practice', 'locked', 'none']),
  mode: z.enum(['normal', 'confirm', 'read-only']),
});
export type Account = z.infer<typeof Account>;

const ShownProfile = z.strictObject({
  text: z.string(),
  differences: z.array(z.strictObject({ key: z.string(), value: z.string(), usual: z.string() })),
});

export const accountsContract = {
  list: oc.output(z.array(Account)),
  addPractice: oc.input(z.strictObject({ name })).output(Account).errors(may('NAME_TAKEN', 'UNREACHABLE')),
  /** Connects a real account. Secrets come from files the user grants and are proven before anything is stored. */
  connect: oc
    .input(
      z.strictObject({
        name,
        baseUrl: z.url().max(500),
        advertiserId: z.string().regex(/^\d{1,19}$/),
        consumerId: z.string().min(1).max(200),
        keyVersion: z.string().min(1).max(20),
        retailHost: z.string().min(1).max(300),
        headerPrefix: z
          .string()
          .regex(/^[A-Z][A-Z0-9]*$/)
          .default('SVC'),
        extensions: z.boolean().default(false),
        keyGrant: GrantSchema,
        keyPassphrase: z.string().max(1000).optional(),
        tokenGrant: GrantSchema,
      }),
    )
    .output(Account)
    .errors(may('NAME_TAKEN', 'BAD_CREDENTIALS', 'NO_GRANT')),
  rename: oc.input(inWorkspace.extend({ name })).output(Account).errors(may('NO_WORKSPACE', 'NAME_TAKEN')),
  setMode: oc
    .input(inWorkspace.extend({ mode: Account.shape.mode }))
    .output(Account)
    .errors(may('NO_WORKSPACE')),
  /**
   * The deployment profile that the account is judged and served by (wire shapes, section 8): as text, one key a line,
   * and the keys in which it differs from the default.
   */
  profile: oc.input(inWorkspace).output(ShownProfile).errors(inAccount()),
  /** Sets what the deployment has otherwise than usual; blank text goes back to the default. The account opens anew. */
  setProfile: oc
    .input(inWorkspace.extend({ text: z.string().max(PROFILE_TEXT_MAX) }))
    .output(ShownProfile)
    .errors(inAccount('BAD_PROFILE')),
  remove: oc
    .input(inWorkspace)
    .output(z.strictObject({ removed: z.array(z.string()) }))
    .errors(may('NO_WORKSPACE')),
};
