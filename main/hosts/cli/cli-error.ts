import { join, resolve, sep } from 'node:path';
import { ORPCError } from '@orpc/client';
import { z } from 'zod';
import { errors } from '../../../shared/api/errors.ts';
import { PASSPHRASE_MIN } from '../../../shared/api/limits.ts';
import { refusedConnectionText, serviceAnsweredText } from '../../../shared/error-help/connection-errors.ts';
import { fileRefusalText } from '../../../shared/media/file-refusal.ts';
import { DamagedAccounts } from '../../accounts/registry.ts';
import type { OpenAccountError } from '../../app/active-accounts.ts';
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
  /** A fault of ours, so that it is never taken for one of the outcomes. Codes above it are those of a signal. */
  defect: 70,
} as const;
export type ExitCode = number;

/** Ends a verb early with an exit code and a sentence that names the thing, the rule and the next step. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  /** Short word for programs, beside the sentence for people. */
  readonly code: string;

  constructor(exitCode: ExitCode, code: string, message: string) {
    super(message);
    this.name = 'Stop';
    this.exitCode = exitCode;
    this.code = code;
  }
}

export const usageError = (message: string): CliError => new CliError(EXIT_CODE.usage, 'usage', message);

/** What was asked for is refused, or was not found to be in order. */
export const refused = (code: string, message: string): CliError => new CliError(EXIT_CODE.refused, code, message);

/** Facts that errors of the contract may carry, read leniently: every text has a fallback. */
const Facts = z.object({
  detail: z.string().catch(''),
  call: z.string().catch(''),
  status: z.number().catch(0),
  retryAt: z.number().nullable().catch(null),
  name: z.string().catch(''),
  why: z.string().catch(''),
  step: z.string().catch(''),
  reason: z.string().catch(''),
  waitMs: z.number().catch(0),
  fileName: z.string().catch('The file'),
  field: z.string().catch(''),
  problem: z.string().catch(''),
  problems: z.array(z.object({ line: z.number().nullable(), problem: z.string() })).catch([]),
  params: z.record(z.string(), z.union([z.string(), z.number()])).catch({}),
  refused: errors.BAD_CREDENTIALS.data.shape.refused.catch(undefined),
  issues: z.array(z.object({ path: z.array(z.unknown()).catch([]), message: z.string() })).catch([]),
});

/** Turns what a verb threw into an exit code and a sentence; null for a defect of our own. */
export function toCliError(error: unknown, dataDir: string): CliError | null {
  if (error instanceof CliError) return error;
  if (error instanceof DamagedAccounts)
    return new CliError(EXIT_CODE.workspace, 'DAMAGED', damagedListText(error.detail));
  if (error instanceof BadDataFolder) return new CliError(EXIT_CODE.workspace, 'BAD_DATA_FOLDER', error.message);
  if (!(error instanceof ORPCError)) return fromDisk(error, dataDir);
  const facts = Facts.safeParse(error.data ?? {});
  return facts.success ? fromContract(String(error.code), facts.data) : null;
}

/** What the system or SQLite refuses outside the contract, with the file it is about: one of ours, or one that was named. */
function fromDisk(error: unknown, dataDir: string): CliError | null {
  const words = diskWords(error);
  const path = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : null;
  if (words !== null && path !== null && !resolve(path).startsWith(join(dataDir, sep))) {
    return refused('BAD_FILE', `${path} cannot be used: ${words}. Check the path and its rights.`);
  }
  const problem = notWritableFrom(error);
  if (problem !== null) return openAccountError(problem);
  if (words === null) return null;
  const file = path === null ? 'A file of the data folder' : `${path} of the data folder`;
  return new CliError(
    EXIT_CODE.workspace,
    'BAD_DATA_FOLDER',
    `${file} cannot be used: ${words}. Check the file and its rights.`,
  );
}

type Facts = z.infer<typeof Facts>;

const NO_ACCOUNT = 'Account not found. Run "adslate account list" to see your accounts.';

