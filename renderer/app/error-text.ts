import type { errors } from '../../shared/api/errors.ts';
import {
  type RefusedConnection,
  refusedConnectionText,
  serviceAnsweredText,
} from '../../shared/error-help/connection-errors.ts';
import { databaseFactsText } from '../../shared/error-help/database-problem.ts';
import { fileRefusalText } from '../../shared/media/file-refusal.ts';
import { KINDS, type Kind } from '../../shared/model/kinds.ts';
import { fieldName, KIND_NAMES } from './field-names.ts';
import { countText, momentText, plural } from './locale/numbers.ts';
import { appTexts } from './texts.ts';

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

export const NOT_WRITABLE: Readonly<Record<string, string>> = {
  'busy-elsewhere': 'This account is open in another Adslate. Close it there, then try again.',
  'disk-full': 'The disk is full. Free up space and try again. Your earlier edits are saved.',
  damaged:
    'The account file is damaged. Open Backups in the account menu. Restore a backup, or recover data from the file.',
  'newer-schema': 'This account was last used by a newer Adslate. Update Adslate to open it.',
  'read-only':
    'This data folder is read-only. You can view and export. To make changes, start Adslate with a data folder it can write to.',
  'no-row-numbers': 'Connect to the team once to add more rows.',
  'read-only-account': appTexts.readOnlyAccount,
  'folder-moved':
    'The data folder was moved or deleted while Adslate was running. Move it back, or start Adslate again.',
  copied:
    'The account folder was copied, and both copies are on this computer. Open Backups in the account menu and choose which one to use.',
  failed: "Couldn't open the account. Nothing was lost. Try again.",
};

const BAD_VALUE: Readonly<Record<string, string>> = {
  type: 'does not accept this kind of value',
  choice: 'accepts only the listed values',
  owner: "can't be edited: the service sets it, or it is fixed after the row is created",
  'unknown-field': 'is not a field of this row',
  parent: 'needs an existing ad group or campaign',
};

const BAD_ANSWER: Readonly<Record<string, string>> = {
  'not-found': 'The service has no row with this ID. Check the ID, or try again later.',
  taken: 'Another row already uses this ID. Check which row it belongs to.',
  'too-early': 'It is too early to rule it out: the request might still arrive. Try again later.',
  'parent-open': 'The campaign or ad group above it is unconfirmed too. Answer for that one first.',
  unreachable: "Can't reach the service to check this ID. Try again when you're back online.",
  'not-an-id': 'This is not a valid ID. IDs have 1 to 19 digits.',
};

const SECRETS: Readonly<Record<string, string>> = {
  'no-keyring': 'This computer has no system keychain. Use a passphrase instead.',
  'passphrase-too-short': 'The passphrase is too short. Use a longer one.',
  'wrong-passphrase': 'The passphrase is wrong. Try again.',
  locked: 'Credentials are locked. Enter the passphrase first.',
  'not-locked': 'Credentials are already unlocked.',
  refused: "The system keychain couldn't store the credentials. Try again, or use a passphrase.",
};

const REPORT_FAILED: Readonly<Record<string, (detail: string) => string>> = {
  refused: (detail) => `The service did not accept the report request: ${detail}. Change the report and try again.`,
  address: (detail) => `The report is at an address that is not allowed: ${detail}.`,
  file: (detail) => `The report file can't be used: ${detail}. Get the report again.`,
  'too-large': () => 'The report is too large. Choose fewer days.',
};

const NOT_ALLOWED: Readonly<Record<string, string>> = {
  view: 'Your roles in this team do not include this. Ask an admin of the team.',
  edit: 'You can view this account, but not edit it. Ask an admin of the team for the role "can edit".',
  'sign-off': 'You need the role "can sign off". Ask an admin of the team.',
  sync: 'You need the role "can sync". Ask an admin of the team.',
  admin: 'Only an admin of the team can do this.',
  removed:
    'You no longer have access to this team. Edits that are not shared stay on this computer, and you can export them.',
  submitter: 'You asked for this sign-off. A colleague has to sign off.',
  author: 'You changed these campaigns. A colleague who did not has to sign off.',
};

