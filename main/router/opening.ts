import type { WorkspaceId } from '../../shared/model/scalars.ts';
import type { OpenAccount, OpenAccounts } from '../open-accounts.ts';
import type { NotWritable } from '../workspace/port.ts';

/** The error makers of an operation, as far as opening an account needs them: `inAccount` declares both. */
export interface OpeningErrors {
  readonly NO_WORKSPACE: (facts: { data: { workspaceId: string } }) => Error;
  readonly NOT_WRITABLE: NotWritableError;
}
export type NotWritableError = (facts: { data: { why: NotWritable['why']; detail: string } }) => Error;

/** The open account, or one of the operation's declared errors. */
export async function opened(
  open: OpenAccounts,
  workspaceId: WorkspaceId,
  errors: OpeningErrors,
): Promise<OpenAccount> {
  const account = await open.get(workspaceId);
  if (account.ok) return account.value;
  if (account.error.kind === 'not-writable') throw notWritable(account.error, errors.NOT_WRITABLE);
  throw errors.NO_WORKSPACE({ data: { workspaceId } });
}

export const notWritable = (problem: NotWritable, make: NotWritableError): Error =>
  make({ data: { why: problem.why, detail: problem.detail } });