/** Errors of the contract as sentences that say what to do next. */
const SENTENCES: Readonly<Record<string, (facts: Facts) => string>> = {
  NO_WORKSPACE: () => NO_ACCOUNT,
  NAME_TAKEN: ({ name }) => `An account named "${name}" is there already. Choose another name.`,
  ALREADY_CONNECTED: ({ name }) =>
    `This advertiser is connected on this service already, as the account "${name}". Work in that account; --name "${name}" renews its key and token.`,
  NOT_WRITABLE: ({ why, detail }) => notWritableText(why, detail),
  BAD_FILE: ({ fileName, reason, params }) => fileRefusalText(fileName, reason, params),
  BAD_RULE: ({ problem }) => problem,
  BAD_FILTER: ({ problem }) => problem,
  BAD_PROFILE: ({ problems }) =>
    problems.map(({ line, problem }) => (line === null ? problem : `Line ${line}: ${problem}`)).join('\n'),
  NO_GRANT: () => 'The file is no longer there or has changed. Choose it again.',
  BAD_CREDENTIALS: credentialsText,
  UNREACHABLE: ({ detail }) =>
    `The service cannot be reached${because(detail)}. Nothing was lost; check the network and try again.`,
  SERVICE_ANSWERED: serviceAnsweredText,
  SYNC_RUNNING: () => 'A sync of this account is running. Wait for its end, then try again.',
  SECRETS_REFUSED: ({ reason }) => credentialErrorText(reason),
  NO_UPLOAD_HOST: () => 'Nobody was asked about this host. "adslate upload-hosts" lists them.',
  NO_QUESTION: () => 'There is no open question with this number. "adslate questions" lists them.',
  BAD_ANSWER: ({ reason, waitMs }) => answerText(reason, waitMs),
  NOT_PRACTICE: () => 'Only a practice account has a clock that can be moved.',
  NO_ROW: () => 'The row is no longer there. Run the command again.',
  BAD_VALUE: ({ field, reason }) => `The value of "${field}" does not fit (${reason}). Correct it.`,
  BAD_REQUEST: requestText,
};

/** How a verb ends with one of them; all others are refusals. */
const EXIT_CODES: Readonly<Record<string, ExitCode>> = {
  NO_WORKSPACE: EXIT_CODE.usage,
  NOT_WRITABLE: EXIT_CODE.workspace,
  BAD_FILTER: EXIT_CODE.usage,
  UNREACHABLE: EXIT_CODE.unreachable,
  SYNC_RUNNING: EXIT_CODE.workspace,
  NO_UPLOAD_HOST: EXIT_CODE.usage,
  NO_QUESTION: EXIT_CODE.usage,
  NOT_PRACTICE: EXIT_CODE.usage,
  BAD_REQUEST: EXIT_CODE.usage,
};

function fromContract(code: string, facts: Facts): CliError | null {
  // The list of accounts is no workspace: no backup of one brings it back.
  if (code === 'NOT_WRITABLE' && facts.why === 'damaged' && facts.detail.startsWith('accounts.json: ')) {
    return new CliError(EXIT_CODE.workspace, 'DAMAGED', damagedListText(facts.detail));
  }
  const sentence = SENTENCES[code]?.(facts);
  if (sentence === undefined) return null;
  const isUnreachable = code === 'BAD_CREDENTIALS' && facts.step === 'unreachable';
  return new CliError(isUnreachable ? EXIT_CODE.unreachable : (EXIT_CODES[code] ?? EXIT_CODE.refused), code, sentence);
}

/** The same for an account that was opened without the contract. */
export function openAccountError(problem: OpenAccountError): CliError {
  return problem.kind === 'no-account'
    ? usageError(NO_ACCOUNT)
    : new CliError(EXIT_CODE.workspace, 'NOT_WRITABLE', notWritableText(problem.why, problem.detail));
}

