import { expect, test, vi } from 'vitest';
import { compareMoments } from '../../main/workspace/history/compare.ts';
import { readLog } from '../../main/workspace/history/read-log.ts';
import type { OwnStore } from '../../main/workspace/writer/create-store.ts';
import type { RowRef } from '../../shared/contract/scalars.ts';
import { aStore, createAll } from './a-store.ts';
import { aSmallCampaign, done } from './a-workspace.ts';

const NOT_FILTERED = { stepId: null, ref: null, campaignId: null };

/** What somebody does in a day, on rows of its own each time, so that every id and step is another one. */
function work(store: OwnStore): void {
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
}

const newestStep = ({ db }: OwnStore) => ({ step: Number(db.get('SELECT max(id) FROM step')?.[0]) });

// A statement that nobody will ask for again keeps its memory until the collector happens to come by.
test('work that was done before prepares no statement of its own', () => {
  const store = aStore();
  work(store);
  const prepared = vi.spyOn(store.db.raw, 'prepare');
  work(store);
  expect(prepared.mock.calls).toEqual([]);
});
