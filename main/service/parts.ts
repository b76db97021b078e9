import type { AccountService } from '../accounts/account-service.ts';
import type { BackupService } from '../accounts/backup-service.ts';
import type { ActiveAccounts } from '../app/active-accounts.ts';
import type { CoreOptions } from '../app/core-types.ts';
import type { AppEvents } from '../app/events.ts';
import type { OwnFileGrants } from '../files/media/file-grants.ts';
import type { Previews } from '../files/media/previews.ts';
import type { Prober } from '../files/probe/prober.ts';
import type { SheetExchange } from '../files/spreadsheet/exchange.ts';
import type { ExportFiles } from '../files/spreadsheet/export-files.ts';
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
