import { expect, test } from 'vitest';
import { createSyncIndicators } from '../../main/hosts/electron/sync-indicators.ts';
import { createTasks, type Task } from '../../main/service/tasks.ts';
import type { AppEvent } from '../../shared/api/app.ts';
import { asWorkspaceId } from '../../shared/model/scalars.ts';
import { ok } from '../../shared/result.ts';

const acme = asWorkspaceId('acme');
const AN_EXPORT = { workspaceId: acme, name: 'export', canCancel: true } as const;

/** Work that goes on until it has been told of. */
async function longWork(fails = false): Promise<readonly AppEvent[]> {
  const told: AppEvent[] = [];
  const seen = Promise.withResolvers<void>();
  const publish = (event: AppEvent): void => {
    told.push(event);
    seen.resolve();
  };
  const run = async (): Promise<void> => {
    await seen.promise;
    if (fails) throw new Error('the disk is full');
  };
  const done = createTasks(publish, 1).run(AN_EXPORT, run);
  await (fails ? expect(done).rejects.toThrow('the disk is full') : done);
  return told;
}

test('what takes a while is told of, and so is its end, also when it fails', async () => {
  for (const fails of [false, true]) {
    expect(await longWork(fails)).toMatchObject([
      { type: 'task.progress', task: 'export', isOver: false },
      { type: 'task.progress', task: 'export', isOver: true },
    ]);
  }
});

test('what is done at once is not told of', async () => {
  const told: AppEvent[] = [];
  const answer = await createTasks((event) => void told.push(event)).run(AN_EXPORT, async () => 7);
  expect([answer, told]).toEqual([ok(7), []]);
});

test('how much is done is told once it is worth telling, and not before anybody is told at all', async () => {
  const told: AppEvent[] = [];
  const shown = Promise.withResolvers<void>();
  const publish = (event: AppEvent): void => {
    told.push(event);
    shown.resolve();
  };
  const run = async ({ tellShare }: Task): Promise<void> => {
    tellShare(0.2);
    await shown.promise;
    for (const share of [0.201, 0.5, 1.2]) tellShare(share);
  };
  await createTasks(publish, 1).run(AN_EXPORT, run);
  expect(told.map((event) => event.type === 'task.progress' && [event.share, event.isOver])).toEqual([
    [0.2, false],
    [0.5, false],
    [1, false],
    [1, true],
  ]);
});

test('work moves the bar on the program’s symbol: by its share where that is known, and never beyond its end', async () => {
  const bars: (number | null | 'busy')[] = [];
  const signs = createSyncIndicators({
    setBar: (share) => bars.push(share),
    isInFront: () => true,
    note: () => undefined,
  });
  const task = (taskId: string, isOver: boolean, share: number | null = null) =>
    ({
      type: 'task.progress',
      workspaceId: acme,
      taskId,
      task: 'change',
      share,
      rows: null,
      canCancel: true,
      isOver,
    }) as const;
  signs.hear(task('one', false));
  signs.hear(task('one', false, 0.75));
  signs.hear(task('two', false));
  signs.hear(task('one', true));
  signs.hear(task('two', true));
  expect(bars).toEqual(['busy', 0.75, 0.75, 'busy', null]);
  // Work is no reason to hold the program up: a sync is.
  expect(signs.isBusy()).toBe(false);
});
