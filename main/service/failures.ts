import type { Failure } from '../../shared/api/operation.ts';
import type { FileRefusal } from '../../shared/media/file-refusal.ts';
import { err, fail, ok, type Result } from '../../shared/result.ts';
import type { ReadFailure } from '../api/request-outcome.ts';
import type { FileGrants, GrantedFile } from '../app/host-ports.ts';
import { grantRefusal } from '../files/media/add-media.ts';
import type { PracticeUnavailable } from '../practice/practice-service.ts';
import type { NotWritable } from '../store/types.ts';
import type { NoTurn } from '../sync/ports.ts';

type ReadCode = 'UNREACHABLE' | 'SERVICE_ANSWERED' | 'BAD_CREDENTIALS';
type TurnCode = 'COLLEAGUE_SYNCS' | 'TEAM_OFFLINE';

/** `readFailed`, and the failures of an account whose team lets one computer read at a time. */
export const readInTurnFailed = (
  failure: ReadFailure | NoTurn,
): { readonly ok: false; readonly error: Failure<ReadCode> | Failure<TurnCode> } =>
  failure.kind === 'team-away' || failure.kind === 'colleague-syncs' ? noTurn(failure) : readFailed(failure);

/** The failure of a read: credentials, connection or response. */
export function readFailed(failure: ReadFailure): { readonly ok: false; readonly error: Failure<ReadCode> } {
  if (failure.kind === 'credentials') return fail('BAD_CREDENTIALS', { step: 'access', detail: failure.message });
  if (failure.kind === 'unreachable') return fail('UNREACHABLE', { detail: failure.cause });
  const status = failure.kind === 'later' ? 429 : (failure.status ?? 0);
  const retryAt = 'retryAt' in failure ? (failure.retryAt ?? null) : null;
  // Without a status there was no response: the connection was not secure, or the cause is on this computer.
  if (status === 0) return fail('UNREACHABLE', { detail: failure.message });
  return fail('SERVICE_ANSWERED', { status, call: failure.call ?? '', detail: failure.message, retryAt });
}

/** Why this computer of a team can't send requests to the service now. */
export const noTurn = (why: NoTurn): { readonly ok: false; readonly error: Failure<TurnCode> } =>
  why.kind === 'team-away'
    ? fail('TEAM_OFFLINE', { since: null, detail: why.detail })
    : fail('COLLEAGUE_SYNCS', { member: why.member, since: why.since, until: why.until });

/** The service of a practice account runs on this computer, so a disk error is not a network error. */
export const practiceFailed = ({
  disk,
  detail,
}: PracticeUnavailable): { readonly ok: false; readonly error: Failure<'UNREACHABLE'> | NotWritable } =>
  disk === null ? fail('UNREACHABLE', { detail }) : err({ kind: 'not-writable', why: disk, detail });

export const noAccount = (workspaceId: string) => fail('NO_WORKSPACE', { workspaceId });

export const noGrant = (grant: string) => fail('NO_GRANT', { grant });

/** The failure for an unusable file. */
export const fileError = (fileName: string, { reason, params }: FileRefusal) =>
  fail('BAD_FILE', { fileName, reason, params });

/** The file of a grant, checked again. */
export async function resolveGrant(
  grants: Pick<FileGrants, 'resolve'>,
  grant: string,
): Promise<Result<GrantedFile, Failure<'NO_GRANT' | 'BAD_FILE'>>> {
  const file = await grants.resolve(grant);
  if (file === null) return noGrant(grant);
  return file.ok ? ok(file.value) : fileError(file.error.fileName, grantRefusal(file.error));
}
