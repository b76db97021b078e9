import { z } from 'zod';
import { codePointText } from '../model/text.ts';
import { CHANGE_LIMIT_SOURCES } from '../plan/change-limit.ts';
import { CAPABILITY_NAMES } from '../plan/plan-types.ts';
import { appOperation, operation } from './operation.ts';
import { GrantSchema, WorkspaceIdSchema } from './scalars.ts';

/** Longest text of a deployment profile, in characters. */
export const PROFILE_TEXT_MAX = 20_000;

/** The highest target that can be set. */
export const TARGET_ROAS_MAX = 1000;

const ConnectionSetting = z.enum(['baseUrl', 'headerPrefix', 'keyVersion', 'timestampUnit', 'signatureAlgorithm']);

export const AccountName = z
  .string()
  .trim()
  .superRefine((text, { addIssue }) => {
    const problem = accountNameProblem(text);
    if (problem !== null) addIssue({ code: 'custom', message: problem });
  });

/** One advertiser account as shown to a window: no token, no key, no path. */
export const Account = z.strictObject({
  workspaceId: WorkspaceIdSchema,
  name: z.string(),
  advertiserId: z.string(),
  practice: z.boolean(),
  baseUrl: z.string(),
  consumerId: z.string(),
  keyVersion: z.string(),
  headerPrefix: z.string(),
  retailHost: z.string(),
  extensions: z.boolean(),
  color: z.string(),
  /** Fingerprint of the public key, once a key is there. */
  keyFingerprint: z.string().nullable(),
  /** Where the secrets are stored; `locked` needs the passphrase, `none` needs them entered again. */
  secrets: z.enum(['keyring', 'passphrase', 'memory', 'files', 'practice', 'locked', 'none']),
  mode: z.enum(['normal', 'confirm', 'read-only']),
  /** A practice account that was filled with example campaigns. */
  isSample: z.boolean(),
  /** Target sales for each dollar of spend; null until set. */
  targetRoas: z.number().nullable(),
  /** Whether the account is shared with a team. */
  hasTeam: z.boolean(),
});
export type Account = z.infer<typeof Account>;

/** A connected account, with the settings that the connection test found to differ from those entered. */
const ConnectedAccount = Account.extend({
  found: z.array(z.strictObject({ setting: ConnectionSetting, value: z.string() })),
  /** How far the service's clock is ahead of this computer's; null if the service sends no date. */
  clockAheadSeconds: z.int().nullable(),
});
export type ConnectedAccount = z.infer<typeof ConnectedAccount>;

const ShownCapability = z.strictObject({
  name: z.enum(CAPABILITY_NAMES),
  /** Result of the last probe; null before the first. */
  offered: z.boolean().nullable(),
  seenAt: z.number().nullable(),
  /** The user's setting; null follows the probe. */
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
  /** Lines of the text that no longer have a meaning, one sentence each. */
  notes: z.array(z.string()),
  /** The limits and choices that the window uses. */
  limits: ShownLimits,
});