const BAD_INVITATION: Readonly<Record<string, string>> = {
  file: 'This file is not an invitation, or it is damaged. Ask for a new one.',
  words: 'The six words do not open this invitation. Check them.',
  expired: 'This invitation is older than 7 days. Ask for a new one.',
  used: 'This invitation was already used. Ask for a new one.',
};

const TEXTS: Readonly<Record<Code, (facts: Facts) => string>> = {
  NO_PLAN: () => 'This sync plan is outdated. Close it and open it again.',
  PLAN_CHANGED: ({ changes }) =>
    typeof changes === 'number'
      ? `Nothing was sent: ${plural(changes, 'change')} new, different or gone. Look at the plan again.`
      : 'Nothing was sent, because the plan changed. Look at it again.',
  NO_REPORT: () => 'This report is no longer saved. Get it again.',
  REPORT_UNREADABLE: () =>
    "This saved report is damaged and can't be read. Select Get latest data to request it again.",
  REPORT_FAILED: (facts) =>
    REPORT_FAILED[fact(facts, 'reason')]?.(fact(facts, 'detail')) ?? 'The service returned no report. Try again later.',
  NO_WORKSPACE: () => 'This account no longer exists. Choose another one at the top left.',
  NO_ROW: (f) => `This ${kindWord(f)} no longer exists.`,
  NO_VIEW: () => 'The list was closed. Adslate is opening it again.',
  BAD_VALUE: (f) =>
    `${fieldName(fact(f, 'field'), kindOf(f))} ${BAD_VALUE[fact(f, 'reason')] ?? 'does not accept this value'}.`,
  BAD_FILTER: (f) => `The filter has an error at position ${Number(fact(f, 'at')) + 1}: ${fact(f, 'problem')}`,
  NOT_WRITABLE: (f) => NOT_WRITABLE[fact(f, 'why')] ?? "Changes can't be saved to this account right now.",
  BAD_TOOL: (f) => `Can't apply this. ${fact(f, 'problem')}`,
  BAD_PROFILE: (f) => firstProblem(f),
  BAD_RULE: (f) => `Can't use this rule. ${fact(f, 'problem')}`,
  NO_BACKUP: () => 'This backup no longer exists. Choose another one.',
  SECRETS_REFUSED: (f) => SECRETS[fact(f, 'reason')] ?? "Credentials can't be stored this way.",
  NO_NOTE: () => 'This comment, label or view no longer exists.',
  NO_MOMENT: () => 'The history does not go back that far. Choose a later edit.',
  CANCELLED: () => 'Canceled. Nothing was changed.',
  NO_GRANT: () => 'Adslate can no longer read the file. Choose it again.',
  BAD_FILE: (f) => fileRefusalText(fact(f, 'fileName'), fact(f, 'reason'), plainFacts(f['params'])),
  SYNC_RUNNING: () => 'A sync is running. Wait until it finishes, or stop it in the Sync tab.',
  NO_SYNC: () => 'No sync is running, paused or waiting.',
  NOTHING_TO_DO: () => 'There is nothing left to do here.',
  NO_UPLOAD_HOST: () => 'This upload host no longer needs a decision.',
  NO_QUESTION: () => 'This request is already resolved.',
  BAD_ANSWER: (f) => BAD_ANSWER[fact(f, 'reason')] ?? "This answer can't be used.",
  BAD_CREDENTIALS: (f) => {
    // The contract has validated it.
    const refused = f['refused'] as RefusedConnection | undefined;
    if (refused !== undefined) return refusedConnectionText(refused);
    const detail = fact(f, 'detail');
    switch (fact(f, 'step')) {
      case 'secrets': // lint-text: ok, a code of the contract
        return 'Credential storage is locked. Unlock it, then connect again.';
      case 'missing':
        return `${detail} Unlock or enter them in Settings > Credentials.`;
      case 'access':
        return `The service did not accept the credentials of this account${detail === '' ? '' : `: "${detail}"`}. Check in the account settings that the token has not expired, and that the clock of this computer is right.`;
      default:
        return detail || 'The credentials do not work.';
    }
  },
  UNREACHABLE: () => "Can't reach the service. Your edits are saved. Check the network, then try again.",
  SERVICE_ANSWERED: (f) => {
    const retryAt = f['retryAt'];
    const said = { status: Number(f['status']), call: fact(f, 'call'), detail: fact(f, 'detail') };
    return serviceAnsweredText({ ...said, retryAt: typeof retryAt === 'number' ? retryAt : null }, (at) =>
      momentText(new Date(at).toISOString()),
    );
  },
  NOT_PRACTICE: () => 'Only a practice account has a clock that you can move.',
  ALREADY_CONNECTED: (f) =>
    `This advertiser is already connected as account "${fact(f, 'name')}". Open that account. To renew its credentials, connect with that account name.`,
  NAME_TAKEN: (f) => `An account named "${fact(f, 'name')}" already exists. Choose another name.`,
  TOO_MANY_ACCOUNTS: (f) => `${countText(Number(f['max']))} accounts is the maximum. Remove one, then try again.`,
  NO_TEAM: () => 'This account has no team. Open Settings > Team to create or join one.',
  HAS_TEAM: (f) =>
    fact(f, 'where') === 'here'
      ? 'This account already has a team.'
      : 'This database already has a team for this advertiser. Ask its admin for an invitation.',
  TEAM_OFFLINE: (f) => `${fact(f, 'detail')} Your edits are saved on this computer.`,
  NOT_ALLOWED: (f) => NOT_ALLOWED[fact(f, 'why')] ?? 'Your roles in this team do not include this.',
  COLLEAGUE_SYNCS: (f) => `${fact(f, 'member')} is syncing this account. Try again when the sync has ended.`,
  NEEDS_SIGN_OFF: () => 'None of these changes is signed off. Ask for a sign-off, then sync again.',
  BAD_TEAM_CONNECTION: (f) =>
    databaseFactsText({ step: fact(f, 'step'), host: fact(f, 'host'), detail: fact(f, 'detail') }),
  OTHER_HISTORY: () => 'The copy lacks entries that were shared. Copy the database again, then try again.',
  BAD_INVITATION: (f) => BAD_INVITATION[fact(f, 'reason')] ?? "Can't use this invitation. Ask for a new one.",
  NO_REQUEST: () => 'This change request no longer exists.',
  NO_MEMBER: () => 'This member is no longer in the team.',
  LAST_ADMIN: () => 'A team needs an admin. Make another member an admin first.',
};

