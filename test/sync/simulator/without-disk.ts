import type { CreateRow } from '../../../main/store/types.ts';
import { runSync } from '../../../main/sync/run.ts';
import { sbaDraft } from '../a-draft.ts';
import { aContext } from './a-context.ts';
import { createModelService } from './model-service.ts';
import { createRealStore } from './real-store.ts';
import { seeded, virtualClock } from './seeded.ts';
import { createSimulatedAccount } from './simulated-account.ts';

const manyKeywords = (): readonly CreateRow[] =>
  Array.from({ length: 600 }, (_, n) => ({
    kind: 'keyword',
    parent: { at: 1 },
    values: { text: `kitchen roll of the kind ${n}`, matchType: 'exact', bid: 185, state: 'enabled' },
  }));

/**
 * A sync on a disk that has no room left: the first intents still fit into what the database has, the next do not.
 *
 * @returns what stopped it, and how many requests left without an intent on the disk
 */
export async function playWithoutDisk(): Promise<{ readonly failure: string; readonly unwritten: number }> {
  const clock = virtualClock();
  const random = seeded(1);
  const service = createModelService(random, clock);
  const store = createRealStore();
  const account = createSimulatedAccount(service, clock, store, random);
  store.setNow(clock.nowMs());
  store.apply({ label: 'draft', source: 'user', creates: [...sbaDraft(null), ...manyKeywords()] });
  const ctx = aContext(await account.process(null).own());
  const pages = store.db.get('PRAGMA page_count')?.[0];
  store.db.exec(`PRAGMA max_page_count = ${Number(pages)}`);
  let failure = '';
  try {
    await runSync(ctx);
  } catch (thrown) {
    failure = thrown instanceof Error ? thrown.message : String(thrown);
  }
  const written = store.db.get('SELECT count(*) FROM outbox_batch')?.[0];
  store.db.close();
  return { failure, unwritten: service.arrived.length - Number(written) };
}
