import { createRouterClient } from '@orpc/server';
import type { ActiveAccount } from '../../main/app/active-account.ts';
import type { GrantedFile } from '../../main/app/core-types.ts';
import type { LongTask } from '../../main/app/long-task.ts';
import type { Applied, ImportChoice, SheetExchange } from '../../main/files/spreadsheet/exchange.ts';
import type { ImportPreview, ImportRow, ImportRowFilter } from '../../shared/api/files.ts';
import type { Result } from '../../shared/result.ts';
import type { ImportColumn } from '../../shared/spreadsheet/columns.ts';
import { onlyAccount } from '../core/a-core.ts';
import { startCore } from '../core/start-core.ts';
import { copyAccount } from '../prepared-account.ts';

/** A core with one practice account, as the tests of files in and out use it. */
export interface TestExchange {
  readonly account: ActiveAccount;
  addMedia(path: string): Promise<void>;
  grant(path: string): Promise<GrantedFile>;
  tryPreview: (
    file: GrantedFile,
    decimals?: 'point' | 'comma',
    evenAltered?: boolean,
    sheet?: string,
  ) => ReturnType<SheetExchange['preview']>;
  preview(file: GrantedFile, decimals?: 'point' | 'comma', work?: LongTask): Promise<ImportPreview>;
  rows(
    previewId: string,
    filter: ImportRowFilter,
    from: number,
    count: number,
  ): Promise<{ readonly total: number; readonly rows: readonly ImportRow[] }>;
  apply(previewId: string, choice?: Partial<ImportChoice>, work?: LongTask): Promise<Applied>;
  leaveColumnsOut(previewId: string, columns: readonly ImportColumn[]): Promise<ImportPreview>;
  failed(previewId: string, target: string, format: 'csv' | 'xlsx'): Promise<number>;
  dismiss: SheetExchange['dismiss'];
  export(order: Parameters<SheetExchange['export']>[1], work?: LongTask): Promise<{ readonly rows: number }>;
  archive(
    source: 'archive' | 'changes',
    target: string,
    work?: LongTask,
  ): Promise<{ readonly rows: number; readonly media: number }>;
  close(): Promise<void>;
}

export async function anExchange(dataDir: string): Promise<TestExchange> {
  copyAccount(dataDir);
  const core = await startCore(dataDir);
  const client = createRouterClient(core.router);
  const workspaceId = await onlyAccount(client);
  const opened = await core.open.get(workspaceId);
  const account = done(opened);
  const { exchange } = core;
  return {
    account,
    addMedia: async (path) => {
      const { grant } = done(await core.grants.grantPath(path));
      await client.media.add({ workspaceId, grants: [grant] });
    },
    grant: async (path) => done(await core.grants.grantPath(path)),
    tryPreview: (file, decimals, evenAltered = false, sheet) =>
      exchange.preview(account, file, { decimals, evenAltered, sheet }),
    preview: async (file, decimals, work) => done(await exchange.preview(account, file, { decimals }, work)),
    rows: async (previewId, ...window) => there(await exchange.rows(account, previewId, ...window)),
    apply: async (previewId, choice, work) => done(there(await exchange.apply(account, previewId, choice, work))),
    leaveColumnsOut: async (previewId, columns) =>
      done(there(await exchange.leaveColumnsOut(account, previewId, columns, []))).preview,
    failed: async (previewId, target, format) => there(await exchange.failed(account, previewId, target, format)),
    dismiss: exchange.dismiss,
    export: async (order, work) => done(await exchange.export(account, order, work)),
    archive: async (source, target, work) => {
      const order = { source, target, account: { name: 'Shop', advertiserId: '1' }, nowMs: 0 };
      return done(await exchange.archive(account, order, work));
    },
    close: core.close,
  };
}

function done<T, E>(result: Result<T, E>): T {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.error)}`);
  return result.value;
}

function there<T>(value: T | null): T {
  if (value === null) throw new Error('there is no such preview');
  return value;
}
