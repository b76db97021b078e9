import { expect, test, vi } from 'vitest';
import type { OpenDb } from '../../main/store/db/open-db.ts';
import { compareMoments, readLog } from '../../main/store/history/read-log.ts';
import { createViews } from '../../main/store/reader/views.ts';
import { createStage } from '../../main/store/staged/stage-file.ts';
import type { RemoteRow } from '../../main/store/types.ts';
import type { OwnStore } from '../../main/store/writer/create-store.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import type { ViewSpec } from '../../shared/api/workspace.ts';
import { aStore, createAll } from './a-store.ts';
import { aFolder, aSmallCampaign, done, remote } from './a-workspace.ts';

const EVERY_KEYWORD: ViewSpec = { kind: 'keyword', filter: '', sort: [], campaignId: null, only: 'all' };
const NOT_FILTERED = { stepId: null, ref: null, campaignId: null };

/** What somebody does in a day, on rows of its own each time, so that every id and step is another one. */
function work(store: OwnStore & { readonly db: OpenDb }, day: number): void {
  const views = createViews(store.db);
  const { viewId, length } = done(views.open(EVERY_KEYWORD));
  const refs = createAll(store, aSmallCampaign('Spring'));
  const campaign = refs.find(({ kind }) => kind === 'campaign') as RowRef;
  const keyword = refs.find(({ kind }) => kind === 'keyword') as RowRef;
  const { step: before } = newestStep(store);
  done(store.apply({ label: 'Bid', source: 'user', updates: [{ ...keyword, field: 'bid', value: 150 }] }));
  const bid = newestStep(store);
  done(store.step('undo'));
  done(store.step('redo'));
  done(store.apply({ label: 'Remove', source: 'user', deletes: [keyword] }));
  done(store.step('undo'));
  done(store.step('redo'));
  compareMoments(store.db, before, null, null, 0, 10);
  readLog(store.db, 0, 10, NOT_FILTERED);
  readLog(store.db, 0, 10, { stepId: bid.step, ref: keyword, campaignId: campaign.id });
  done(store.restore(before, { campaignId: campaign.id }, 'Restore'));
  done(store.restore(before, { ref: keyword, field: 'bid' }, 'Restore'));
  done(store.restore(before, { all: true }, 'Restore'));
  importOne(store, day);
  store.mergeRemoteRows([aReadCampaign(`${day}00`)]);
  expect(views.read(viewId, 0, 10)?.length).toBeGreaterThan(length);
}

/** A campaign and its comment come in as a file of their own, and a row that is there is changed by it. */
function importOne(store: OwnStore, day: number): void {
  const [refs, stage] = [createAll(store, aSmallCampaign(`Summer ${day}`)), `${aFolder()}/stage.db`];
  const writer = createStage(stage);
  writer.create({ at: 0, kind: 'campaign', campaign: null, adGroup: null, values: { name: 'Autumn' }, line: 2 });
  writer.note('campaign', -1, { labels: [], comments: [] });
  writer.update('keyword', (refs[3] as RowRef).id, 'bid', 300 + day, 3);
  writer.remove('keyword', (refs[4] as RowRef).id, 4);
  writer.end();
  const revision = Number(store.db.get(`SELECT value FROM counter WHERE name = 'revision'`)?.[0]);
  done(store.applyStaged({ file: stage, label: 'Import', source: 'import', revision }));
}

const aReadCampaign = (id: string): RemoteRow => ({
  kind: 'campaign',
  remoteId: remote(id),
  campaignId: null,
  adGroupId: null,
  values: { name: `Read ${id}` },
});

const newestStep = ({ db }: OwnStore) => ({ step: Number(db.get('SELECT max(id) FROM step')?.[0]) });

// A statement that nobody will ask for again keeps its memory until the collector happens to come by.
test('work that was done before prepares no statement of its own', () => {
  const store = aStore();
  work(store, 1);
  const prepared = vi.spyOn(store.db.raw, 'prepare');
  work(store, 2);
  expect(prepared.mock.calls).toEqual([]);
});
