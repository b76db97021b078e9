import { join } from 'node:path';
import type { Router } from '@orpc/server';
import type { Contract } from '../shared/contract/contract.ts';
import { createAccountService } from './accounts/account-service.ts';
import { type BackupService, createBackupService } from './accounts/backup-service.ts';
import { createInstallationKey } from './accounts/installation-key.ts';
import { createOpenings } from './accounts/openings.ts';
import { createAccountRegistry } from './accounts/registry.ts';
import type { CoreDoors, CoreOptions } from './core-types.ts';
import { watchDataFolder } from './data-folder.ts';
import { type AppEvents, createAppEvents } from './events.ts';
import { createKnownSigners } from './exchange/archive/known-signers.ts';
import { createSheetExchange, type SheetExchange } from './exchange/exchange.ts';
import { createExportFiles } from './exchange/export-files.ts';
import { createFileGrants } from './media/file-grants.ts';
import { createPreviews } from './media/previews.ts';
import { createProber } from './media/probe/prober.ts';
import { createOpenAccounts, type OpenAccounts } from './open-accounts.ts';
import { accountsRouter } from './router/accounts.ts';
import { afterReviewRouter } from './router/after-review.ts';
import { answersRouter } from './router/answers.ts';
import { appRouter } from './router/app.ts';
import { backupsRouter } from './router/backups.ts';
import { bulkRouter } from './router/bulk.ts';
import { conflictPolicyRouter } from './router/conflict-policy.ts';
import { copyAcrossRouter } from './router/copy-across.ts';
import { createDiskGuard, type DiskGuard } from './router/disk-guard.ts';
import { exchangeRouter } from './router/exchange.ts';
import { historyRouter } from './router/history.ts';
import { idsRouter } from './router/ids.ts';
import { itemsRouter } from './router/items.ts';
import { knownRouter } from './router/known.ts';
import { launchRouter } from './router/launch.ts';
import { mediaRouter } from './router/media.ts';
import { newsRouter } from './router/news.ts';
import { notesRouter } from './router/notes.ts';
import { type CoreParts, os } from './router/parts.ts';
import { pasteRouter } from './router/paste.ts';
import { picturesRouter } from './router/pictures.ts';
import { practiceRouter } from './router/practice.ts';
import { reportsRouter } from './router/reports.ts';
import { requestsRouter } from './router/requests.ts';
import { rulesRouter } from './router/rules.ts';
import { secretsRouter } from './router/secrets.ts';
import { standingRouter } from './router/standing.ts';
import { swapsRouter } from './router/swaps.ts';
import { reviewRouter, syncRouter } from './router/sync.ts';
import { takeBackRouter } from './router/take-back.ts';
import { templatesRouter } from './router/templates.ts';
import { uploadHostsRouter } from './router/upload-hosts.ts';
import { verdictsRouter } from './router/verdicts.ts';
import { viewsRouter } from './router/views.ts';
import { waitingRouter } from './router/waiting.ts';
import { workspaceRouter } from './router/workspace.ts';
import { systemUser } from './system-user.ts';

/** The program without a window: the contract's answers, and the doors that hosts need for bytes. */
export interface Core extends CoreDoors {
  readonly router: CoreRouter;
  /** For hosts inside main, such as the command line; windows go through the router. */
  readonly open: OpenAccounts;
  readonly exchange: SheetExchange;
  /** For hosts that may name paths. */
  readonly backups: BackupService;
  /** For hosts that show outside a window what goes on, or that were asked to show a row. */
  readonly events: AppEvents;
}

/** Said by the contract, since the type of all its handlers together is too long to be written out. */
export type CoreRouter = Router<Contract, Record<never, never>>;

/** Puts the services together. Nothing is opened or started before it is first asked for. */
export async function createCore(options: CoreOptions): Promise<Core> {
  const folder = watchDataFolder(options.dataDir);
  const events = createAppEvents();
  const registry = createAccountRegistry(options.dataDir);
  const grants = createFileGrants(join(options.dataDir, 'spool'));
  const previews = createPreviews();
  const prober = createProber();
  const openings = createOpenings(options.dataDir);
  const open = createOpenAccounts({ options, registry, openings, emit: events.publish });
  const backups = createBackupService({ options, open });
  const accounts = createAccountService({
    options,
    registry,
    openings,
    folder,
    open,
    changed: () => events.publish({ type: 'accounts.changed' }),
  });
  const signing = {
    key: createInstallationKey(options.secrets).read,
    who: systemUser,
    signers: createKnownSigners(join(options.dataDir, 'known-signers.json')),
    nowMs: () => options.clock.nowMs(),
  };
  const exchange = createSheetExchange({ grants, prober, signing });
  const exports = createExportFiles(join(options.dataDir, 'exports'), previews, () => options.clock.nowMs());
  const router = createRouter(createDiskGuard(folder, open), {
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
  });
  return {
    router,
    open,
    exchange,
    backups,
    events,
    grants,
    preview: previews.open,
    offered: previews.find,
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

const createRouter = (guard: DiskGuard, parts: CoreParts): CoreRouter =>
  os
    .use(({ next, errors, path }, input) => guard({ path, input, errors }, next))
    .router({
      app: appRouter(parts),
      accounts: accountsRouter(parts),
      secrets: secretsRouter(parts),
      backups: backupsRouter(parts),
      workspace: workspaceRouter(parts),
      bulk: bulkRouter(parts),
      copyAcross: copyAcrossRouter(parts),
      paste: pasteRouter(parts),
      history: historyRouter(parts),
      views: viewsRouter(parts),
      notes: notesRouter(parts),
      news: newsRouter(parts),
      rules: rulesRouter(parts),
      templates: templatesRouter(parts),
      media: mediaRouter(parts),
      exchange: exchangeRouter(parts),
      sync: syncRouter(parts),
      conflictPolicy: conflictPolicyRouter(parts),
      standing: standingRouter(parts),
      waiting: waitingRouter(parts),
      requests: requestsRouter(parts),
      answers: answersRouter(parts),
      takeBack: takeBackRouter(parts),
      uploadHosts: uploadHostsRouter(parts),
      review: reviewRouter(parts),
      afterReview: afterReviewRouter(parts),
      launch: launchRouter(parts),
      verdicts: verdictsRouter(parts),
      known: knownRouter(parts),
      swaps: swapsRouter(parts),
      items: itemsRouter(parts),
      pictures: picturesRouter(parts),
      ids: idsRouter(parts),
      reports: reportsRouter(parts),
      practice: practiceRouter(parts),
    });