export const accountsContract = {
  list: appOperation({ output: z.array(Account), errors: ['NOT_WRITABLE'] }),
  addPractice: appOperation({
    input: z.strictObject({ name: AccountName }),
    output: Account,
    errors: ['NAME_TAKEN', 'TOO_MANY_ACCOUNTS', 'NOT_WRITABLE', 'UNREACHABLE'],
  }),
  /** Like `addPractice`, with example campaigns, reports and a few changes, one of them with a mistake. */
  addSample: appOperation({
    input: z.strictObject({ name: AccountName }),
    output: Account,
    errors: ['NAME_TAKEN', 'TOO_MANY_ACCOUNTS', 'NOT_WRITABLE', 'UNREACHABLE'],
  }),
  /**
   * Connects a real account. Secrets come from files the user grants and are tested before anything is stored. Where the
   * deployment differs from the entered settings, the test finds the right ones, stores them with the account and returns
   * them. Ends with CANCELLED, and nothing stored, when the call's signal aborts during the test.
   */
  connect: appOperation({
    input: z.strictObject({
      name: AccountName,
      baseUrl: z.url().max(500),
      advertiserId: z.string().regex(/^\d{1,19}$/),
      consumerId: z.string().min(1).max(200),
      keyVersion: z.string().min(1).max(20),
      retailHost: z.string().min(1).max(300),
      /** First part of the header names. A full header name is accepted, too. */
      headerPrefix: z
        .string()
        .trim()
        .regex(/^[A-Za-z][\w.-]{0,60}$/)
        .default('SVC'),
      /** Whether calls beyond the document are probed, and used where the service offers them. */
      extensions: z.boolean().default(true),
      keyGrant: GrantSchema,
      keyPassphrase: z.string().max(1000).optional(),
      /** A file with the passphrase of the key on one line, instead of the passphrase itself. */
      keyPassphraseGrant: GrantSchema.optional(),
      tokenGrant: GrantSchema,
    }),
    output: ConnectedAccount,
    errors: [
      'CANCELLED',
      'NAME_TAKEN',
      'ALREADY_CONNECTED',
      'TOO_MANY_ACCOUNTS',
      'NOT_WRITABLE',
      'BAD_CREDENTIALS',
      'NO_GRANT',
    ],
  }),
  rename: operation({ runs: 'app', input: { name: AccountName }, output: Account, errors: ['NAME_TAKEN'] }),
  setMode: operation({ runs: 'app', input: { mode: Account.shape.mode }, output: Account }),
  /**
   * The deployment settings of the account (wire shapes, section 8): as text, one key per line, and the keys that
   * differ from the default.
   */
  profile: operation({ output: ShownProfile }),
  /** Sets the deployment settings that differ from the defaults; blank text restores the defaults. The account reopens. */
  setProfile: operation({
    runs: 'app',
    announced: true,
    input: { text: z.string().max(PROFILE_TEXT_MAX) },
    output: ShownProfile,
    errors: ['BAD_PROFILE'],
  }),
  /** Calls beyond the document: whether the service offers them, when that was probed, and the user's setting. */
  capabilities: operation({ output: z.array(ShownCapability) }),
  /** Probes the service again, with reads only. */
  probeCapabilities: operation({
    announced: true,
    output: z.array(ShownCapability),
    errors: ['UNREACHABLE', 'BAD_CREDENTIALS', 'SERVICE_ANSWERED'],
  }),
  /** Uses a capability, does not use it, or follows the probe again (null). */
  setCapability: operation({
    announced: true,
    input: { name: z.enum(CAPABILITY_NAMES), use: z.boolean().nullable() },
    output: z.array(ShownCapability),
  }),
  remove: operation({ runs: 'app', output: z.strictObject({ removed: z.array(z.string()) }) }),
};

/** How many changes the service accepts in an hour, the source of that limit, and how many hours confirmed a measured one. */
export const ChangeLimitView = z.strictObject({
  perHour: z.int(),
  from: z.enum(CHANGE_LIMIT_SOURCES),
  seen: z.int(),
});

/** Status of an account: how much can still be sent, when the service is polled next, and low disk space. */
export const AccountStatus = z.strictObject({
  /** Elements that may still be changed, of those an hour allows (wire shapes, section 2, "rate limit"). */
  budgetLeft: z.int(),
  budgetPerHour: z.int(),
  changeLimit: ChangeLimitView,
  /** When reviews and uploads are polled next, in milliseconds since 1970; null during a poll. */
  nextPollAt: z.int().nullable(),
  /** Whether the last request to the service got a response; null before the first. */
  reachable: z.boolean().nullable(),
  /** Until when the service refuses requests, as it announced, in milliseconds since 1970; null otherwise. */
  limitedUntil: z.int().nullable(),
  /** Free bytes on the disk of the workspace if they are few, else null. */
  lowSpaceBytes: z.int().nullable(),
});
export type AccountStatus = z.infer<typeof AccountStatus>;

export const accountStatusContract = {
  get: operation({ output: AccountStatus }),
};

/**
 * Storage of the keys and tokens of accounts. Operations set the storage, unlock and remove; by design, none returns a
 * secret.
 */
export const CredentialStorage = z.enum(['keyring', 'passphrase', 'memory']);
export type CredentialStorage = z.infer<typeof CredentialStorage>;

