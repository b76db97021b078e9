import { join, resolve, sep } from 'node:path';
import { ORPCError } from '@orpc/client';
import { z } from 'zod';
import type { Errors } from '../../../shared/api/errors.ts';
import { PASSPHRASE_MIN } from '../../../shared/api/limits.ts';
import type { Failure } from '../../../shared/api/operation.ts';
import { refusedConnectionText, serviceAnsweredText } from '../../../shared/error-help/connection-errors.ts';
import { databaseProblemText } from '../../../shared/error-help/database-problem.ts';
import { fileRefusalText } from '../../../shared/media/file-refusal.ts';
import { DamagedAccounts } from '../../accounts/registry.ts';
import { BadDataFolder } from '../../app/data-folder.ts';
import { diskWords } from '../../app/system.ts';
import { notWritableFrom } from '../../store/not-writable.ts';

/** Exit codes of the command line; other programs rely on them. */
export const EXIT_CODE = {
  done: 0,
  refused: 1,
  usage: 2,
  needsUser: 3,
  unreachable: 4,
  workspace: 5,
  /** A defect of ours, distinct from all documented outcomes. Codes above it are those of a signal. */
  defect: 70,
} as const;
export type ExitCode = number;

/** Ends a command with an exit code and a message: what happened, to what, and the next step. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  /** Short code for programs, besides the sentence for people. */
  readonly code: string;

  constructor(exitCode: ExitCode, code: string, message: string) {
    super(message);
    this.name = 'CliError';
    this.exitCode = exitCode;
    this.code = code;
  }
}

export const usageError = (message: string): CliError => new CliError(EXIT_CODE.usage, 'usage', message);

/** The command was refused, or its check found problems. */
export const refused = (code: string, message: string): CliError => new CliError(EXIT_CODE.refused, code, message);

/** Converts what a command threw into an exit code and a sentence; null for a defect of ours. */
export function toCliError(error: unknown, dataDir: string): CliError | null {
  if (error instanceof CliError) return error;
  if (error instanceof DamagedAccounts) return damagedList(error.detail);
  if (error instanceof BadDataFolder) return new CliError(EXIT_CODE.workspace, 'BAD_DATA_FOLDER', error.message);
  return error instanceof ORPCError ? fromContract(String(error.code), error.data) : fromDisk(error, dataDir);
}

/** An error of the system or SQLite outside the contract, with its file: one of ours, or one named by the user. */
function fromDisk(error: unknown, dataDir: string): CliError | null {
  const words = diskWords(error);
  const path = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : null;
  if (words !== null && path !== null && !resolve(path).startsWith(join(dataDir, sep))) {
    return refused('BAD_FILE', `Can't use ${path}: ${words}. Check the path and its permissions.`);
  }
  const problem = notWritableFrom(error);
  if (problem !== null) return notWritableError(problem.data);
  if (words === null) return null;
  const file = path === null ? 'a file of the data folder' : `${path} of the data folder`;
  return new CliError(
    EXIT_CODE.workspace,
    'BAD_DATA_FOLDER',
    `Can't use ${file}: ${words}. Check the file and its permissions.`,
  );
}

type Code = keyof Errors;
type Facts<C extends Code> = z.infer<Errors[C]['data']>;

const NO_ACCOUNT = 'Account not found. Run "adslate account list" to see your accounts.';

export const noAccountText = (name: string): string =>
  `Account "${name}" not found. Run "adslate account list" to see your accounts.`;