/** The first problem of a list, with its line. */
function firstProblem(facts: Facts): string {
  const { problems } = facts;
  const [first] = Array.isArray(problems) ? (problems as readonly { line: number | null; problem: string }[]) : [];
  if (first === undefined) return "These deployment settings can't be read.";
  return first.line === null ? first.problem : `Line ${countText(first.line)}: ${first.problem}`;
}

const kindOf = (facts: Facts): Kind | null => KINDS.find((kind) => kind === fact(facts, 'kind')) ?? null;

function kindWord(facts: Facts): string {
  const kind = kindOf(facts);
  return kind === null ? 'row' : KIND_NAMES[kind].one;
}

const isCode = (code: string): code is Code => Object.hasOwn(TEXTS, code);

/** The sentence for a failed call: what happened and what to do next. */
export function errorText(error: unknown): string {
  if (isFailure(error)) {
    const code: string = error.code;
    const facts = typeof error.data === 'object' && error.data !== null ? { ...error.data } : {};
    if (isCode(code)) return TEXTS[code](facts);
    if (code === 'BAD_REQUEST') return refusedText(facts);
    return 'Something went wrong. Your edits are saved. The log has details.';
  }
  return 'Adslate is not responding. Your edits are saved, and this window reconnects automatically.';
}

/** Either thrown by the client, or the plain failure of a file. */
const isFailure = (error: unknown): error is { readonly code: string; readonly data: unknown } =>
  typeof error === 'object' && error !== null && 'code' in error && 'data' in error;

/** Input that does not fit has a full sentence from the contract. Any other text is a defect of the window. */
function refusedText({ issues }: Facts): string {
  const first: unknown = Array.isArray(issues) ? issues[0] : null;
  const message = typeof first === 'object' && first !== null && 'message' in first ? String(first.message) : '';
  return message.endsWith('.') ? message : 'Internal error: unknown request. Reload the window and try again.';
}
