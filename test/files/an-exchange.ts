import { createRouterClient } from '@orpc/server';
import { openPromise } from 'yauzl';
import type { GrantedFile } from '../../main/app/host-ports.ts';
import type { LongTask } from '../../main/app/long-task.ts';
import { ArchiveRow, ROWS } from '../../main/files/archive/archive-format.ts';
import type { ImportChoice, SheetExchange } from '../../main/files/spreadsheet/exchange.ts';
import { ImportSession } from '../../main/files/spreadsheet/worker/import-session.ts';
import type { Workspace } from '../../main/store/workspace.ts';
import type { ImportRowFilter, PreviewOptions } from '../../shared/api/files.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { isChanged } from '../../shared/model/row.ts';
import type { RemoteId, RowId } from '../../shared/model/scalars.ts';
import { NO_MAPPING } from '../../shared/spreadsheet/column-mapping.ts';
import type { ImportColumn } from '../../shared/spreadsheet/columns.ts';
import { onlyAccount, startCore } from '../core/a-core.ts';
import { copyAccount } from '../prepared-account.ts';
import { create, done, mergeRemote } from '../store/a-workspace.ts';
import { call } from '../store/call.ts';
import { HERE } from '../store/without-threads.ts';

type ImportAsked = ConstructorParameters<typeof ImportSession>[0];
type ReadRows = ConstructorParameters<typeof ImportSession>[1];

/** Reads a sheet against a workspace, as an import without any choice does. */
export const importSession = (
  asked: Pick<ImportAsked, 'path' | 'database'> & Partial<ImportAsked>,
  readRows?: ReadRows,
): ImportSession =>
  new ImportSession(
    {
      profile: defaultDeploymentSettings(),
      ...{ decimals: 'point', dates: null, sheet: null, mapping: NO_MAPPING },
      ...{ linesAsRows: false, asNew: false, source: 'sheet' },
      ...asked,
    },
    readRows,
  );

export type TestExchange = Awaited<ReturnType<typeof anExchange>>;

/** A core with one practice account, as the tests of files in and out use it. */
export async function anExchange(dataDir: string, threads = HERE) {
  copyAccount(dataDir);
  const core = await startCore(dataDir, { threads });
  const client = createRouterClient(core.router);
  const workspaceId = await onlyAccount(client);
  const opened = await core.open.get(workspaceId);
  const account = done(opened);
  const { exchange } = core;
  return {
    account,
    addMedia: async (path: string) => {
      const { grant } = done(await core.grants.grantPath(path));
      await client.media.add({ workspaceId, grants: [grant] });
    },
    grant: async (path: string) => done(await core.grants.grantPath(path)),
    tryPreview: (file: GrantedFile, options?: PreviewOptions) => exchange.preview(account, file, options),
    preview: async (file: GrantedFile, decimals?: 'point' | 'comma', work?: LongTask) =>
      done(await exchange.preview(account, file, { decimals }, work)),
    rows: async (previewId: string, filter: ImportRowFilter, from: number, count: number) =>
      there(await exchange.rows(account, previewId, filter, from, count)),
    apply: async (previewId: string, choice?: Partial<ImportChoice>, work?: LongTask) =>
      done(there(await exchange.apply(account, previewId, choice, work))),
    leaveColumnsOut: async (previewId: string, columns: readonly ImportColumn[]) =>
      done(there(await exchange.leaveColumnsOut(account, previewId, columns, []))).preview,
    failed: async (previewId: string, target: string, format: 'csv' | 'xlsx') =>
      there(await exchange.failed(account, previewId, target, format)),
    dismiss: exchange.dismiss,
    export: async (order: Parameters<SheetExchange['export']>[1], work?: LongTask) =>
      done(await exchange.export(account, order, work)),
    archive: async (source: 'archive' | 'changes', target: string, work?: LongTask) => {
      const order = { source, target, account: { name: 'Shop', advertiserId: '1' }, nowMs: 0 };
      return done(await exchange.archive(account, order, work));
    },
    close: core.close,
  };
}

function there<T>(value: T | null): T {
  if (value === null) throw new Error('there is no such preview');
  return value;
}

