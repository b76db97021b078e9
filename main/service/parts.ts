import type { AccountService } from '../accounts/account-service.ts';
import type { BackupService } from '../accounts/backup-service.ts';
import type { CoreOptions } from '../core-types.ts';
import type { AppEvents } from '../events.ts';
import type { SheetExchange } from '../exchange/exchange.ts';
import type { ExportFiles } from '../exchange/export-files.ts';
import type { OwnFileGrants } from '../media/file-grants.ts';
import type { Previews } from '../media/previews.ts';
import type { Prober } from '../media/probe/prober.ts';
import type { ActiveAccounts } from '../open-accounts.ts';
import type { Tasks } from './tasks.ts';

/** What operations that run in main work with. */
export interface RouterContext {
  readonly options: CoreOptions;
  readonly events: AppEvents;
  readonly grants: OwnFileGrants;
  readonly previews: Previews;
  readonly prober: Prober;
  readonly accounts: AccountService;
  readonly open: ActiveAccounts;
  readonly exchange: SheetExchange;
  readonly exports: ExportFiles;
  readonly backups: BackupService;
  readonly tasks: Tasks;
}
