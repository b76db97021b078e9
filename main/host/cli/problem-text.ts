import { ORPCError } from '@orpc/client';
import { z } from 'zod';
import { PASSPHRASE_MIN } from '../../../shared/contract/secrets.ts';
import { fileRefusalText } from '../../../shared/media/file-refusal.ts';
import { DamagedAccounts } from '../../accounts/registry.ts';
import type { OpeningProblem } from '../../open-accounts.ts';
import { EXIT, Stop, usageStop } from './stop.ts';

/** Facts that errors of the contract may carry, read leniently: every text has a fallback. */
const Facts = z.object({
  detail: z.string().catch(''),
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
});

/** Turns what a verb threw into an exit code and a sentence; null for a defect of our own. */
export function asStop(error: unknown): Stop | null {
  if (error instanceof Stop) return error;
  if (error instanceof DamagedAccounts) {
    return new Stop(
      EXIT.workspace,
      'DAMAGED',
      `The list of accounts is damaged (${error.path}). Adslate changed nothing; mend the file or move it away, then start again.`,
    );
  }
  if (!(error instanceof ORPCError)) return null;
  const facts = Facts.safeParse(error.data ?? {});
  return facts.success ? fromContract(String(error.code), facts.data) : null;
}

function fromContract(code: string, facts: z.infer<typeof Facts>): Stop | null {
  switch (code) {
    case 'NO_WORKSPACE':
      return new Stop(EXIT.usage, code, 'There is no such account. "adslate account list" shows those that are there.');
    case 'NAME_TAKEN':
      return new Stop(EXIT.refused, code, `An account named "${facts.name}" is there already. Choose another name.`);
    case 'NOT_WRITABLE':
      return new Stop(EXIT.workspace, code, notWritableText(facts.why, facts.detail));
    case 'BAD_FILE':
      return new Stop(EXIT.refused, code, fileRefusalText(facts.fileName, facts.reason, facts.params));
    case 'BAD_RULE':
      return new Stop(EXIT.refused, code, facts.problem);
    case 'BAD_PROFILE':
      return new Stop(EXIT.refused, code, profileText(facts.problems));
    case 'NO_GRANT':
      return new Stop(EXIT.refused, code, 'The file is no longer there or has changed. Choose it again.');
    case 'BAD_CREDENTIALS':
      return new Stop(facts.step === 'unreachable' ? EXIT.unreachable : EXIT.refused, code, credentialsText(facts));
    case 'UNREACHABLE':
      return new Stop(
        EXIT.unreachable,
        code,
        `The service cannot be reached${because(facts.detail)}. Nothing was lost; check the network and try again.`,
      );
    case 'SYNC_RUNNING':
      return new Stop(EXIT.workspace, code, 'A sync of this account is running. Wait for its end, then try again.');
    case 'SECRETS_REFUSED':
      return new Stop(EXIT.refused, code, secretsText(facts.reason));
    case 'NO_UPLOAD_HOST':
      return new Stop(EXIT.usage, code, 'Nobody was asked about this host. "adslate upload-hosts" lists them.');
    case 'NO_QUESTION':
      return new Stop(EXIT.usage, code, 'There is no open question with this number. "adslate questions" lists them.');
    case 'BAD_ANSWER':
      return new Stop(EXIT.refused, code, answerText(facts.reason, facts.waitMs));
    case 'NOT_PRACTICE':
      return new Stop(EXIT.usage, code, 'Only a practice account has a clock that can be moved.');
    case 'NO_ROW':
      return new Stop(EXIT.refused, code, 'The row is no longer there. Run the command again.');
    case 'BAD_VALUE':
      return new Stop(EXIT.refused, code, `The value of "${facts.field}" does not fit (${facts.reason}). Correct it.`);
    case 'BAD_REQUEST':
      return new Stop(EXIT.usage, code, 'A value is not of the form that is needed. "--help" shows the forms.');
    default:
      return null;
  }
}

/** The same for an account that was opened without the contract. */
export function openingStop(problem: OpeningProblem): Stop {
  return problem.kind === 'no-account'
    ? usageStop('There is no such account. "adslate account list" shows those that are there.')
    : new Stop(EXIT.workspace, 'NOT_WRITABLE', notWritableText(problem.why, problem.detail));
}

const because = (detail: string): string => (detail === '' ? '' : ` (${detail})`);

function notWritableText(why: string, detail: string): string {
  switch (why) {
    case 'busy-elsewhere':
      return `This account is open in another Adslate${because(detail)}. Close it there, then try again.`;
    case 'disk-full':
      return 'The disk is full, so nothing was written. Free some space, then try again.';
    case 'damaged':
      return `The workspace is damaged${because(detail)}. Nothing was changed; "adslate restore FILE" brings a backup back.`;
    case 'newer-schema':
      return 'The workspace was written by a newer Adslate. Update this one, then try again.';
    case 'failed':
      return `The workspace could not be opened to its end${because(detail)}. Nothing was lost; run the command again.`;
    case 'copied':
      return 'This folder is a copy, and the one it was copied from is still there. Open both in the window and say under Backups which of the two goes on.';
    case 'read-only':
      return `The workspace cannot be written${because(detail)}. Check the rights of the folder or the account's mode.`;
    default:
      return `The workspace cannot be written (${why}${detail === '' ? '' : `: ${detail}`}). Check the data folder.`;
  }
}

function credentialsText({ step, detail }: { readonly step: string; readonly detail: string }): string {
  const thing: Readonly<Record<string, string>> = {
    key: 'The private key cannot be used',
    'key-locked': 'The private key is locked',
    token: 'The access token cannot be used',
    'base-url': 'The base address cannot be used',
    'retail-host': 'The retail host cannot be used',
    clock: 'The service does not accept the time of this machine',
    access:
      'The service does not accept these credentials. Check consumer id, key version, key file, token and advertiser id',
    unreachable: 'The service cannot be reached, so the credentials could not be proven. Nothing was stored',
    secrets: 'The place where secrets are kept is not open',
  };
  return `${thing[step] ?? 'The credentials cannot be used'}${because(detail)}.`;
}

export function secretsText(reason: string): string {
  const texts: Readonly<Record<string, string>> = {
    'no-keyring': 'This machine has no key store that protects. Choose passphrase or memory.',
    'passphrase-too-short': `The passphrase is shorter than ${PASSPHRASE_MIN} characters. Put a longer one into the file.`,
    'wrong-passphrase': 'The passphrase does not open the secrets. Check the file.',
    locked: 'The secrets are locked. Add --passphrase-file FILE.',
    'not-locked': 'The secrets are not locked.',
  };
  return (
    texts[reason] ?? 'The secrets cannot be kept in this way. "adslate secrets status" says how they are kept now.'
  );
}

const profileText = (problems: readonly { readonly line: number | null; readonly problem: string }[]): string =>
  problems.map(({ line, problem }) => (line === null ? problem : `Line ${line}: ${problem}`)).join('\n');

function answerText(reason: string, waitMs: number): string {
  switch (reason) {
    case 'too-early':
      return `It is too early to say "absent": the service may still be at it. Ask again in ${Math.ceil(waitMs / 1000)} s.`;
    case 'not-found':
      return 'The service knows nothing under this id. Check the id.';
    case 'taken':
      return 'Another row of this account has this id already. Check the id.';
    case 'unreachable':
      return 'The service cannot be reached, so the answer could not be proven. Try again later.';
    default:
      return 'An id is a number, such as exists=904100200301.';
  }
}
