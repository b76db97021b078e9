import type { Failure } from '../../shared/api/operation.ts';
import type { BadFile } from '../../shared/media/file-refusal.ts';
import { err, fail, type Result } from '../../shared/result.ts';
import { NO_SECRETS } from '../api/classify-response.ts';
import type { ReadFailure } from '../api/request-outcome.ts';
import type { FileGrants, GrantedFile } from '../app/host-ports.ts';

type ReadCode = 'UNREACHABLE' | 'SERVICE_ANSWERED' | 'BAD_CREDENTIALS';

/** `readFailed` for a read that can also fail before it begins, as while a colleague syncs. */
export const readInTurnFailed = <F extends Failure>(
  failure: ReadFailure | F,
): { readonly ok: false; readonly error: Failure<ReadCode> | F } =>
  'code' in failure ? err(failure) : readFailed(failure);

/** The failure of a read: credentials, connection or response. */
export function readFailed(failure: ReadFailure): { readonly ok: false; readonly error: Failure<ReadCode> } {
  if (failure.kind === 'credentials') {
    // A stopped read keeps its reason as a text.
    const step = failure.message === NO_SECRETS ? 'missing' : 'access';
    return fail('BAD_CREDENTIALS', { step, detail: failure.message });
  }
  if (failure.kind === 'unreachable') return fail('UNREACHABLE', { detail: failure.cause });
  const status = failure.kind === 'later' ? 429 : (failure.status ?? 0);
  const retryAt = 'retryAt' in failure ? (failure.retryAt ?? null) : null;
  // Without a status there was no response: the connection was not secure, or the cause is on this computer.
  if (status === 0) return fail('UNREACHABLE', { detail: failure.message });
  return fail('SERVICE_ANSWERED', { status, call: failure.call ?? '', detail: failure.message, retryAt });
}

export const noAccount = (workspaceId: string) => fail('NO_WORKSPACE', { workspaceId });

export const noGrant = (grant: string) => fail('NO_GRANT', { grant });

/** The file of a grant, checked again. */
export async function resolveGrant(
  grants: Pick<FileGrants, 'resolve'>,
  grant: string,
): Promise<Result<GrantedFile, Failure<'NO_GRANT'> | BadFile>> {
  return (await grants.resolve(grant)) ?? noGrant(grant);
}
