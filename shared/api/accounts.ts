import { z } from 'zod';
import { accountNameProblem } from '../model/account-name.ts';
import { CAPABILITY_NAMES } from '../plan/capabilities.ts';
import { appOperation, operation } from './operation.ts';
import { GrantSchema, WorkspaceIdSchema } from './scalars.ts';

/** Longest text of a deployment profile, in characters. */
export const PROFILE_TEXT_MAX = 20_000;

const ConnectionSetting = z.enum(['baseUrl', 'headerPrefix', 'keyVersion', 'timestampUnit', 'signatureAlgorithm']);

const name = z
  .string()
  .trim()
  .superRefine((text, { addIssue }) => {
    const problem = accountNameProblem(text);
    if (problem !== null) addIssue({ code: 'custom', message: problem });
  });

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

/** A connected account, with what the connection test found to be otherwise than entered. */
const ConnectedAccount = Account.extend({
  found: z.array(z.strictObject({ setting: ConnectionSetting, value: z.string() })),
  /** How far the service's clock is ahead of this computer's; null when it does not say. */
  clockAheadSeconds: z.int().nullable(),
});
export type ConnectedAccount = z.infer<typeof ConnectedAccount>;

const ShownCapability = z.strictObject({
  name: z.enum(CAPABILITY_NAMES),
  /** What the last probe saw; null before the first. */
  offered: z.boolean().nullable(),
  seenAt: z.number().nullable(),
  /** What the user set; null follows the probe. */
  set: z.boolean().nullable(),
  inUse: z.boolean(),
});
export type ShownCapability = z.infer<typeof ShownCapability>;

const names = z.array(z.string()).readonly();

const ShownLimits = z.strictObject({
  sba: z.strictObject({
    brandMax: z.number(),
    headlineMax: z.number(),
    clickUrlEncoding: z.enum(['document', 'as-typed']),
  }),
  logo: z.strictObject({
    width: z.number(),
    height: z.number(),
    contentMaxKb: z.number(),
    uploadMaxKb: z.number(),
  }),
  multiplier: z.strictObject({
    max: z.number(),
    placements: z.strictObject({ auto: names, manual: names }),
    platforms: names,
  }),
  keywords: z.strictObject({ maxDistinctEnabled: z.number() }),
  media: z.strictObject({ seconds: z.strictObject({ min: z.number(), max: z.number() }), maxMb: z.number() }),
});

const ShownProfile = z.strictObject({
  text: z.string(),
  differences: z.array(z.strictObject({ key: z.string(), value: z.string(), usual: z.string() })),
  /** Lines of the text that mean nothing any more, a sentence each. */
  notes: z.array(z.string()),
  /** The parts that the window counts and chooses by. */
  limits: ShownLimits,
});

export const accountsContract = {
  list: appOperation({ output: z.array(Account), errors: ['NOT_WRITABLE'] }),
  addPractice: appOperation({
    input: z.strictObject({ name }),
    output: Account,
    errors: ['NAME_TAKEN', 'NOT_WRITABLE', 'UNREACHABLE'],
  }),
  /**
   * Connects a real account. Secrets come from files the user grants and are proven before anything is stored; what the
   * deployment wants otherwise than entered is found out, stored with the account and named in the answer.
   */
  connect: appOperation({
    input: z.strictObject({
      name,
      baseUrl: z.url().max(500),
      advertiserId: z.string().regex(/^\d{1,19}$/),
      consumerId: z.string().min(1).max(200),
      keyVersion: z.string().min(1).max(20),
      retailHost: z.string().min(1).max(300),
      /** First part of the header names. A whole header name is understood, too. */
      headerPrefix: z
        .string()
        .trim()
        .regex(/^[A-Za-z][\w.-]{0,60}$/)
        .default('SVC'),
      /** Whether calls beyond the document are probed, and used where the service offers them. */
      extensions: z.boolean().default(true),
      keyGrant: GrantSchema,
      keyPassphrase: z.string().max(1000).optional(),
      /** A file that holds the passphrase of the key on one line, in place of the passphrase itself. */
      keyPassphraseGrant: GrantSchema.optional(),
      tokenGrant: GrantSchema,
    }),
    output: ConnectedAccount,
    errors: ['NAME_TAKEN', 'ALREADY_CONNECTED', 'NOT_WRITABLE', 'BAD_CREDENTIALS', 'NO_GRANT'],
  }),
  rename: operation({ runs: 'app', input: { name }, output: Account, errors: ['NAME_TAKEN'] }),
  setMode: operation({ runs: 'app', input: { mode: Account.shape.mode }, output: Account }),
  /**
   * The deployment profile that the account is judged and served by (wire shapes, section 8): as text, one key a line,
   * and the keys in which it differs from the default.
   */
  profile: operation({ runs: 'main', output: ShownProfile }),
  /** Sets what the deployment has otherwise than usual; blank text goes back to the default. The account opens anew. */
  setProfile: operation({
    runs: 'app',
    input: { text: z.string().max(PROFILE_TEXT_MAX) },
    output: ShownProfile,
    errors: ['BAD_PROFILE'],
  }),
  /** Calls beyond the document: what the service offers, when that was seen, and what the user set. */
  capabilities: operation({ runs: 'main', output: z.array(ShownCapability) }),
  /** Asks the service again, by reads alone. */
  probeCapabilities: operation({
    runs: 'main',
    output: z.array(ShownCapability),
    errors: ['UNREACHABLE', 'BAD_CREDENTIALS', 'SERVICE_ANSWERED'],
  }),
  /** Uses a capability, does not use it, or follows the probe again (null). */
  setCapability: operation({
    runs: 'main',
    input: { name: z.enum(CAPABILITY_NAMES), use: z.boolean().nullable() },
    output: z.array(ShownCapability),
  }),
  remove: operation({ runs: 'app', output: z.strictObject({ removed: z.array(z.string()) }) }),
};