/** The rows of an archive as they stand in it. */
export async function rowsOfArchive(path: string): Promise<readonly ArchiveRow[]> {
  const archive = await openPromise(path, { lazyEntries: true });
  try {
    for await (const entry of archive.eachEntry()) {
      if (entry.fileName !== ROWS) continue;
      const parts: Buffer[] = [];
      for await (const part of await archive.openReadStreamPromise(entry)) parts.push(part as Buffer);
      const lines = Buffer.concat(parts)
        .toString('utf8')
        .split('\n')
        .filter((line) => line !== '');
      return lines.map((line) => ArchiveRow.parse(JSON.parse(line)));
    }
    throw new Error(`${path} has no rows`);
  } finally {
    archive.close();
  }
}

const CAMPAIGNS = 3;
/** Tells a desk what the service says of a few campaigns, each with two ad groups. */
export async function refresh({ account: { workspace } }: TestExchange): Promise<void> {
  const remote = (id: number) => String(id) as RemoteId;
  for (let n = 1; n <= CAMPAIGNS; n++) {
    await mergeRemote(workspace, [
      {
        kind: 'campaign',
        remoteId: remote(n * 100),
        campaignId: null,
        adGroupId: null,
        values: { name: `Live ${n}`, dailyBudget: 5000, status: 'enabled' },
      },
    ]);
    const campaignId = (await find(workspace, n))?.campaign.id as RowId;
    const below = { campaignId, adGroupId: null };
    const multipliers = [
      {
        kind: 'placementMultiplier' as const,
        ...below,
        remoteId: null,
        values: { placement: 'Buy-Box', multiplier: 50 },
      },
      { kind: 'platformMultiplier' as const, ...below, remoteId: null, values: { platform: 'App', multiplier: 70 } },
    ];
    const groups = [1, 2].map((g) => ({
      kind: 'adGroup' as const,
      ...below,
      remoteId: remote(n * 100 + g),
      values: { name: `Group ${g}`, status: 'enabled' as const },
    }));
    await mergeRemote(workspace, [...multipliers, ...groups]);
    for (const { id: adGroupId, remoteId } of (await find(workspace, n))?.adGroups ?? []) {
      const base = Number(remoteId) * 100;
      const inGroup = { campaignId, adGroupId };
      await mergeRemote(workspace, [
        {
          kind: 'keyword',
          ...inGroup,
          remoteId: remote(base + 1),
          values: { text: 'tea', matchType: 'exact', bid: 50 },
        },
        {
          kind: 'keyword',
          ...inGroup,
          remoteId: remote(base + 2),
          values: { text: 'cup', matchType: 'broad', bid: 60 },
        },
        { kind: 'adItem', ...inGroup, remoteId: remote(base + 3), values: { itemId: `${1e9 + base}`, bid: 70 } },
        { kind: 'sbaProfile', ...inGroup, remoteId: remote(base + 4), values: { brand: 'B', headline: 'H' } },
      ]);
    }
  }
}
const find = async (workspace: Workspace, n: number) =>
  (await workspace.readTrees('all')).find((tree) => tree.campaign.remoteId === String(n * 100));

/** All rows of a desk but its library. */
export async function liveRows({ account: { workspace } }: TestExchange) {
  return (await workspace.readTrees('all')).flatMap(({ media: _, campaign, ...lists }) => [
    campaign,
    ...Object.values(lists).flat(),
  ]);
}

/** Takes back what was edited, so that every row is again as the service knows it. */
export async function undoAll(desk: TestExchange): Promise<void> {
  while ((await liveRows(desk)).some(isChanged)) {
    done(await call(desk.account.workspace, 'workspace', 'undo'));
  }
}

/** Makes the campaign Spring with the group Main and these keywords. */
export async function makeSpring(desk: TestExchange, texts: readonly string[]): Promise<void> {
  const keywords = texts.map((text) => create('keyword', { at: 1 }, { text, matchType: 'exact', bid: 100 }));
  const creates = [
    create('campaign', null, { name: 'Spring', campaignType: 'sponsoredProducts' }),
    create('adGroup', { at: 0 }, { name: 'Main' }),
    ...keywords,
  ];
  done(await desk.account.workspace.apply({ label: 'Spring', source: 'user', creates }));
}
