import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createPartnerApi, type PartnerApi } from '../../main/api/partner-api.ts';
import type { ResponseRecord } from '../../main/api/response-record.ts';
import { type Clock, systemClock } from '../../main/app/clock.ts';
import type { UploadNetwork } from '../../main/files/upload/upload-file.ts';
import type { CreateRow } from '../../main/store/types.ts';
import type { Workspace } from '../../main/store/workspace.ts';
import { createCapabilityStore } from '../../main/sync/capabilities.ts';
import { createPendingSync, type PendingOptions } from '../../main/sync/pending-sync.ts';
import { createSyncService } from '../../main/sync/service.ts';
import type { RunningSandbox } from '../../sandbox/start.ts';
import type { AppEvent } from '../../shared/api/app.ts';
import type { SyncReport } from '../../shared/api/sync.ts';
import { type DeploymentSettings, defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import type { AnyValues } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { asWorkspaceId, type RemoteId, type RowId } from '../../shared/model/scalars.ts';
import { type Capabilities, DOCUMENTED_ONLY } from '../../shared/plan/plan-types.ts';
import { makeNewFile } from '../store/new-file.ts';
import { openWithoutThreads } from '../store/without-threads.ts';

export type TestAccount = Awaited<ReturnType<typeof openAccount>>;

export interface AccountOptions {
  readonly sandbox: RunningSandbox;
  /** Documented calls alone when it is not said; `probe` finds out. */
  readonly capabilities?: Capabilities | 'probe';
  /** 900001 when it is not said. */
  readonly advertiserId?: number;
  /** Whether the account's item ids have their new form; they have when it is not said. */
  readonly migrated?: boolean;
  readonly folder?: string;
  readonly profile?: DeploymentSettings;
  readonly clock?: Clock;
  readonly today?: string;
  readonly fetch?: typeof fetch;
  /** What the account uses as its workspace; the opened one when it is not said. */
  readonly watched?: (workspace: Workspace) => Workspace;
  readonly uploadNetwork?: UploadNetwork;
  /** A number from 0 up to 1, for jitter and names. */
  readonly random?: () => number;
  /** Whether a pending sync goes on by itself; it does when it is not said. */
  readonly takesUp?: boolean;
  /** Whether the database is the one that was left; it is when it is not said. */
  readonly isSame?: boolean;
  /** Asked before a run that nobody has just asked for. */
  readonly mayStart?: NonNullable<Parameters<typeof createPendingSync>[1]['mayStart']>;
  /** Of a team: how it gets its turn, and what colleagues have signed off. */
  readonly team?: Pick<Parameters<typeof createSyncService>[0], 'turns' | 'signOffs'>;
  /** Hears every answer of the service. */
  readonly onResponse?: (answer: () => ResponseRecord) => void;
  /** Hears every event in the moment it is sent. */
  readonly onEvent?: (event: AppEvent) => void;
}

/** A clock that waits for nothing: a sleep moves it on at once, so settle windows pass in no time. */
export function hastyClock(aheadMs = 0): Clock {
  let ahead = aheadMs;
  return {
    nowMs: () => Date.now() + ahead,
    monotonicMs: () => performance.now() + ahead,
    sleep: async (delayMs) => {
      ahead += delayMs;
    },
  };
}

/** One account of a running practice service with a workspace and a sync service of its own. */
export async function openAccount(options: AccountOptions) {
  const { sandbox } = options;
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'adslate-sync-')));
  await mkdir(join(folder, 'media'), { recursive: true });
  const clock = options.clock ?? hastyClock();
  const profile = options.profile ?? defaultDeploymentSettings('shop.example');
  const file = join(folder, 'workspace.db');
  makeNewFile(file);
  const opened = await openWithoutThreads({
    file,
    profile,
    clock,
    migrated: options.migrated ?? true,
  });
  if (!opened.ok) throw new Error(`workspace: ${JSON.stringify(opened.error)}`);
  const workspace = options.watched?.(opened.value) ?? opened.value;
  const api = apiOf(sandbox, options.fetch, options.advertiserId, options.onResponse);
  const events: AppEvent[] = [];
  const known = options.capabilities ?? DOCUMENTED_ONLY;
  const emit = (event: AppEvent): void => {
    events.push(event);
    options.onEvent?.(event);
  };
  const service = await createSyncService({
    workspaceId: asWorkspaceId('w1'),
    workspace,
    api,
    profile,
    capabilities:
      known === 'probe'
        ? createCapabilityStore({ workspace, api: async () => api, mode: 'probe', nowMs: clock.nowMs }).current
        : async () => known,
    clock,
    journalFile: join(folder, 'sync.journal'),
    mediaFile: (row) => join(folder, 'media', row.values.sha256 ?? ''),
    emit,
    ...options.team,
    ...(options.uploadNetwork === undefined ? {} : { uploadNetwork: options.uploadNetwork }),
    ...(options.random === undefined ? {} : { random: options.random }),
    ...(options.today === undefined ? {} : { today: async () => options.today ?? '' }),
  });
  const sync = await createPendingSync(service, {
    workspaceId: asWorkspaceId('w1'),
    file: join(folder, 'pending-sync.json'),
    clock,
    emit,
    takesUp: options.takesUp ?? true,
    isSame: options.isSame ?? true,
    random: options.random ?? Math.random,
    ...(options.mayStart === undefined ? {} : { mayStart: options.mayStart }),
  });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await sync.close();
    api.close();
    await workspace.close();
    if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
  };
  return {
    folder,
    workspace,
    sync,
    events,
    clock,
    /** Runs a sync to its end. */
    run: async (run?: Partial<PendingOptions>): Promise<SyncReport> => {
      const started = await sync.run({ submit: false, campaignIds: null, ...run });
      if (!started.ok) throw new Error(`run: ${started.error.code}`);
      const report = await sync.idle();
      if (report === null) throw new Error('no report');
      return report;
    },
    create: async (rows: readonly CreateRow[]): Promise<readonly RowId[]> => {
      const done = await workspace.apply({ label: 'test', source: 'user', creates: rows });
      if (!done.ok) throw new Error(`create: ${JSON.stringify(done.error)}`);
      return done.value.touched.map(({ id }) => id);
    },
    edit: async (kind: Kind, id: RowId, values: AnyValues): Promise<void> => {
      const updates = Object.entries(values).map(([field, value]) => ({ kind, id, field, value }));
      const done = await workspace.apply({ label: 'test', source: 'user', updates });
      if (!done.ok) throw new Error(`edit: ${JSON.stringify(done.error)}`);
    },
    /** A second time does nothing. */
    close: () => (closing ??= close()),
  };
}