/** Messages for errors of the contract, with the next step; one without a message is a defect of ours. */
const SENTENCES: { readonly [C in Code]?: (facts: Facts<C>) => string } = {
  NO_WORKSPACE: () => NO_ACCOUNT,
  NAME_TAKEN: ({ name }) => `An account named "${name}" already exists. Choose another name.`,
  TOO_MANY_ACCOUNTS: ({ max }) =>
    `${max.toLocaleString('en-US')} accounts is the maximum. Remove one with "adslate account remove", then try again.`,
  ALREADY_CONNECTED: ({ name }) =>
    `This advertiser is already connected as the account "${name}". Use that account. To renew its key and token, add --name "${name}".`,
  BAD_FILE: ({ fileName, reason, params }) => fileRefusalText(fileName, reason, params),
  BAD_RULE: ({ problem }) => problem,
  BAD_FILTER: ({ problem }) => problem,
  BAD_PROFILE: ({ problems }) =>
    problems
      .map(({ line, problem }) => (line === null ? problem : `Line ${line.toLocaleString('en-US')}: ${problem}`))
      .join('\n'),
  NO_GRANT: () => 'The file was deleted or changed. Choose it again.',
  BAD_CREDENTIALS: credentialsText,
  UNREACHABLE: ({ detail }) =>
    `Can't reach the service${because(detail)}. Nothing was lost. Check the network, then try again.`,
  SERVICE_ANSWERED: serviceAnsweredText,
  PLAN_CHANGED: () => 'Nothing was sent, because the plan changed. Run the command again.',
  SYNC_RUNNING: () => 'A sync of this account is in progress. Try again when it has ended.',
  SECRETS_REFUSED: ({ reason }) => credentialErrorText(reason),
  NO_UPLOAD_HOST: () => 'Upload host not found. Run "adslate media hosts" to list upload hosts.',
  NO_QUESTION: () => 'Unresolved request not found. Run "adslate questions" to list them.',
  BAD_ANSWER: ({ reason, waitMs }) => answerText(reason, waitMs),
  NO_REPORT: () => 'The report is no longer saved here. Run "adslate report fetch" to get it again.',
  REPORT_UNREADABLE: ({ detail }) =>
    `The saved report is damaged on the disk (${detail}). Add --refetch to get it again.`,
  NOT_PRACTICE: () => 'This is not a practice account. Only practice accounts have a clock and reviews to decide.',
  NO_ROW: () => 'The row was deleted. Run the command again.',
  BAD_VALUE: ({ field, reason }) => `The value of "${field}" is not valid (${reason}). Correct it, then try again.`,
  NO_TEAM: () => 'This account has no team. Run "adslate team create" or "adslate team connect FILE".',
  HAS_TEAM: ({ where }) =>
    where === 'here'
      ? 'This account already has a team.'
      : 'This database already has a team for this advertiser. Ask its admin for an invitation.',
  TEAM_OFFLINE: ({ detail }) => `${detail} Your edits are saved here. Try again later.`,
  NOT_ALLOWED: ({ why }) =>
    NOT_ALLOWED[why] ?? 'Your roles in this team do not include this. Ask an admin of the team.',
  COLLEAGUE_SYNCS: ({ member }) => `${member} is syncing this account. Try again when the sync has ended.`,
  NEEDS_SIGN_OFF: () => 'None of these changes is signed off. Run "adslate team request submit" to ask for a sign-off.',
  BAD_TEAM_CONNECTION: databaseProblemText,
  OTHER_HISTORY: () =>
    'The copy lacks entries that were shared. Copy the database again. "adslate team close --reopen" opens the old one.',
  BAD_INVITATION: ({ reason }) =>
    `${INVITATION[reason] ?? "Can't use this invitation."} Ask an admin of the team for a new one if you need it.`,
  NOTHING_TO_DO: () => 'There is nothing left to do here.',
  NO_REQUEST: () => 'Change request not found. Run "adslate team request list" to list them.',
  NO_MEMBER: () => 'Member not found. Run "adslate team status" to list the members.',
  LAST_ADMIN: () => 'A team needs an admin. Make another member an admin first.',
};

const NOT_ALLOWED: Readonly<Record<string, string>> = {
  edit: 'You can view this account, but not edit it. Ask an admin of the team for the role "edit".',
  'sign-off': 'You need the role "sign-off". Ask an admin of the team.',
  sync: 'You need the role "sync". Ask an admin of the team.',
  admin: 'Only an admin of the team can do this.',
  removed:
    'You no longer have access to this team. Your edits stay on this computer. Run "adslate export" to save them.',
  submitter: 'You asked for this sign-off. A colleague has to sign off.',
  author: 'You changed these campaigns. A colleague who did not has to sign off.',
};

const INVITATION: Readonly<Record<string, string>> = {
  file: 'This file is not an invitation, or it is damaged.',
  words: 'The six words do not open this invitation.',
  expired: 'This invitation is older than 7 days.',
  used: 'This invitation was already used.',
};

/** Exit codes of these errors; all others end with 1. */
const EXIT_CODES: Partial<Record<Code, ExitCode>> = {
  NO_WORKSPACE: EXIT_CODE.usage,
  BAD_FILTER: EXIT_CODE.usage,
  UNREACHABLE: EXIT_CODE.unreachable,
  SYNC_RUNNING: EXIT_CODE.workspace,
  NO_UPLOAD_HOST: EXIT_CODE.usage,
  NO_QUESTION: EXIT_CODE.usage,
  NOT_PRACTICE: EXIT_CODE.usage,
  NO_TEAM: EXIT_CODE.usage,
  NO_REQUEST: EXIT_CODE.usage,
  NO_MEMBER: EXIT_CODE.usage,
  TEAM_OFFLINE: EXIT_CODE.unreachable,
  COLLEAGUE_SYNCS: EXIT_CODE.workspace,
  NEEDS_SIGN_OFF: EXIT_CODE.needsUser,
};

/** The router has checked that the data of an error fits its code. */
function fromContract(name: string, data: unknown): CliError | null {
  if (name === 'BAD_REQUEST') return new CliError(EXIT_CODE.usage, name, requestText(data));
  if (name === 'NOT_WRITABLE') return notWritableError(data as Facts<'NOT_WRITABLE'>);
  const code = name as Code;
  const sentence = SENTENCES[code]?.(data as never);
  if (sentence === undefined) return null;
  const isUnreachable = typeof data === 'object' && data !== null && 'step' in data && data.step === 'unreachable';
  return new CliError(isUnreachable ? EXIT_CODE.unreachable : (EXIT_CODES[code] ?? EXIT_CODE.refused), code, sentence);
}

/** A failure that did not come through the contract, for which the same sentences apply. */
export const failureError = ({ code, data }: Failure): Error => new ORPCError(code, { data });

