import { createRouterClient } from '@orpc/server';
import { afterAll, onTestFinished } from 'vitest';
import { createCredentialStore } from '../../main/accounts/credential-store.ts';
import { createFilePreferences } from '../../main/accounts/file-preferences.ts';
import { systemClock } from '../../main/app/clock.ts';
import { type Core, type CoreStart, createCore } from '../../main/core/core.ts';
import type { CoreOptions } from '../../main/core/core-options.ts';
import type { Client } from '../../main/hosts/cli/command.ts';
import type { CoreRouter } from '../../main/service/router.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { testFolder } from '../folder.ts';
import { copyAccount } from '../prepared-account.ts';
import { aFolder } from '../store/a-workspace.ts';
import { HERE } from '../store/without-threads.ts';

/** The account that was copied. */
export async function onlyAccount(client: Client): Promise<WorkspaceId> {
  const [account] = await client.accounts.list();
  if (account === undefined) throw new Error('there is no account');
  return account.workspaceId;
}

/** One program on an empty folder for all tests of a file. */
export async function aSharedCore(name: string) {
  const folder = testFolder(name);
  return { folder, ...(await startShared(folder)) };
}

async function startShared(folder: string) {
  const core = await startCore(folder);
  afterAll(() => core.close());
  const client: Client = createRouterClient(core.router);
  return { core, client };
}

/** The same, with a practice account: for tests that leave it as they found it. */
export async function aSharedPractice(name: string) {
  const folder = testFolder(name);
  copyAccount(folder);
  const { client } = await startShared(folder);
  return { client, workspaceId: await onlyAccount(client) };
}

/** The same, with a sample account. */
export async function aSharedSample(name: string) {
  const shared = await aSharedCore(name);
  const { workspaceId } = await shared.client.accounts.addSample({ name: 'Sample' });
  return { ...shared, workspaceId };
}

export type View = Parameters<Client['workspace']['openView']>[0]['view'];

/** The first rows of a view. */
export async function rowsOf(client: Client, workspaceId: WorkspaceId, view: View, count = 500) {
  return (await client.workspace.openView({ workspaceId, view, window: { from: 0, count } })).rows;
}

export type NewRows = Parameters<Client['workspace']['create']>[0]['rows'];

/** Creates rows as one step. */
export const addRows = (client: Client, workspaceId: WorkspaceId, label: string, rows: NewRows) =>
  client.workspace.create({ workspaceId, label, rows });

/**
 * The program with one practice account, in a folder of its own; `reopen` is what a restart does, with `meanwhile` done to
 * the folder while nobody has it open.
 */
export async function aCoreWithPractice(more: Pick<CoreOptions, 'freeBytes'> = {}): Promise<{
  readonly dataDir: string;
  readonly workspaceId: WorkspaceId;
  client(): Client;
  /** What a host serves to pages. */
  router(): CoreRouter;
  reopen(meanwhile?: () => void): Promise<void>;
}> {
  const dataDir = aFolder();
  copyAccount(dataDir);
  let core = await startCore(dataDir, more);
  let client: Client = createRouterClient(core.router);
  onTestFinished(() => core.close());
  const workspaceId = await onlyAccount(client);
  return {
    dataDir,
    workspaceId,
    client: () => client,
    router: () => core.router,
    reopen: async (meanwhile) => {
      await core.close();
      meanwhile?.();
      core = await startCore(dataDir, more);
      client = createRouterClient(core.router);
    },
  };
}

/**
 * The program on a folder, as a host starts it: preferences in their file, secrets in memory only. Workspaces are opened
 * without threads; suites about threads, that they end and that one goes on beside another, ask for `THREADS`.
 */
export const startCore = (dataDir: string, more: Partial<Omit<CoreStart, 'dataDir'>> = {}): Promise<Core> =>
  createCore({
    dataDir,
    host: 'web',
    clock: systemClock,
    threads: HERE,
    preferences: createFilePreferences(dataDir),
    secrets: createCredentialStore({ dataDir, clock: systemClock, keychain: async () => null }),
    ...more,
  });
