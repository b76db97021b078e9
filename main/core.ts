import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createAccountService } from './accounts/account-service.ts';
import { createAccountRegistry } from './accounts/registry.ts';
import type { CoreDoors, CoreOptions } from './core-types.ts';
import { createAppEvents } from './events.ts';
import { createSheetExchange, type SheetExchange } from './exchange/exchange.ts';
import { createFileGrants } from './media/file-grants.ts';
import { createPreviews } from './media/previews.ts';
import { createProber } from './media/probe/prober.ts';
import { createOpenAccounts, type OpenAccounts } from './open-accounts.ts';
import { accountsRouter } from './router/accounts.ts';
import { appRouter } from './router/app.ts';
import { exchangeRouter } from './router/exchange.ts';
import { itemsRouter } from './router/items.ts';
import { mediaRouter } from './router/media.ts';
import { type CoreParts, os } from './router/parts.ts';
import { practiceRouter } from './router/practice.ts';
import { reviewRouter, syncRouter } from './router/sync.ts';
import { workspaceRouter } from './router/workspace.ts';

/** The program without a window: the contract's answers, and the doors that hosts need for bytes. */
export interface Core extends CoreDoors {
  readonly router: CoreRouter;
  /** For hosts inside main, such as the command line; windows go through the router. */
  readonly open: OpenAccounts;
  readonly exchange: SheetExchange;
}

export type CoreRouter = ReturnType<typeof createRouter>;

/** Puts the services together. Nothing is opened or started before it is first asked for. */
export async function createCore(options: CoreOptions): Promise<Core> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const events = createAppEvents();
  const registry = createAccountRegistry(options.dataDir);
  const grants = createFileGrants(join(options.dataDir, 'spool'));
  const previews = createPreviews();
  const prober = createProber();
  const open = createOpenAccounts({ options, registry, emit: events.publish });
  const accounts = createAccountService({
    options,
    registry,
    close: open.close,
    changed: () => events.publish({ type: 'accounts.changed' }),
  });
  const exchange = createSheetExchange({ grants, prober });
  const router = createRouter({ options, events, grants, previews, prober, accounts, open, exchange });
  return {
    router,
    open,
    exchange,
    grants,
    preview: previews.open,
    close: async () => {
      events.close();
      await open.closeAll();
      await prober.close();
      await grants.close();
    },
  };
}

const createRouter = (parts: CoreParts) =>
  os.router({
    app: appRouter(parts),
    accounts: accountsRouter(parts),
    workspace: workspaceRouter(parts),
    media: mediaRouter(parts),
    exchange: exchangeRouter(parts),
    sync: syncRouter(parts),
    review: reviewRouter(parts),
    items: itemsRouter(parts),
    practice: practiceRouter(parts),
  });