/** A client of one account of the practice service. */
export function apiOf(
  sandbox: RunningSandbox,
  fetchWith: typeof fetch = fetch,
  id = 900001,
  onResponse?: (answer: () => ResponseRecord) => void,
): PartnerApi {
  const account = sandbox.ready.accounts.find(({ advertiserId }) => advertiserId === id);
  if (account === undefined) throw new Error(`the practice service has no account ${id}`);
  return createPartnerApi(
    {
      baseUrl: sandbox.ready.baseUrl,
      advertiserId: String(account.advertiserId) as RemoteId,
      consumerId: account.consumerId,
      keyVersion: account.keyVersion,
      headerPrefix: sandbox.ready.headerPrefix,
      timestampUnit: 'ms',
      signatureAlgorithm: 'RS256',
    },
    {
      secrets: async () => ({ token: account.token, privateKeyPem: account.privateKeyPem }),
      clock: systemClock,
      fetch: fetchWith,
      onResponse,
    },
  );
}

const EXAMPLES = join(import.meta.dirname, '../../examples/media');

/** Puts a file of the examples into an account's media folder. @returns the row to create for it */
export async function mediaRowOf(
  account: Pick<TestAccount, 'folder'>,
  file: string,
  mediaType: 'video' | 'caption' | 'logo',
  facts: object,
): Promise<CreateRow> {
  const source = join(EXAMPLES, file);
  const sha256 = createHash('sha256')
    .update(await readFile(source))
    .digest('hex');
  await copyFile(source, join(account.folder, 'media', sha256));
  const { size } = await stat(source);
  const fileName = basename(file);
  return {
    kind: 'media',
    parent: null,
    values: { mediaType, mediaName: fileName, fileName, sha256, bytes: size, facts: JSON.stringify(facts) },
  };
}

export const VIDEO_FACTS = {
  is: 'video',
  container: 'mp4',
  durationMs: 12_000,
  width: 1280,
  height: 720,
  videoCodec: 'avc1',
  audioCodec: 'mp4a',
};
export const CAPTION_FACTS = { is: 'caption', format: 'vtt', cues: 3, lastEndMs: 11_000, problems: [] };
export const LOGO_FACTS = { is: 'logo', width: 100, height: 100 };
