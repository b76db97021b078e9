import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openDb } from '../../main/store/db/open-db.ts';
import { createGroupCommit } from '../../main/store/worker/writer.ts';
import { runs } from '../share.ts';
import { aStore } from './a-store.ts';

/** A store, the group before it, and how many commits it has made. */
function aGroup() {
  const store = aStore();
  const commits = { count: 0 };
  const tx = <T>(work: () => T): T => {
    const value = store.tx(work);
    commits.count++;
    return value;
  };
  const group = createGroupCommit(tx);
  const write = (key: string, fails = false, isUrgent = false): Promise<unknown> =>
    group.ask(() => {
      store.setMeta(key, 'written');
      if (fails) throw new Error(`${key} is broken`);
      return key;
    }, isUrgent);
  return { store, group, commits, write };
}

test('calls that come at once are each answered and share a commit, a few at a time', async () => {
  const { store, commits, write } = aGroup();
  const keys = Array.from({ length: 8 }, (_, n) => `key ${n}`);
  expect(await Promise.all(keys.map((key) => write(key)))).toEqual(keys);
  expect(keys.map((key) => store.getMeta(key))).toEqual(keys.map(() => 'written'));
  expect(commits.count).toBe(2);
});

test('what is urgent goes before what waits, in the order in which it came', async () => {
  const { write } = aGroup();
  const order: unknown[] = [];
  const asked = ['a', 'b', 'c', 'd', 'e', 'F', 'G'].map((key) => write(key, false, key < 'a'));
  await Promise.all(asked.map((one) => one.then((key) => order.push(key))));
  expect(order).toEqual(['F', 'G', 'a', 'b', 'c', 'd', 'e']);
});

test('what is answered is on the disk: another connection sees it', async () => {
  const { store, write } = aGroup();
  const file = String(store.db.get('PRAGMA database_list')?.[2]);
  const other = openDb(file, { readOnly: true });
  try {
    for (const key of ['one', 'two', 'three']) {
      const answered = Promise.all([write(key), write(`${key} more`)]);
      await answered;
      expect(other.all('SELECT key FROM meta WHERE key LIKE ? ORDER BY key', `${key}%`)).toEqual([
        [key],
        [`${key} more`],
      ]);
    }
  } finally {
    other.close();
  }
});

test('a call that fails leaves nothing behind and takes nobody with it, whichever they are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }), async (fails) => {
      const { store, write } = aGroup();
      const ended = await Promise.allSettled(fails.map((isBroken, n) => write(`key ${n}`, isBroken)));
      const wanted = fails.map((isBroken) => (isBroken ? ['rejected', null] : ['fulfilled', 'written']));
      expect(ended.map(({ status }, n) => [status, store.getMeta(`key ${n}`)])).toEqual(wanted);
      store.db.close();
    }),
    { numRuns: runs(25, 10) },
  );
});

test('what still waits when the store is closed is committed first', async () => {
  const { store, group, write } = aGroup();
  const all = [write('one'), write('two')];
  group.finish();
  expect(store.getMeta('two')).toBe('written');
  await Promise.all(all);
});