function notWritableError({ why, detail }: Facts<'NOT_WRITABLE'>): CliError {
  // The list of accounts is not an account: no backup of an account restores it.
  if (why === 'damaged' && detail.startsWith('accounts.json: ')) return damagedList(detail);
  return new CliError(EXIT_CODE.workspace, 'NOT_WRITABLE', notWritableText(why, detail));
}

const Refused = z.object({ issues: z.array(z.object({ path: z.array(z.unknown()).catch([]), message: z.string() })) });

/** The value and its problem; a full sentence is used alone. */
function requestText(data: unknown): string {
  const [first] = Refused.safeParse(data).data?.issues ?? [];
  if (first === undefined) return 'A value has the wrong format. Run the command with --help to see the formats.';
  const field = first.path.map(String).join('.');
  if (field === '' || first.message.endsWith('.')) return first.message;
  return `The value of "${field}" is not valid: ${first.message}. Run the command with --help to see the formats.`;
}

const damagedList = (detail: string): CliError =>
  new CliError(
    EXIT_CODE.workspace,
    'DAMAGED',
    `The list of accounts in the data folder is damaged (${detail}). Nothing was changed. Repair the file or move it away, then try again.`,
  );

const because = (detail: string): string => (detail === '' ? '' : ` (${detail})`);

function notWritableText(why: Facts<'NOT_WRITABLE'>['why'], detail: string): string {
  switch (why) {
    case 'busy-elsewhere':
      return `This account is open in another Adslate${because(detail)}. Close it there, then try again.`;
    case 'disk-full':
      return 'The disk is full, so nothing was written. Free up space, then try again.';
    case 'damaged':
      return `The account file is damaged${because(detail)}. Nothing was changed. Run "adslate restore FILE" to restore a backup, or "adslate recover --yes" if there is no backup.`;
    case 'newer-schema':
      return 'The account was saved by a newer version of Adslate. Update Adslate, then try again.';
    case 'failed':
      return `The account couldn't be opened${because(detail)}. Nothing was lost. Run the command again.`;
    case 'copied':
      return 'This account folder is a copy, and the original still exists. Open both in the window, and choose in Backups which one to use.';
    case 'read-only':
      return `This data folder is read-only${because(detail)}. You can view and export. To change something, use another data folder.`;
    case 'no-row-numbers':
      return 'Connect to the team once to add more rows: adslate team share --once.';
    case 'read-only-account':
      return 'This account is set to read-only, so nothing is sent. To send changes, change its sync mode in the window.';
    case 'folder-moved':
      return `The data folder was moved or deleted while Adslate was running${because(detail)}. Restore it, then try again.`;
  }
}

function credentialsText({ step, detail, refused }: Facts<'BAD_CREDENTIALS'>): string {
  if (refused !== undefined) return refusedConnectionText(refused);
  if (step === 'access')
    return `The service did not accept the credentials of this account${because(detail)}. Check the token, the key and the clock of this computer, then try again.`;
  if (step === 'missing') return `${detail} Add --passphrase-file FILE, or renew them with "adslate account add".`;
  if (step === 'secrets') return 'The stored credentials are locked. Add --passphrase-file FILE.';
  const thing: Readonly<Record<string, string>> = {
    'advertiser-id': "The advertiser ID can't be used",
    key: "The private key can't be used",
    'key-locked': 'The private key is locked',
    token: "The access token can't be used",
    'base-url': "The base URL can't be used",
    'retail-host': "The retail host can't be used",
  };
  const next = step === 'key-locked' ? ' Write its passphrase to a file, then add --key-passphrase-file FILE.' : '';
  return `${thing[step] ?? "The credentials can't be used"}. ${detail}${next}`;
}

export function credentialErrorText(reason: string): string {
  const texts: Readonly<Record<string, string>> = {
    'no-keyring': 'This computer has no system keychain. Use passphrase or memory.',
    'passphrase-too-short': `The passphrase is shorter than ${PASSPHRASE_MIN} characters. Write a longer one to the file.`,
    'wrong-passphrase': 'The passphrase does not unlock the credentials. Check the file.',
    locked: 'The credentials are locked. Add --passphrase-file FILE.',
    'not-locked': 'The credentials are not locked. Remove --passphrase-file.',
  };
  return (
    texts[reason] ?? 'The credentials can\'t be stored this way. Run "adslate credentials status" to see the options.'
  );
}

function answerText(reason: string, waitMs: number): string {
  const texts: Readonly<Record<string, string>> = {
    'too-early': `It is too early to answer "absent": the request might still arrive. Try again in ${Math.ceil(waitMs / 1000)} s.`,
    'parent-open': 'The campaign or ad group above it is unconfirmed too. Answer for that one first.',
    'not-found': 'The service has no row with this ID. Check the ID.',
    taken: 'Another row of this account already has this ID. Check the ID.',
    unreachable: "Can't reach the service, so the answer couldn't be verified. Try again later.",
  };
  return texts[reason] ?? 'The ID is not a number. Enter a number, such as exists=904100200301.';
}
