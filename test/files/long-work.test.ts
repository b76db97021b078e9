import { copyFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { LongTask } from '../../main/app/long-task.ts';
import { THREADS } from '../../main/core/core-options.ts';
import { createTasks } from '../../main/service/tasks.ts';
import { asWorkspaceId } from '../../shared/model/scalars.ts';
import { testFolder } from '../folder.ts';
import { anExchange, type TestExchange } from './an-exchange.ts';

/** How far files in and out are, and that they can be ended. */
const folder = testFolder('long');
let shop: TestExchange;
beforeAll(async () => {
  shop = await anExchange(join(folder, 'shop'), THREADS);
  return () => shop.close();
});

/** Work of which every share is kept; `stopAt` ends it with the first share that is no less. */
function watched(stopAt = 2): LongTask & { readonly shares: number[] } {
  const stop = new AbortController();
  const shares: number[] = [];
  const tellShare = (done: number): void => {
    shares.push(done);
    if (done >= stopAt) stop.abort();
  };
  return { shares, tellShare, signal: stop.signal };
}
const expectRising = (shares: readonly number[]): void => {
  expect(shares.length).toBeGreaterThan(5);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...shares)).toBeLessThanOrEqual(1);
};

const HEAD = 'Type,Campaign,Ad group,Campaign type,Targeting,Daily budget,Keyword,Match type,Bid';
/** More than are kept between two looks at a file, so that it is read once more. */
const READ_TWICE = 20_500;
function sheet(name: string, campaign: string, { isLate = false, rows = READ_TWICE } = {}): string {
  const parents = [`campaign,${campaign},,sponsoredProducts,manual,50.00,,,`, `ad group,${campaign},Main,,,,,,`];
  const keywords = Array.from({ length: rows }, (_, at) => `keyword,${campaign},Main,,,,pot ${at},exact,1.00`);
  const path = join(folder, name);
  writeFileSync(path, [HEAD, ...(isLate ? [...keywords, ...parents] : [...parents, ...keywords])].join('\n'));
  return path;
}
const names = async () => (await shop.account.workspace.readTrees('all')).map(({ campaign }) => campaign.values.name);

describe('how far it is', () => {
  // Parents that come last are the harder case: the sheet is read twice.
  test('is told while a sheet is read and applied, also when its parents come last', async () => {
    const reading = watched();
    const { previewId } = await shop.preview(
      await shop.grant(sheet('told.csv', 'Told', { isLate: true })),
      undefined,
      reading,
    );
    expectRising(reading.shares);
    const applying = watched();
    await shop.apply(previewId, {}, applying);
    expectRising(applying.shares);
  });

  test('is told while an archive with media is written and read', async () => {
    copyFileSync(resolve('examples/media/kitchen-roll-spot.mp4'), join(folder, 'spot.mp4'));
    await shop.addMedia(join(folder, 'spot.mp4'));
    const target = join(folder, 'told.adslate');
    const writing = watched();
    await shop.archive('archive', target, writing);
    expectRising(writing.shares);
    const reading = watched();
    const { previewId } = await shop.preview(await shop.grant(target), undefined, reading);
    expectRising(reading.shares);
    await shop.dismiss(previewId);
  });
});

const ENDED = { name: 'AbortError' };

describe('ended on the way', () => {
  test('a preview leaves nothing behind, and the file can be previewed again', async () => {
    const file = await shop.grant(sheet('read.csv', 'Read', { rows: 10_000 }));
    const work = watched(0.3);
    await expect(shop.preview(file, undefined, work)).rejects.toMatchObject(ENDED);
    const { added, previewId } = await shop.preview(file);
    expect(added).toBe(10_002);
    await shop.dismiss(previewId);
    const left = readdirSync(join(shop.account.folder, 'imports'), { recursive: true });
    expect(left).toEqual([]);
  });

  test('fault L5: an import has changed no row and left no file, and its preview is gone', async () => {
    const before = await names();
    const { previewId } = await shop.preview(await shop.grant(sheet('apply.csv', 'Apply')));
    const work = watched(0.5);
    await expect(shop.apply(previewId, {}, work)).rejects.toMatchObject(ENDED);
    expect(await names()).toEqual(before);
    expect(readdirSync(join(shop.account.folder, 'imports'), { recursive: true })).toEqual([]);
    await expect(shop.rows(previewId, 'all', 0, 1)).rejects.toThrow('there is no such preview');
  });

  test('an export leaves no file, be it a sheet or an archive', async () => {
    for (const format of ['csv', 'archive'] as const) {
      const target = join(folder, `ended.${format}`);
      const work = watched(format === 'csv' ? 0.1 : 0.6);
      const written =
        format === 'csv' ? shop.export({ target, format, view: null }, work) : shop.archive('archive', target, work);
      await expect(written).rejects.toMatchObject(ENDED);
      expect([existsSync(target), existsSync(`${target}.rows`)]).toEqual([false, false]);
    }
  });
});

test('work is ended by its id while it goes on, and no other work is', async () => {
  const tasks = createTasks(() => undefined);
  const workspaceId = asWorkspaceId('acme');
  const begun = Promise.withResolvers<void>();
  const untilStopped = ({ signal }: LongTask): Promise<never> => {
    begun.resolve();
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const stopped = tasks.run({ id: 'one', workspaceId, name: 'import', canCancel: true }, untilStopped);
  const finished = tasks.run({ id: 'two', workspaceId, name: 'export', canCancel: true }, async () => 7);
  await begun.promise;
  expect(tasks.cancel('three')).toBe(false);
  expect(tasks.cancel('one')).toBe(true);
  expect(await stopped).toEqual({ ok: false, error: { code: 'CANCELLED', data: {} } });
  expect(await finished).toEqual({ ok: true, value: 7 });
  expect(tasks.cancel('one')).toBe(false);
});

test('a failure of work that was ended is not taken for its end', async () => {
  const tasks = createTasks(() => undefined);
  const failing = tasks.run(
    { id: 'one', workspaceId: asWorkspaceId('acme'), name: 'export', canCancel: true },
    async () => {
      tasks.cancel('one');
      throw new Error('the disk is full');
    },
  );
  await expect(failing).rejects.toThrow('the disk is full');
});
