import { expect, test } from 'vitest';
import { syncSigns } from '../../main/host/electron/sync-signs.ts';
import { showingWork } from '../../main/router/showing-work.ts';
import type { AppEvent } from '../../shared/contract/app.ts';
import { asWorkspaceId } from '../../shared/model/scalars.ts';

const acme = asWorkspaceId('acme');

/** Work that goes on until it has been told of. */
async function longWork(fails = false): Promise<readonly AppEvent[]> {
  const told: AppEvent[] = [];
  const seen = Promise.withResolvers<void>();
  const events = {
    publish: (event: AppEvent) => {
      told.push(event);
      seen.resolve();
    },
  };
  const run = async (): Promise<void> => {
    await seen.promise;
    if (fails) throw new Error('the disk is full');
  };
  const done = showingWork(events, acme, 'export', run, { afterMs: 1 });
  await (fails ? expect(done).rejects.toThrow('the disk is full') : done);
  return told;
}

test('what takes a while is told of, and so is its end, also when it fails', async () => {
  for (const fails of [false, true]) {
    expect(await longWork(fails)).toMatchObject([
      { type: 'work.progress', what: 'export', isOver: false },
      { type: 'work.progress', what: 'export', isOver: true },
    ]);
  }
});

test('what is done at once is not told of', async () => {
  const told: AppEvent[] = [];
  const answer = await showingWork({ publish: (event) => void told.push(event) }, acme, 'import', async () => 7);
  expect([answer, told]).toEqual([7, []]);
});

test('how much is done is told once it is worth telling, and not before anybody is told at all', async () => {
  const told: AppEvent[] = [];
  const shown = Promise.withResolvers<void>();
  const publish = (event: AppEvent): void => {
    told.push(event);
    shown.resolve();
  };
  const run = async (tellShare: (share: number) => void): Promise<void> => {
    tellShare(0.2);
    await shown.promise;
    for (const share of [0.201, 0.5, 1.2]) tellShare(share);
  };
  await showingWork({ publish }, acme, 'export', run, { afterMs: 1 });
  expect(told.map((event) => event.type === 'work.progress' && [event.share, event.isOver])).toEqual([
    [0.2, false],
    [0.5, false],
    [1, false],
    [1, true],
  ]);
});

test('work moves the bar on the program’s symbol: by its share where that is known, and never beyond its end', async () => {
  const bars: (number | null | 'busy')[] = [];
  const signs = syncSigns({ setBar: (share) => bars.push(share), isInFront: () => true, note: () => undefined });
  const work = (workId: string, isOver: boolean) =>
    ({
      type: 'work.progress',
      workspaceId: acme,
      workId,
      what: 'change',
      share: null,
      canStop: false,
      isOver,
    }) as const;
  signs.hear(work('one', false));
  signs.hear({ type: 'bulk.progress', workspaceId: acme, jobId: 'j', done: 3, total: 4 });
  signs.hear(work('two', false));
  signs.hear(work('one', true));
  signs.hear(work('two', true));
  // A share that comes late belongs to nothing that goes on.
  signs.hear({ type: 'bulk.progress', workspaceId: acme, jobId: 'j', done: 4, total: 4 });
  expect(bars).toEqual(['busy', 0.75, 0.75, 0.75, null]);
  // Work is no reason to hold the program up: a sync is.
  expect(signs.isBusy()).toBe(false);
});
