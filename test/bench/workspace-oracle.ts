import { rmSync } from 'node:fs';
import { openDb } from '../../main/store/db/open-db.ts';
import { migrate } from '../../main/store/schema/migrate.ts';
import { tableOf } from '../../main/store/schema/tables.ts';
import { createStore } from '../../main/store/writer/create-store.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import { changedCells } from '../workspace/changeset.ts';
import { fill } from './big-workspace.ts';
import { said } from './figure.ts';

const EDITS = 300;

/** Bar 21: SQLite's own record of changes against ours, cell by cell, over random edits of some cells each. */
export async function benchOracle(file: string): Promise<boolean> {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  const db = openDb(file);
  migrate(db);
  const profile = defaultDeploymentSettings('shop.example');
  const store = createStore({ db, profile, workspaceId: 'bench', migrated: true, onCommitted: () => {} });
  store.setNow(Date.now());
  await fill({ apply: async (edit) => store.apply(edit) }, 2000);
  const ids = db.all('SELECT id FROM keyword').map(([id]) => Number(id));
  const table = tableOf('keyword');
  // Columns of the table: six of the row itself, then the fields in their order.
  const fieldAt = db.all('SELECT name FROM pragma_table_info(?)', 'keyword').map(([name]) => String(name));
  let differing = 0;
  let compared = 0;
  for (let edit = 0; edit < EDITS; edit++) {
    const session = db.raw.createSession({ table: 'keyword' });
    const updates = Array.from({ length: 1 + (edit % 7) }, () => {
      const id = asRowId(ids[Math.floor(Math.random() * ids.length)] ?? 0);
      const [field, value] =
        Math.random() < 0.7 ? ['bid', Math.floor(Math.random() * 900)] : ['text', `word ${Math.random()}`];
      return { kind: 'keyword' as const, id, field: String(field), value: value ?? null };
    });
    const outcome = store.apply({ label: 'Edit', source: 'user', updates });
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
    const recorded = changedCells(session.changeset()).flatMap(({ id, column }) => {
      const found = table.userColumns.find(({ field }) => field === fieldAt[column]);
      return found === undefined ? [] : [`${id} ${found.code}`];
    });
    session.close();
    const noted = db
      .all('SELECT id, field FROM step_cell WHERE step = (SELECT max(id) FROM step)')
      .map(([id, field]) => `${id} ${field}`);
    compared += noted.length;
    differing += new Set([...recorded, ...noted]).size - recorded.filter((cell) => noted.includes(cell)).length;
  }
  db.close();
  if (compared < EDITS) throw new Error(`only ${compared} cells were compared`);
  return said(`21 cells on which SQLite's session and the history differ, of ${compared}`, differing, 'cells', {
    bar: 0,
  });
}
