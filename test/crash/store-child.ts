import { join } from 'node:path';
import { systemClock } from '../../main/app/clock.ts';
import { createStage } from '../../main/store/staged/stage-file.ts';
import type { Workspace } from '../../main/store/workspace.ts';
import { openWorkspace } from '../../main/store/workspace.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import type { Result } from '../../shared/result.ts';
import { KEYWORDS_A_CAMPAIGN, type StoreAction, storeModel } from './store-model.ts';

/**
 * `node store-child.ts FOLDER SEED FROM`: plays the actions of the list from FROM on until it is killed, and prints the
 * number of each once the workspace has acknowledged it.
 */
const [folder = '', seedText = '0', fromText = '0'] = process.argv.slice(2);
const from = Number(fromText);
const model = storeModel(Number(seedText));
for (let n = 0; n < from; n++) model.play(model.action(n));

const opened = await openWorkspace({
  file: join(folder, 'workspace.db'),
  profile: defaultDeploymentSettings(),
  clock: systemClock,
  migrated: true,
});
if (!opened.ok) throw new Error(JSON.stringify(opened.error));
const workspace = opened.value;
process.stdout.write('open\n');
for (let n = from; ; n++) {
  const action = model.action(n);
  const done = await carryOut(workspace, action);
  if (!done.ok) throw new Error(`${n} ${JSON.stringify(action)}: ${JSON.stringify(done.error)}`);
  model.play(action);
  process.stdout.write(`${n}\n`);
}

async function carryOut(store: Workspace, action: StoreAction): Promise<Result<unknown, unknown>> {
  switch (action.do) {
    case 'undo':
      return store.callWriter(['workspace', 'undo'], {}, null);
    case 'backup':
      return store.backup(join(folder, `${action.name}.db`));
    case 'import':
      return importCampaign(store, action.name, action.bid);
    case 'edit':
    case 'bulk': {
      const tree = (await store.readTrees('all'))[action.campaign];
      const rows = tree?.keywords ?? [];
      const chosen = action.do === 'bulk' ? rows : rows.slice(action.keyword, action.keyword + 1);
      const updates = chosen.map(({ kind, id }) => ({ kind, id, field: 'bid', value: action.bid }));
      return store.apply({ label: `Bid ${action.bid}`, source: 'user', updates });
    }
  }
}

async function importCampaign(store: Workspace, name: string, bid: number): Promise<Result<unknown, unknown>> {
  const file = join(folder, 'stage.db');
  const stage = createStage(file);
  const base = { line: 1, adGroup: null };
  stage.create({ ...base, at: 0, kind: 'campaign', campaign: null, values: { name, status: 'enabled' } });
  stage.create({ ...base, at: 1, kind: 'adGroup', campaign: -1, values: { name: `${name} group`, status: 'enabled' } });
  for (let i = 0; i < KEYWORDS_A_CAMPAIGN; i++) {
    const values = { text: `${name} ${i}`, matchType: 'exact', bid, state: 'enabled' };
    stage.create({ ...base, at: i + 2, kind: 'keyword', campaign: -1, adGroup: -2, values });
  }
  stage.end();
  const { revision } = await store.summary();
  return store.applyStaged({ file, label: `Import ${name}`, source: 'import', revision });
}
