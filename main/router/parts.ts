import { type ImplementerInternalWithMiddlewares, implement } from '@orpc/server';
import { type Contract, contract } from '../../shared/contract/contract.ts';
import type { AccountService } from '../accounts/account-service.ts';
import type { BackupService } from '../accounts/backup-service.ts';
import type { CoreOptions } from '../core-types.ts';
import type { AppEvents } from '../events.ts';
import type { SheetExchange } from '../exchange/exchange.ts';
import type { ExportFiles } from '../exchange/export-files.ts';
import type { OwnFileGrants } from '../media/file-grants.ts';
import type { Previews } from '../media/previews.ts';
import type { Prober } from '../media/probe/prober.ts';
import type { OpenAccounts } from '../open-accounts.ts';
import { WorkspaceClosed } from '../workspace/worker/calls-under-way.ts';

/** Who calls, where a host serves several pages. */
export interface CallContext {
  readonly page?: number;
}

/** The implementer of the contract: an operation that is missing or answers in another shape does not compile. */
export const os: ImplementerInternalWithMiddlewares<Contract, CallContext, CallContext> = implement<
  Contract,
  CallContext
>(contract).use(async ({ next, errors }) => {
  try {
    return await next();
  } catch (error) {
    if (!(error instanceof WorkspaceClosed && 'NOT_WRITABLE' in errors)) throw error;
    // Set up anew, or put back from a backup, while the call was on its way: the caller asks again.
    throw errors.NOT_WRITABLE({ data: { why: 'failed', detail: error.message } });
  }
});

/** What the handlers work with. */
export interface CoreParts {
  readonly options: CoreOptions;
  readonly events: AppEvents;
  readonly grants: OwnFileGrants;
  readonly previews: Previews;
  readonly prober: Prober;
  readonly accounts: AccountService;
  readonly open: OpenAccounts;
  readonly exchange: SheetExchange;
  readonly exports: ExportFiles;
  readonly backups: BackupService;
}
