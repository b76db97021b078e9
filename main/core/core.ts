import { join } from 'node:path';
import { asWorkspaceId } from '../../shared/model/scalars.ts';
import { createAccountService } from '../accounts/account-service.ts';
import { type BackupService, createBackupService } from '../accounts/backup-service.ts';
import { createWorkspaceIdentity } from '../accounts/open-workspace.ts';
import { createAccountRegistry } from '../accounts/registry.ts';
import { watchDataFolder } from '../app/data-folder.ts';
import { type AppEvents, createAppEvents } from '../app/events.ts';
import type { CoreApi } from '../app/host-ports.ts';
import { systemUser } from '../app/system.ts';
import { createKnownSigners, readSigningKey } from '../files/archive/signature.ts';
import { createFileGrants, createPreviews } from '../files/media/file-grants.ts';
import { createProber } from '../files/probe/prober.ts';
import { createSheetExchange, type SheetExchange } from '../files/spreadsheet/exchange.ts';
import { createExportFiles } from '../files/spreadsheet/export-files.ts';
import { accountOperations, appOperations, openAccountOperations } from '../service/accounts.ts';
import { compareOperations } from '../service/compare.ts';
import { fileOperations } from '../service/files.ts';
import { inboxOperations } from '../service/inbox.ts';
import { itemOperations } from '../service/item-ids.ts';
import { launchOperations } from '../service/launch.ts';
import { metricsOperations } from '../service/metrics.ts';
import { overviewOperations } from '../service/overview.ts';
import { reportOperations } from '../service/reports.ts';
import { type CoreRouter, createRouter } from '../service/router.ts';
import { rowOperations } from '../service/rows.ts';
import { settingOperations } from '../service/settings.ts';
import { storyboardOperations } from '../service/storyboard.ts';
import { suggestionOperations } from '../service/suggestions.ts';
import { syncOperations } from '../service/sync.ts';
import { createTasks } from '../service/tasks.ts';
import { teamAppOperations, teamOperations } from '../service/team.ts';
import { type ActiveAccounts, createActiveAccounts } from './active-accounts.ts';
import type { CoreOptions } from './core-options.ts';
import { THREADS } from './core-options.ts';
import { withNotifications } from './notification-log.ts';

/** The program without a window: the operations of the contract, and what hosts use besides them. */
export interface Core extends CoreApi {
  readonly router: CoreRouter;
  /** For hosts inside main, such as the command line; windows go through the router. */
  readonly open: ActiveAccounts;
  readonly exchange: SheetExchange;
  /** For hosts that may name paths. */
  readonly backups: BackupService;
  /** For hosts inside main: secrets of accounts that are not open. */
  readonly secrets: CoreOptions['secrets'];
  /** For hosts that show activity outside a window, or that are asked to show a row. */
  readonly events: AppEvents;
}

/** Options of a host. `threads` defaults to the worker threads of the program. */
export type CoreStart = Omit<CoreOptions, 'threads'> & Partial<Pick<CoreOptions, 'threads'>>;

/** Creates the services. Each is opened or started on first use. */
export async function createCore({ threads = THREADS, ...host }: CoreStart): Promise<Core> {
  const options: CoreOptions = { ...host, threads };
  const folder = watchDataFolder(options.dataDir);
  const events = withNotifications(createAppEvents(), options.clock);
  const registry = createAccountRegistry(options.dataDir);
  const grants = createFileGrants(join(options.dataDir, 'spool'));
  const previews = createPreviews();
  const prober = createProber();
  const identity = createWorkspaceIdentity(options.dataDir);
  const open = createActiveAccounts({ options, registry, identity, prober, emit: events.publish });
  const backups = createBackupService({ options, open });
  const accounts = createAccountService({
    options,
    registry,
    identity,
    folder,
    open,
    changed: () => events.publish({ type: 'accounts.changed' }),
  });
  const signing = {
    key: () => readSigningKey(options.secrets),
    who: systemUser,
    signers: createKnownSigners(join(options.dataDir, 'known-signers.json')),
    nowMs: () => options.clock.nowMs(),
  };
  const exchange = createSheetExchange({ grants, prober, signing, start: threads.exchange });
  const exports = createExportFiles(
    join(options.dataDir, 'exports'),
    previews,
    () => options.clock.nowMs(),
    options.freeBytes,
  );
  const tasks = createTasks(events.publish);
  // Most accounts have no team, so the team code is loaded on first use.
  const teams = async () => {
    const { createTeamSetup } = await import('../team/team-setup.ts');
    const changed = () => events.publish({ type: 'accounts.changed' });
    return createTeamSetup({ options, registry, open, grants, changed });
  };
  const updates = options.updates?.(() => events.publish({ type: 'update.changed' })) ?? null;
  const parts = {
    options,
    events,
    grants,
    previews,
    prober,
    accounts,
    open,
    backups,
    exchange,
    exports,
    tasks,
    teams,
    updates,
  };
  const router = createRouter({
    folder,
    open,
    accounts,
    tasks,
    emit: events.publish,
    app: { ...appOperations(parts), ...accountOperations(parts), ...teamAppOperations(parts) },
    main: {
      ...openAccountOperations(parts),
      ...rowOperations(parts),
      ...compareOperations(parts),
      ...storyboardOperations(parts),
      ...fileOperations(parts),
      ...settingOperations(parts),
      ...syncOperations(parts),
      ...itemOperations(parts),
      ...reportOperations(parts),
      ...suggestionOperations(parts),
      ...launchOperations,
      ...metricsOperations(parts),
      ...overviewOperations(parts),
      ...inboxOperations(parts),
      ...teamOperations(parts),
    },
  });
  return {
    router,
    open,
    exchange,
    backups,
    events,
    secrets: options.secrets,
    grants,
    preview: previews.open,
    offered: previews.find,
    openAhead: async () => {
      const { lastWorkspaceId } = options.preferences.get();
      if (lastWorkspaceId === null) return;
      try {
        const opened = await open.get(asWorkspaceId(lastWorkspaceId));
        if (!opened.ok) return;
        const { practice, cube, whileOpen } = opened.value;
        // The overview asks for both, one after the other.
        await whileOpen(() => Promise.all([practice?.service(), cube()]));
      } catch {
        // The window opens the same account next and gets the error then.
      }
    },
    close: async () => {
      events.close();
      await exchange.close();
      await open.closeAll();
      await prober.close();
      await grants.close();
      await exports.close();
    },
  };
}