export const CredentialStatus = z.strictObject({
  storage: CredentialStorage,
  /** `locked` needs the passphrase; `refused` reads and stores nothing until the user has selected a storage again. */
  state: z.enum(['open', 'locked', 'refused']),
  /**
   * Why it is refused: the keychain is a different one, it is locked or lost our key, or our own file can't be read.
   * Null unless refused.
   */
  problem: z.enum(['store-changed', 'store-closed', 'damaged']).nullable(),
  /** The key store's name while one is in use. */
  store: z.string().nullable(),
  /** The storages available on this computer. */
  offered: z.array(CredentialStorage),
});
export type CredentialStatus = z.infer<typeof CredentialStatus>;

/** The maximum bounds the work of one call. */
const passphrase = z.string().min(1).max(1000);

export const credentialsContract = {
  status: appOperation({ output: CredentialStatus, errors: ['NOT_WRITABLE'] }),
  /** Changes the storage of secrets. Secrets that can be read move along; others are set aside. */
  setStorage: appOperation({
    input: z.strictObject({ storage: CredentialStorage, passphrase: passphrase.optional() }),
    output: CredentialStatus,
    errors: ['NOT_WRITABLE', 'SECRETS_REFUSED'],
  }),
  unlock: appOperation({
    input: z.strictObject({ passphrase }),
    output: CredentialStatus,
    errors: ['NOT_WRITABLE', 'SECRETS_REFUSED'],
  }),
  lock: appOperation({ output: CredentialStatus, errors: ['NOT_WRITABLE'] }),
  /** Removes the key and the token of one account; the account stays and needs them entered again. */
  remove: operation({ runs: 'app', output: CredentialStatus }),
};

/** Most letters a host name can have (RFC 1035, 2.3.4). */
const Host = z.string().min(1).max(253);

/** A host outside the deployment's list to which the service wants files of this account uploaded. */
export const UploadHost = z.strictObject({
  /** The host in ASCII (Punycode), as in requests. */
  host: z.string(),
  /** The host with its international characters; mostly equal to `host`. */
  shown: z.string(),
  state: z.enum(['asked', 'allowed', 'refused']),
  askedAt: z.int(),
  answeredAt: z.int().nullable(),
  /** Files that wait for the user's decision, or that led to it. */
  files: z.array(z.strictObject({ name: z.string(), bytes: z.int() })),
});
export type UploadHost = z.infer<typeof UploadHost>;

export const uploadHostsContract = {
  list: operation({ output: z.array(UploadHost) }),
  /** Remembered for this account, for this host alone and nothing below it. */
  set: operation({
    announced: true,
    access: 'write',
    input: { host: Host, allow: z.boolean() },
    output: z.array(UploadHost),
    errors: ['NO_UPLOAD_HOST'],
  }),
  /** Resets a decision: the next upload to the host asks again. */
  reset: operation({
    announced: true,
    access: 'write',
    input: { host: Host },
    output: z.array(UploadHost),
    errors: ['NO_UPLOAD_HOST'],
  }),
};

/** Longest account name, in characters as people count them: an emoji is one. */
const ACCOUNT_NAME_MAX = 60;

/** Why a text cannot be the name of an account, as a sentence; null when it can. Blanks around it do not count. */
function accountNameProblem(name: string): string | null {
  const text = name.trim();
  if (text === '') return 'The account name is empty. Enter a name.';
  if (HIDDEN.test(withoutJoined(text))) {
    return `The account name contains an invisible character: "${shownName(text)}". Enter it without that character.`;
  }
  const length = [...text].length;
  if (length <= ACCOUNT_NAME_MAX) return null;
  return `The account name has ${length} characters. The maximum is ${ACCOUNT_NAME_MAX}. Choose a shorter name.`;
}

/** Control characters, changes of text direction, zero-width characters, lone surrogates, and blank letters. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const HIDDEN_EACH = new RegExp(HIDDEN.source, 'gu');

/** Joiners inside an emoji are visible as part of it. */
const withoutJoined = (text: string): string =>
  text
    .replace(/\uFE0F/gu, '')
    .replace(/(\p{Extended_Pictographic}\p{Emoji_Modifier}?)\u200D(?=\p{Extended_Pictographic})/gu, '$1');

const SHOWN_MAX = 80;

/** The name with invisible characters written out, such as A[U+200B]B. */
function shownName(text: string): string {
  const characters = [...withoutJoined(text)];
  const shown = characters.slice(0, SHOWN_MAX).join('').replace(HIDDEN_EACH, codePointText);
  return characters.length > SHOWN_MAX ? `${shown}...` : shown;
}
