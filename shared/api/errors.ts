import { z } from 'zod';
import { TEAM_STEPS } from '../error-help/database-problem.ts';
import { TEAM_ROLES } from './choices.ts';
import { KindSchema } from './scalars.ts';

/**
 * Failures that cross the contract: a code and facts, never a sentence, a stack, a path or a header. Each
 * operation declares its own; any other failure is a defect and arrives as INTERNAL_SERVER_ERROR.
 */
const table = {
  NO_WORKSPACE: { data: z.strictObject({ workspaceId: z.string() }) },
  NO_ROW: { data: z.strictObject({ kind: KindSchema, id: z.int() }) },
  NO_VIEW: { data: z.strictObject({ viewId: z.int() }) },
  /** A value does not fit its field: wrong type, unknown choice, a field only the service changes. */
  BAD_VALUE: {
    data: z.strictObject({
      kind: KindSchema,
      field: z.string(),
      reason: z.enum(['type', 'choice', 'owner', 'unknown-field', 'parent']),
    }),
  },
  BAD_FILTER: { data: z.strictObject({ at: z.int(), problem: z.string() }) },
  /** The workspace cannot be written just now. */
  NOT_WRITABLE: {
    data: z.strictObject({
      why: z.enum([
        'busy-elsewhere',
        'disk-full',
        'damaged',
        'newer-schema',
        /** The data folder cannot be written. */
        'read-only',
        /** The user has switched off everything that changes the service. */
        'read-only-account',
        'folder-moved',
        /** The folder is a copy of one that still exists, and the user has not decided which of the two continues. */
        'copied',
        /** A thread of it has ended; it can be opened again. */
        'failed',
        /** In a team: this computer has used up its numbers for new rows, and gets more when it connects. */
        'no-row-numbers',
      ]),
      detail: z.string(),
    }),
  },
  /** A tool that can't run at all: `at` is a position in the input, if there is one. */
  BAD_TOOL: { data: z.strictObject({ at: z.int(), problem: z.string() }) },
  CANCELLED: { data: z.strictObject({}) },
  /** A step of the history that does not exist or was pruned. */
  NO_MOMENT: { data: z.strictObject({ step: z.int() }) },
  /** A label, a comment or a saved view that no longer exists. */
  NO_NOTE: { data: z.strictObject({ id: z.int() }) },
  /** A rule of the user's that cannot be used; `at` is a position in its query, where there is one. */
  BAD_RULE: {
    data: z.strictObject({ field: z.enum(['id', 'name', 'query']), at: z.int().nullable(), problem: z.string() }),
  },
  NO_BACKUP: { data: z.strictObject({ backupId: z.string() }) },
  /** Deployment settings that can't be used; `line` counts from 1 and is null when no single line is at fault. */
  BAD_PROFILE: {
    data: z.strictObject({
      problems: z.array(z.strictObject({ line: z.int().nullable(), key: z.string(), problem: z.string() })),
    }),
  },
  NO_GRANT: { data: z.strictObject({ grant: z.string() }) },
  /** The file cannot be used; `reason` is a key of the message table, `params` its facts. */
  BAD_FILE: {
    data: z.strictObject({
      fileName: z.string(),
      reason: z.string(),
      params: z.record(z.string(), z.union([z.string(), z.number()])),
    }),
  },
  /** Another plan was made since; request the plan again. */
  NO_PLAN: { data: z.strictObject({ planId: z.string() }) },
  /** The changes to send differ from the plan that was shown; `changes` counts the rows, null if unknown. */
  PLAN_CHANGED: { data: z.strictObject({ changes: z.int().nullable() }) },
  SYNC_RUNNING: { data: z.strictObject({ runId: z.string() }) },
  NO_SYNC: { data: z.strictObject({}) },
  NOTHING_TO_DO: { data: z.strictObject({}) },
  /** An upload host that was never asked about. */
  NO_UPLOAD_HOST: { data: z.strictObject({ host: z.string() }) },
  NO_QUESTION: { data: z.strictObject({ questionId: z.int() }) },
  /** An answer that can't be accepted: the ID does not exist, belongs to another row, or "absent" can't be known yet. */
  BAD_ANSWER: {
    data: z.strictObject({
      reason: z.enum(['not-found', 'taken', 'too-early', 'parent-open', 'unreachable', 'not-an-id']),
      waitMs: z.int(),
    }),
  },
  /** The connection's credentials do not work; `step` says which check failed. */
  BAD_CREDENTIALS: {
    data: z.strictObject({
      step: z.enum([
        'advertiser-id',
        'key',
        'key-locked',
        'token',
        'base-url',
        'retail-host',
        'clock',
        'access',
        'unreachable',
        'secrets',
        /** Token or key are locked, or not on this computer. */
        'missing',
      ]),
      /** For `access` the words of the service, for `secrets` a code, else a sentence with the next step. */
      detail: z.string(),
      /** The response of the service to the connection test. */
      refused: z
        .strictObject({
          step: z.enum(['access', 'base-url', 'unreachable']),
          call: z.string(),
          status: z.int().nullable(),
          words: z.string(),
          tried: z.int(),
          skewSeconds: z.int().nullable(),
        })
        .optional(),
    }),
  },
  /** The secrets of accounts can't be stored or read as requested. */
  SECRETS_REFUSED: {
    data: z.strictObject({
      reason: z.enum(['no-keyring', 'passphrase-too-short', 'wrong-passphrase', 'locked', 'not-locked', 'refused']),
    }),
  },
  /** No response: no connection, or it ended early. */
  UNREACHABLE: { data: z.strictObject({ detail: z.string() }) },
  /**
   * The service responded, but the response can't be used. `detail` describes it or has its message, `call` is the
   * request (empty if unknown), `retryAt` the time of a retry that it named, in milliseconds since 1970.
   */
  SERVICE_ANSWERED: {
    data: z.strictObject({ status: z.int(), call: z.string(), detail: z.string(), retryAt: z.int().nullable() }),
  },
  NO_REPORT: { data: z.strictObject({ id: z.string() }) },
  /** A saved report whose rows are damaged or can't be read; `detail` is the code of that failure. */
  REPORT_UNREADABLE: { data: z.strictObject({ id: z.string(), detail: z.string() }) },
  /** The service returned no report; `detail` has its message, or the URL or file that can't be used. */
  REPORT_FAILED: {
    data: z.strictObject({
      reason: z.enum(['refused', 'address', 'file', 'too-large']),
      detail: z.string(),
    }),
  },
  NOT_PRACTICE: { data: z.strictObject({}) },
  /** The advertiser is already connected on this service as account `name`; its key and token can be renewed under that name. */
  ALREADY_CONNECTED: { data: z.strictObject({ name: z.string() }) },
  NAME_TAKEN: { data: z.strictObject({ name: z.string() }) },
  TOO_MANY_ACCOUNTS: { data: z.strictObject({ max: z.int() }) },
  /** The account is not one of a team. */
  NO_TEAM: { data: z.strictObject({}) },
  /** The account has a team already, or the database has a team of this advertiser. */
  HAS_TEAM: { data: z.strictObject({ where: z.enum(['here', 'database']) }) },
  /** The database of the team cannot be reached; `since` in milliseconds since 1970. */
  TEAM_OFFLINE: { data: z.strictObject({ since: z.int().nullable(), detail: z.string() }) },
  /** The member lacks a role, was removed, or has submitted or written what they would sign off. */
  NOT_ALLOWED: { data: z.strictObject({ why: z.enum([...TEAM_ROLES, 'removed', 'submitter', 'author']) }) },
  /** Another computer of the team may send now; times in milliseconds since 1970. */
  COLLEAGUE_SYNCS: { data: z.strictObject({ member: z.string(), since: z.int(), until: z.int() }) },
  /** None of the requested rows is signed off; `changedSince` of them were, and changed afterwards. */
  NEEDS_SIGN_OFF: { data: z.strictObject({ rows: z.int(), changedSince: z.int() }) },
  /** The database of a team can't be used; `step` is the check that failed. */
  BAD_TEAM_CONNECTION: {
    data: z.strictObject({
      step: z.enum(TEAM_STEPS),
      host: z.string(),
      detail: z.string(),
    }),
  },
  /** The copy of a team's database lacks entries that were shared. */
  OTHER_HISTORY: { data: z.strictObject({}) },
  BAD_INVITATION: { data: z.strictObject({ reason: z.enum(['file', 'words', 'expired', 'used']) }) },
  NO_REQUEST: { data: z.strictObject({ id: z.string() }) },
  NO_MEMBER: { data: z.strictObject({ no: z.int() }) },
  /** The team would have no admin. */
  LAST_ADMIN: { data: z.strictObject({}) },
} as const;

type Table = typeof table;
/** A named type for the whole table: written out at each operation it would be too long. */
export interface Errors extends Table {}
export const errors: Errors = table;
type Code = keyof Errors;

/** Picks the named errors for one operation. */
export function may<C extends Code>(...codes: readonly C[]): Pick<Errors, C> {
  const picked: Partial<Record<Code, unknown>> = {};
  for (const code of codes) picked[code] = errors[code];
  return picked as Pick<Errors, C>;
}
