import { ORPCError } from '@orpc/client';
import type { errors } from '../../shared/api/errors.ts';
import {
  type RefusedConnection,
  refusedConnectionText,
  serviceAnsweredText,
} from '../../shared/error-help/connection-errors.ts';
import { fileRefusalText } from '../../shared/media/file-refusal.ts';
import { fieldName, KIND_NAMES } from './fields.ts';
import { momentText } from './numbers.ts';

type Code = keyof typeof errors;
type Facts = Readonly<Record<string, unknown>>;

const fact = (facts: Facts, name: string): string => {
  const value = facts[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

function plainFacts(params: unknown): Record<string, string | number> {
  const facts: Record<string, string | number> = {};
  if (typeof params !== 'object' || params === null) return facts;
  for (const [name, value] of Object.entries(params)) {
    if (typeof value === 'string' || typeof value === 'number') facts[name] = value;
  }
  return facts;
}

const NOT_WRITABLE: Readonly<Record<string, string>> = {
  'busy-elsewhere': 'This account is open in another Adslate. Close it there, then try again.',
  'disk-full': 'The disk is full. Free some space; nothing you typed before this is lost.',
  damaged:
    'The account file is damaged. Open Backups… in the account menu: put one back, or read what is left of the file.',
  'newer-schema': 'This account was last used by a newer Adslate. Update Adslate to open it.',
  'read-only':
    'This data folder is read-only: look and export as you like. To change something, start Adslate on a folder that can be written.',
  'read-only-account': 'The account is set to read-only. Change its mode in the account menu to send something.',
  'folder-moved':
    'The data folder was moved or removed while Adslate was running. Put it back, or start Adslate again.',
  copied:
    'This account lies here twice, because its folder was copied. Open Backups… in the account menu and say which of the two goes on.',
  failed: 'The account could not be opened to its end. Nothing was lost; try again.',
};

const BAD_VALUE: Readonly<Record<string, string>> = {
  type: 'does not take a value of this kind',
  choice: 'takes one of its listed choices only',
  owner: 'is changed by the service only, or is fixed once the row exists there',
  'unknown-field': 'does not exist here',
  parent: 'needs an ad group or campaign that exists',
};

const CREDENTIALS: Readonly<Record<string, string>> = {
  key: 'The private key could not be read. Pick the PEM file that was issued for this consumer id.',
  'key-locked': 'The private key is locked. Type its passphrase, or check the one you typed.',
  token: 'The access token was refused. Pick the file with the current token.',
  'base-url': 'The service address does not answer as expected. Check the base URL.',
  'retail-host': 'The retail site does not look like a host name. Type it without https:// and without a path.',
  clock: 'The clock of this computer differs too much from the service. Set the time, then try again.',
  access: 'The service knows these credentials, but they have no access to this advertiser id.',
  unreachable: 'The service cannot be reached. Check the network and the base URL.',
  secrets: 'The place where secrets are kept is locked or closed. Open it first, then connect again.',
};

const BAD_ANSWER: Readonly<Record<string, string>> = {
  'not-found': 'The service has nothing with this id. Check the id, or wait and ask again.',
  taken: 'This id belongs to another row already. Check which of the two it is.',
  'too-early': 'It is too early to say that nothing was created; the request may still arrive. Try again later.',
  unreachable: 'The service cannot be reached to check this id. Try again when the network is back.',
  'not-an-id': 'This is not an id of the service. An id has 1 to 19 digits.',
};

const SECRETS: Readonly<Record<string, string>> = {
  'no-keyring': 'This computer offers no key store to Adslate. Choose a passphrase instead.',
  'passphrase-too-short': 'The passphrase is too short. Use a longer one.',
  'wrong-passphrase': 'This is not the passphrase of this account. Type it again.',
  locked: 'The secrets are locked. Type the passphrase first.',
  'not-locked': 'The secrets are open already.',
  refused: 'The key store refused to keep the secrets. Try again, or choose a passphrase.',
};

const REPORT_FAILED: Readonly<Record<string, (detail: string) => string>> = {
  refused: (detail) => `The service refuses the report: ${detail}. Change what is asked for, then try again.`,
  address: (detail) => `The report lies at an address Adslate does not fetch from: ${detail}.`,
  file: (detail) => `The file of the report cannot be used: ${detail}.`,
  'too-large': () => 'The report is too large. Ask for fewer days.',
};

const TEXTS: Readonly<Record<Code, (facts: Facts) => string>> = {
  NO_PLAN: () => 'This plan is no longer the newest. Close the dialog and open it again.',
  NO_REPORT: () => 'This report is no longer kept here. Ask for it again.',
  REPORT_UNREADABLE: () =>
    'This report is damaged on the disk and cannot be read any more. “Ask the service again” fetches it anew.',
  REPORT_FAILED: (facts) =>
    REPORT_FAILED[fact(facts, 'reason')]?.(fact(facts, 'detail')) ?? 'The service gave no report. Try again later.',
  NO_WORKSPACE: () => 'This account is no longer here. Pick another one at the top left.',
  NO_ROW: (f) => `This ${kindWord(f)} is no longer here. It was removed in the meantime.`,
  NO_VIEW: () => 'The list was closed in the meantime. It is being opened again.',
  BAD_VALUE: (f) => `${fieldName(fact(f, 'field'))} ${BAD_VALUE[fact(f, 'reason')] ?? 'does not take this value'}.`,
  BAD_FILTER: (f) => `The filter cannot be read at position ${Number(fact(f, 'at')) + 1}: ${fact(f, 'problem')}`,
  NOT_WRITABLE: (f) => NOT_WRITABLE[fact(f, 'why')] ?? 'The account cannot be written just now.',
  BAD_TOOL: (f) => `This cannot be done as typed. ${fact(f, 'problem')}`,
  BAD_PROFILE: (f) => firstProblem(f),
  BAD_RULE: (f) => `This rule cannot be used. ${fact(f, 'problem')}`,
  NO_BACKUP: () => 'This backup is no longer here. Pick another one from the list.',
  SECRETS_REFUSED: (f) => SECRETS[fact(f, 'reason')] ?? 'The secrets cannot be kept in this way.',
  NO_NOTE: () => 'This note is no longer here. It was removed in the meantime.',
  NO_MOMENT: () => 'The history does not reach back this far any more. Choose a later moment.',
  CANCELLED: () => 'Cancelled. Nothing was changed.',
  NO_GRANT: () => 'The file is no longer at hand. Drop or pick it again.',
  BAD_FILE: (f) => fileRefusalText(fact(f, 'fileName'), fact(f, 'reason'), plainFacts(f['params'])),
  SYNC_RUNNING: () => 'A sync is under way. Wait for its end, or cancel it in the Sync tab.',
  NO_SYNC: () => 'No sync is running, paused or waiting.',
  NOTHING_TO_DO: () => 'There is nothing more to undo or redo.',
  NO_UPLOAD_HOST: () => 'Nobody asks about this host any more.',
  NO_QUESTION: () => 'This question has been answered in the meantime.',
  BAD_ANSWER: (f) => BAD_ANSWER[fact(f, 'reason')] ?? 'This answer cannot be taken.',
  BAD_CREDENTIALS: (f) => {
    // Checked by the contract on the way here.
    const refused = f['refused'] as RefusedConnection | undefined;
    if (refused !== undefined) return refusedConnectionText(refused);
    return CREDENTIALS[fact(f, 'step')] ?? 'The credentials do not work.';
  },
  UNREACHABLE: () => 'The service cannot be reached. Your edits are safe; try again when the network is back.',
  SERVICE_ANSWERED: (f) => {
    const retryAt = f['retryAt'];
    const said = { status: Number(f['status']), call: fact(f, 'call'), detail: fact(f, 'detail') };
    return serviceAnsweredText({ ...said, retryAt: typeof retryAt === 'number' ? retryAt : null }, (at) =>
      momentText(new Date(at).toISOString()),
    );
  },
  NOT_PRACTICE: () => 'Only a practice account has a clock to move.',
  ALREADY_CONNECTED: (f) =>
    `This advertiser is connected already, as the account "${fact(f, 'name')}". Open that account; to renew its key and token, connect under that name.`,
  NAME_TAKEN: (f) => `There is an account named "${fact(f, 'name')}" already. Choose another name.`,
};

/** The first of the problems that a list of them names, with its line. */
function firstProblem(facts: Facts): string {
  const { problems } = facts;
  const [first] = Array.isArray(problems) ? (problems as readonly { line: number | null; problem: string }[]) : [];
  if (first === undefined) return 'This profile cannot be read.';
  return first.line === null ? first.problem : `Line ${first.line}: ${first.problem}`;
}

function kindWord(facts: Facts): string {
  const kind = fact(facts, 'kind');
  const names = Object.entries(KIND_NAMES).find(([key]) => key === kind);
  return names?.[1].one ?? 'row';
}

const isCode = (code: string): code is Code => Object.hasOwn(TEXTS, code);

/** The sentence for a failed call: what happened and what to do next. */
export function errorText(error: unknown): string {
  if (error instanceof ORPCError) {
    const code: string = error.code;
    const facts = typeof error.data === 'object' && error.data !== null ? { ...error.data } : {};
    if (isCode(code)) return TEXTS[code](facts);
    if (code === 'BAD_REQUEST')
      return 'Adslate asked for something that does not exist. Reload the window and try again.';
    return 'Something went wrong inside Adslate. Your saved edits are safe; the log has the details.';
  }
  return 'Adslate does not answer. Your saved edits are safe; this window reconnects by itself.';
}