/** Which value it is about and what is wrong with it; sentences of ours stand alone. */
function requestText({ issues }: Facts): string {
  const [first] = issues;
  if (first === undefined) return 'A value has the wrong format. Run the command with --help to see the formats.';
  const field = first.path.map(String).join('.');
  if (field === '' || first.message.endsWith('.')) return first.message;
  return `The value of "${field}" does not fit: ${first.message}. "--help" shows the forms.`;
}

const damagedListText = (detail: string): string =>
  `The list of accounts in the data folder is damaged (${detail}). Adslate changed nothing; mend the file or move it away, then start again.`;

const because = (detail: string): string => (detail === '' ? '' : ` (${detail})`);

function notWritableText(why: string, detail: string): string {
  switch (why) {
    case 'busy-elsewhere':
      return `This account is open in another Adslate${because(detail)}. Close it there, then try again.`;
    case 'disk-full':
      return 'The disk is full, so nothing was written. Free some space, then try again.';
    case 'damaged':
      return `The workspace is damaged${because(detail)}. Nothing was changed; "adslate restore FILE" brings a backup back. Without a backup, "adslate salvage --yes" reads what is left of it into a new file.`;
    case 'newer-schema':
      return 'The workspace was written by a newer Adslate. Update this one, then try again.';
    case 'failed':
      return `The workspace could not be opened to its end${because(detail)}. Nothing was lost; run the command again.`;
    case 'copied':
      return 'This folder is a copy, and the one it was copied from is still there. Open both in the window and say under Backups which of the two goes on.';
    case 'read-only':
      return `This data folder is read-only${because(detail)}. Look and export as you like; to change something, use a folder that can be written.`;
    case 'read-only-account':
      return 'This account is set to read-only, so nothing is sent. Change its mode in the window to send something.';
    case 'folder-moved':
      return `The data folder was moved or removed while Adslate was running${because(detail)}. Put it back, then try again.`;
    default:
      return `The workspace cannot be written (${why}${detail === '' ? '' : `: ${detail}`}). Check the data folder.`;
  }
}

function credentialsText({ step, detail, refused }: Facts): string {
  if (refused !== undefined) return refusedConnectionText(refused);
  const thing: Readonly<Record<string, string>> = {
    key: 'The private key cannot be used',
    'key-locked': 'The private key is locked',
    token: 'The access token cannot be used',
    'base-url': 'The base address cannot be used',
    'retail-host': 'The retail host cannot be used',
    access: 'The service did not accept the credentials of this account',
    secrets: 'The place where secrets are kept is not open',
  };
  const told = `${thing[step] ?? 'The credentials cannot be used'}${because(detail)}.`;
  return step === 'key-locked' ? `${told} Put its passphrase into a file and add --key-passphrase-file FILE.` : told;
}

export function credentialErrorText(reason: string): string {
  const texts: Readonly<Record<string, string>> = {
    'no-keyring': 'This computer has no system keychain. Use passphrase or memory.',
    'passphrase-too-short': `The passphrase is shorter than ${PASSPHRASE_MIN} characters. Put a longer one into the file.`,
    'wrong-passphrase': 'The passphrase does not open the secrets. Check the file.',
    locked: 'The secrets are locked. Add --passphrase-file FILE.',
    'not-locked': 'The secrets are not locked.',
  };
  return (
    texts[reason] ?? 'The secrets cannot be kept in this way. "adslate secrets status" says how they are kept now.'
  );
}

function answerText(reason: string, waitMs: number): string {
  const texts: Readonly<Record<string, string>> = {
    'too-early': `It is too early to say "absent": the service may still be at it. Ask again in ${Math.ceil(waitMs / 1000)} s.`,
    'not-found': 'The service knows nothing under this id. Check the id.',
    taken: 'Another row of this account has this id already. Check the id.',
    unreachable: 'The service cannot be reached, so the answer could not be proven. Try again later.',
  };
  return texts[reason] ?? 'An id is a number, such as exists=904100200301.';
}
