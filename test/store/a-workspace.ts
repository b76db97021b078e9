import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../main/app/clock.ts';
import type { BulkRows } from '../../main/store/bulk/bulk-rows.ts';
import { type OpenDb, openDb } from '../../main/store/db/open-db.ts';
import { allTables, tableOf } from '../../main/store/schema/tables.ts';
import type { CreateRow, EditBatch, EditOutcome, RemoteRow } from '../../main/store/types.ts';
import type { Workspace } from '../../main/store/workspace.ts';
import type { WriterTask } from '../../main/store/writer/apply-tool.ts';
import { createStore, type OwnStore } from '../../main/store/writer/create-store.ts';
import type { BulkTool } from '../../shared/api/bulk.ts';
import type { Contract } from '../../shared/api/contract.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import type { AnyValues } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { isNew } from '../../shared/model/row.ts';
import type { RemoteId } from '../../shared/model/scalars.ts';
import type { Result } from '../../shared/result.ts';
import { call, type InputTo } from './call.ts';
import { makeNewFile } from './new-file.ts';
import { openWithoutThreads } from './without-threads.ts';

/** Noon UTC of 4 May 2026, moved by the test and by nothing else. */
export interface TestClock extends Clock {
  moveMs(ms: number): void;
}

export function aClock(startMs = Date.UTC(2026, 4, 4, 12)): TestClock {
  let now = startMs;
  return {
    nowMs: () => now,
    monotonicMs: () => now,
    sleep: () => Promise.resolve(),
    moveMs: (ms) => {
      now += ms;
    },
  };
}

/** A folder of its own for one test, removed when the test ends. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'adslate-workspace-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** @param open `openWorkspace` where a test is about what its threads do at the same time, or about one that fails */
export async function aWorkspace(
  file = join(aFolder(), 'workspace.db'),
  clock = aClock(),
  open = openWithoutThreads,
): Promise<Workspace> {
  makeNewFile(file);
  const opened = await open({ file, profile: defaultDeploymentSettings('shop.example'), clock, migrated: true });
  if (!opened.ok) throw new Error(`not opened: ${JSON.stringify(opened.error)}`);
  onTestFinished(() => opened.value.close());
  return opened.value;
}

export function done<T, E>(result: Result<T, E>): T {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.error)}`);
  return result.value;
}

/** What stands there, which must be something. */
export function at<T>(list: readonly T[], position: number): T {
  const found = list[position];
  if (found === undefined) throw new Error(`nothing at ${position}`);
  return found;
}

export const pick = <T, const P extends readonly number[]>(list: readonly T[], ...positions: P) =>
  positions.map((position) => at(list, position)) as { [I in keyof P]: T };

export const create = (kind: Kind, parent: CreateRow['parent'], values: AnyValues = {}): CreateRow => ({
  kind,
  parent,
  values,
});

/** A sponsored products campaign with one group, one item and two keywords: rows 0 to 4 of the answer. */
export const aSmallCampaign = (name = 'Towels'): readonly CreateRow[] => [
  create('campaign', null, { name, campaignType: 'sponsoredProducts', targetingType: 'manual', dailyBudget: 5000 }),
  create('adGroup', { at: 0 }, { name: `${name} group` }),
  create('adItem', { at: 1 }, { itemId: '1234567', bid: 40 }),
  create('keyword', { at: 1 }, { text: 'Paper Towel', matchType: 'exact', bid: 100 }),
  create('keyword', { at: 1 }, { text: 'kitchen roll', matchType: 'broad', bid: 120 }),
];

export async function edit(workspace: Workspace, batch: Omit<EditBatch, 'label' | 'source'>): Promise<EditOutcome> {
  return done(await workspace.apply({ label: 'Test edit', source: 'user', ...batch }));
}

/** Merges rows as the service shows them. */
export async function mergeRemote({ outbox }: Workspace, rows: readonly RemoteRow[]): Promise<void> {
  const { epoch } = await outbox.takeOwnership();
  await outbox.merge({ epoch, rows });
}

export const changesOf = async (workspace: Workspace, search: InputTo<Contract['workspace']['changes']>) =>
  done(await call(workspace, 'workspace', 'changes', search));

export const detailOf = async (workspace: Workspace, ref: RowRef) =>
  done(await call(workspace, 'workspace', 'row', { ref }));

export const logOf = async (workspace: Workspace, search: InputTo<Contract['history']['log']>) =>
  done(await call(workspace, 'history', 'log', search));

export const remote = (id: string): RemoteId => id as RemoteId;

/** The writer's store in this thread, for laws that need many edits or a look at the tables. */
export function aStore(): OwnStore & { readonly db: OpenDb } {
  const file = join(aFolder(), 'workspace.db');
  makeNewFile(file);
  const db = openDb(file);
  onTestFinished(() => {
    if (db.raw.isOpen) db.close();
  });
  const profile = defaultDeploymentSettings('shop.example');
  const store = createStore({ db, profile, migrated: true, onCommitted: () => {} });
  store.setNow(Date.UTC(2026, 4, 4, 12));
  return { ...store, db };
}

export const createAll = (store: OwnStore, creates: readonly CreateRow[]): readonly RowRef[] =>
  done(store.apply({ label: 'Create', source: 'user', creates })).touched;

/** Makes the service know every new row, as after a sync in which all went well. */
export function acceptAll(store: OwnStore, refs: readonly RowRef[]): void {
  store.tx(() => {
    for (const ref of refs) {
      const row = store.readRow(ref);
      if (row === null || !isNew(row)) continue;
      done(store.acceptSent(ref, { remoteId: remote(`${900_000 + ref.id}`), sent: row.values }));
    }
  });
}

/** Everything the user sees or the service is told, table by table; not the history and not the revision. */
export function contents(store: OwnStore): unknown {
  return allTables().map((table) => ({
    rows: store.db.all(`SELECT * FROM ${table.name} ORDER BY id`),
    base: store.db.all(`SELECT * FROM ${table.base} ORDER BY id`),
  }));
}

export const countOf = (store: OwnStore, table: Parameters<typeof tableOf>[0]): number =>
  store.db.all(`SELECT id FROM ${tableOf(table).name}`).length;

const FREE: WriterTask = { isCancelled: () => false, progress: () => {} };

const scopeOf = (refs: readonly RowRef[]): readonly BulkRows[] => {
  const kinds = [...new Set(refs.map((ref) => ref.kind))];
  return kinds.map((kind) => ({
    kind,
    ids: Int32Array.from(
      refs.filter((ref) => ref.kind === kind),
      (ref) => ref.id,
    ),
  }));
};

/** Runs a tool over rows in the writer's store. */
export const run = (store: OwnStore, tool: BulkTool, refs: readonly RowRef[], job = FREE) =>
  store.applyTool(scopeOf(refs), tool, 'Tool', job);

/** Bid maths over the bid. */
export const amount = (expression: string, more: object = {}): BulkTool => ({
  tool: 'amount',
  field: 'bid',
  expression,
  min: null,
  max: null,
  roundTo: 0,
  ...more,
});
