import { onTestFinished } from 'vitest';
import { type OpenDb, openDb } from '../../main/store/db/open-db.ts';
import { migrate } from '../../main/store/schema/migrate.ts';
import { allTables, tableOf } from '../../main/store/schema/tables.ts';
import type { CreateRow } from '../../main/store/types.ts';
import { createStore, type OwnStore } from '../../main/store/writer/create-store.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { isNew } from '../../shared/model/row.ts';
import { aFolder, done, remote } from './a-workspace.ts';

/** The writer's store in this thread, for laws that need many edits or a look at the tables. */
export function aStore(): OwnStore & { readonly db: OpenDb } {
  const db = openDb(`${aFolder()}/workspace.db`);
  onTestFinished(() => {
    if (db.raw.isOpen) db.close();
  });
  migrate(db);
  const profile = defaultDeploymentSettings('shop.example');
  const store = createStore({ db, profile, workspaceId: 'test', migrated: true, onCommitted: () => {} });
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
      done(store.acceptPushed(ref, { remoteId: remote(`${900_000 + ref.id}`), sent: row.values }));
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
