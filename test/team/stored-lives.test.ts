import { expect, test } from 'vitest';
import { checkIntegrity } from '../../main/store/backup.ts';
import { teamConflicts } from '../../main/store/team/team.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { aSmallCampaign, aStore, at, createAll, done } from '../workspace/a-workspace.ts';
import { ModelServer } from './simulator/model-server.ts';
import { StoredDesk } from './stored-desk.ts';
import { playStoredLife } from './stored-life.ts';

function aTeam() {
  const server = new ModelServer();
  const [ana, ben] = [new StoredDesk(1, aStore()), new StoredDesk(2, aStore())];
  const refs = createAll(ana.store, aSmallCampaign());
  ana.share(server);
  ben.share(server);
  return { server, ana, ben, keyword: at(refs, 3), campaign: at(refs, 0), refs };
}

const set = ({ store }: StoredDesk, ref: RowRef, field: string, value: Cell) =>
  done(store.apply({ label: `Set ${field}`, source: 'user', updates: [{ ...ref, field, value }] }));
const bidOf = ({ store }: StoredDesk, ref: RowRef, field: string) =>
  (store.readRow(ref)?.values as Record<string, Cell> | undefined)?.[field];

test('where both changed the same the user picks, and the answer can be taken back', () => {
  const { server, ana, ben, keyword, refs } = aTeam();
  expect([ana.state.notShared, ben.state.notShared]).toEqual([0, 0]);
  for (const ref of refs) expect(ben.store.readRow(ref)).toEqual(ana.store.readRow(ref));
  set(ana, keyword, 'bid', 210);
  set(ben, keyword, 'bid', 190);
  set(ben, keyword, 'state', 'paused');
  ana.share(server);
  ben.share(server);
  expect(teamConflicts(ben.store.db, 0, 10)).toMatchObject([
    { ref: keyword, field: 'bid', base: 100, mine: 190, theirs: 210, against: 'team', by: 'Member 1' },
  ]);
  expect(ben.state).toMatchObject({ conflicts: 1, notShared: 1 });
  ben.store.team.pick(keyword, 'bid', 'theirs', null);
  expect([bidOf(ben, keyword, 'bid'), ben.state.conflicts, ben.state.notShared]).toEqual([210, 0, 0]);
  done(ben.store.step('undo'));
  expect([bidOf(ben, keyword, 'bid'), ben.state.conflicts, ben.state.notShared]).toEqual([190, 0, 1]);
  ben.share(server);
  ana.share(server);
  expect([bidOf(ana, keyword, 'bid'), bidOf(ana, keyword, 'state')]).toEqual([190, 'paused']);
});

const LIVES = Number(process.env['STORED_LIVES'] ?? 6);
const FIRST = Number(process.env['STORED_FROM'] ?? 1);

test('workspaces of a team end up equal, whatever is edited, undone, synced, lost and late', () => {
  for (let seed = FIRST; seed < FIRST + LIVES; seed++)
    expect([seed, playStoredLife(seed, aStore)]).toEqual([seed, null]);
});

test('every promise of shadow and marks is checked', () => {
  const { ana, keyword } = aTeam();
  set(ana, keyword, 'bid', 1);
  expect(checkIntegrity(ana.store.db)).toEqual([]);
  ana.store.db.run('UPDATE keyword SET ahead = 0');
  expect(checkIntegrity(ana.store.db).map(({ table }) => table)).toContain('keyword');
});
