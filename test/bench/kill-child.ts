import { openDb } from '../../main/store/db/open-db.ts';
import { createStore } from '../../main/store/writer/create-store.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';

/** Gives all rows of a scope one bid after another, and says each number once it is committed; ended from outside. */
const [file = '', first = '1', rows = '100000'] = process.argv.slice(2);
const db = openDb(file);
const profile = defaultDeploymentSettings('shop.example');
const store = createStore({ db, profile, workspaceId: 'bench', migrated: true, onCommitted: () => {} });
store.setNow(Date.now());
const ids = Int32Array.from(db.all('SELECT id FROM keyword ORDER BY id LIMIT ?', Number(rows)), ([id]) => Number(id));
for (let bid = Number(first); ; bid++) {
  const tool = { tool: 'set', values: { bid } } as const;
  const done = store.applyTool([{ kind: 'keyword', ids }], tool, 'Bids', {
    isCancelled: () => false,
    progress: () => {},
  });
  if (!done.ok) throw new Error(JSON.stringify(done.error));
  process.stdout.write(`${bid}\n`);
}
