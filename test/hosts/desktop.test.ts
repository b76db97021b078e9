import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CLOSE_MS, createShutdown } from '../../main/hosts/electron/lifecycle.ts';
import { linkInWords } from '../../main/hosts/electron/open-requests.ts';
import { batchNotifications, createSyncIndicators, isQuietHour } from '../../main/hosts/electron/sync-indicators.ts';
import { createWindowBounds } from '../../main/hosts/electron/window-settings.ts';
import { createTasks, type Task } from '../../main/service/tasks.ts';
import type { AppEvent } from '../../shared/api/app.ts';
import { accountOfLink, printDeepLink, readDeepLink } from '../../shared/model/deep-link.ts';
import { asWorkspaceId } from '../../shared/model/scalars.ts';
import { ok } from '../../shared/result.ts';
import { testFolder } from '../folder.ts';

/** What the desktop app decides beside its windows, without the runtime. */
describe('a link into the program', () => {
  test('names an account, a kind and a row', () => {
    expect(readDeepLink('adslate://open/acme-1a2b/keyword/42')).toEqual({
      workspaceId: 'acme-1a2b',
      kind: 'keyword',
      id: 42,
    });
  });

  const GOOD = 'adslate://open/acme/campaign/1';
  test.each<readonly string[]>([
    [],
    [''],
    ['adslate:'],
    ['adslate://'],
    ['adslate://open'],
    ['adslate://open/acme/campaign'],
    ['adslate://open/acme/campaign/'],
    ['adslate://open/acme/campaign/0'],
    ['adslate://open/acme/campaign/-1'],
    ['adslate://open/acme/campaign/01'],
    ['adslate://open/acme/campaign/1e9'],
    ['adslate://open/acme/campaign/9999999999999999'],
    ['adslate://open/acme/campaign/1/'],
    ['adslate://open/acme/campaign/1?sync=1'],
    ['adslate://open/acme/campaign/1?'],
    ['adslate://open/acme/campaign/1?id=0'],
    ['adslate://open/acme/campaign/1?find=a&id=1'],
    ['adslate://open/acme/campaign/1&id=1'],
    ['adslate://open/acme/campaign/1?id=1?find=a'],
    ['adslate://open/acme/campaign/1?find=a%0Ab'],
    ['adslate://open/acme/campaign/1?find=%FF'],
    ['adslate://open/acme/campaign/1?find=a b'],
    ['adslate://open/acme/campaign/1?find=a&sync=1'],
    ['adslate://open/acme/campaign/1/password'],
    ['adslate://open/acme/campaign/1#x'],
    ['adslate://open/acme/campaign/1 --inspect'],
    ['adslate://open/acme/campaign/1\n--inspect'],
    ['adslate://open/acme/campaign/1\u0000'],
    ['adslate://open/acme/passwords/1'],
    ['adslate://open/acme/__proto__/1'],
    ['adslate://open/acme/constructor/1'],
    ['adslate://open/../campaign/1'],
    ['adslate://open/%2e%2e/campaign/1'],
    ['adslate://open/ACME/campaign/1'],
    ['adslate://open/-acme/campaign/1'],
    [`adslate://open/${'a'.repeat(65)}/campaign/1`],
    [`adslate://open/acme/campaign/${'1'.repeat(64 * 1024)}`],
    ['adslate://sync/acme/campaign/1'],
    ['adslate://import/C:/plan.csv/1'],
    ['adslate://user@open/acme/campaign/1'],
    ['adslate://open:80/acme/campaign/1'],
    ['adslate-app://open/acme/campaign/1'],
    ['ADSLATE://open/acme/campaign/1'],
    [' adslate://open/acme/campaign/1'],
    ['https://open/acme/campaign/1'],
    ['file:///etc/passwd'],
    ['javascript:alert(1)'],
    ['--gpu-launcher=calc.exe'],
    [GOOD, '--inspect=9229'],
    [GOOD, '--no-sandbox', '--renderer-cmd-prefix=calc.exe'],
    [GOOD, 'https://evil.test'],
    ['adslate://open/аcme/campaign/1'],
  ])('the words %j lead nowhere', (...words) => {
    expect(linkInWords(words)).toBeNull();
  });

  test('is read back as it was made, whatever the name of its row', () => {
    const link = { workspaceId: 'acme', kind: 'keyword', id: 7, field: 'bid' } as const;
    const far = { ...link, advertiserId: '900001', remoteId: '77' };
    const base = 'http://127.0.0.1:4100/#';
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (find) => {
        const text = printDeepLink({ ...far, find });
        expect(text.length).toBeLessThanOrEqual(512);
        const { find: read = '', ...rest } = readDeepLink(text) ?? { find: 'not read' };
        expect(rest).toEqual(far);
        expect(find.replaceAll(/\s/g, ' ').replaceAll(/ /g, '')).toContain(read.replaceAll(' ', '').slice(0, 1));
        expect(readDeepLink(printDeepLink({ ...far, find }, base), base)).toEqual(readDeepLink(text));
      }),
    );
    expect(printDeepLink(link)).toBe('adslate://open/acme/keyword/7/bid');
    expect(readDeepLink(printDeepLink(link))).toEqual(link);
    expect(readDeepLink(printDeepLink({ ...far, find: 'a & "b"' }))).toEqual({ ...far, find: 'a & "b"' });
  });

  test('means the account of its number, or the only one of its advertiser', () => {
    const accounts = [
      { workspaceId: 'acme', advertiserId: '1' },
      { workspaceId: 'other', advertiserId: '2' },
      { workspaceId: 'twin-a', advertiserId: '3' },
      { workspaceId: 'twin-b', advertiserId: '3' },
    ];
    const link = { kind: 'keyword', id: 7 } as const;
    expect(accountOfLink({ ...link, workspaceId: 'acme' }, accounts)).toBe('acme');
    expect(accountOfLink({ ...link, workspaceId: 'acme', advertiserId: '2' }, accounts)).toBe('other');
    expect(accountOfLink({ ...link, workspaceId: 'gone', advertiserId: '3' }, accounts)).toBeNull();
    expect(accountOfLink({ ...link, workspaceId: 'gone' }, accounts)).toBeNull();
  });

  test('what stands before the last word changes nothing', () => {
    expect(linkInWords(['adslate', '--inspect', '--', GOOD])).toEqual({ workspaceId: 'acme', kind: 'campaign', id: 1 });
  });
});

describe('the place of the window', () => {
  const folder = testFolder('place');
  const places = createWindowBounds(folder, () => {});
  const desk = { x: 0, y: 0, width: 1920, height: 1080 };
  const place = { x: 100, y: 50, width: 1200, height: 800, maximized: false };

  test('is where it was, as long as a display is there', () => {
    expect(places.read([desk])).toBeNull();
    places.write(place, [desk]);
    expect(places.read([desk])).toEqual(place);
    expect(places.read([{ ...desk, x: 1920 }]), 'the display was taken away').toBeNull();
    places.write({ ...place, x: 1900 }, [desk]);
    expect(places.read([desk]), 'too little to take hold of').toBeNull();
    places.write({ ...place, y: -200 }, [desk]);
    expect(places.read([desk]), 'its title is above the display').toBeNull();
  });

  test('is not kept when a window manager made the window smaller than a place can be, and closing goes on', () => {
    places.write(place, [desk]);
    places.write({ ...place, width: 320, height: 240 }, [desk]);
    expect(places.read([desk])).toEqual(place);
  });

  test('is another one for each arrangement of displays, and the last one in a new arrangement', () => {
    const beside = { ...desk, x: 1920 };
    const left = { ...place, x: 40 };
    const right = { ...place, x: 2000, maximized: true };
    places.write(left, [desk]);
    places.write(right, [desk, beside]);
    expect(places.read([desk])).toEqual(left);
    expect(places.read([beside, desk]), 'in whatever order they are listed').toEqual(right);
    expect(places.read([desk, beside, { ...desk, y: 1080 }])).toEqual(right);
    expect(places.read([{ ...desk, width: 1280 }]), 'the last one is on no display').toBeNull();
    for (let at = 0; at < 30; at++) places.write(left, [{ ...desk, height: 1000 + at }]);
    expect(places.read([desk, beside]), 'forgotten: the last one is here').toEqual(left);
  });

  test.each(['', '{', '{"x":1}', '{"x":0,"y":0,"width":1e9,"height":800,"maximized":false}', 'null', '[]'])(
    'a file that holds %j counts as none',
    (text) => {
      writeFileSync(join(folder, 'window-places.json'), text);
      expect(places.read([desk])).toBeNull();
    },
  );
});

describe('a sync, seen from outside the window', () => {
  const progress = (changes: Partial<Extract<AppEvent, { type: 'sync.progress' }>>): AppEvent => ({
    type: 'sync.progress',
    workspaceId: asWorkspaceId('acme'),
    runId: 'one',
    phase: 'sending',
    batchesDone: 0,
    batchesTotal: 4,
    elementsDone: 0,
    elementsRefused: 0,
    elementsInDoubt: 0,
    retryAt: null,
    ...changes,
  });

  test('moves a bar, and leaves a note when it ends while nobody looks', () => {
    const bars: unknown[] = [];
    const notes: string[] = [];
    let isInFront = false;
    const signs = createSyncIndicators({
      setBar: (share) => bars.push(share),
      isInFront: () => isInFront,
      note: (_account, _title, body, place) => notes.push(`${place}: ${body}`),
    });
    signs.hear({ type: 'accounts.changed' });
    signs.hear(progress({ batchesDone: 1 }));
    expect(signs.isBusy()).toBe(true);
    signs.hear(progress({ runId: 'two', batchesDone: 3 }));
    signs.hear(progress({ phase: 'done', elementsDone: 12, elementsRefused: 2, elementsInDoubt: 1 }));
    const decided = { type: 'reviews.decided', workspaceId: asWorkspaceId('acme'), approved: 2, rejected: 1 } as const;
    signs.hear(decided);
    isInFront = true;
    signs.hear(decided);
    signs.hear(progress({ runId: 'two', phase: 'done' }));
    expect(bars).toEqual([0.25, 0.25, 0.75, null]);
    expect(notes).toEqual(['account: 12 sent, 2 failed, 1 unconfirmed.', 'reviews: 2 approved, 1 rejected.']);
    expect(signs.isBusy()).toBe(false);
  });
});

test('while a video travels the bar shows how much of it is there, and a broken upload leaves none behind', () => {
  const bars: unknown[] = [];
  const signs = createSyncIndicators({ setBar: (share) => bars.push(share), isInFront: () => true, note: () => {} });
  const workspaceId = asWorkspaceId('acme');
  const sync = { type: 'sync.progress', workspaceId, runId: 'one', batchesDone: 1, batchesTotal: 4 } as const;
  const counts = { elementsDone: 0, elementsRefused: 0, elementsInDoubt: 0, retryAt: null };
  const upload = (sentBytes: number): void =>
    signs.hear({
      type: 'upload.progress',
      workspaceId,
      mediaId: 7,
      fileName: 'spot.mp4',
      sentBytes,
      totalBytes: 10,
      urlExpiresAt: null,
    });
  signs.hear({ ...sync, ...counts, phase: 'uploading' });
  for (const sent of [5, 10, 2]) upload(sent);
  signs.hear({ ...sync, ...counts, phase: 'done' });
  expect(bars).toEqual([0.25, 0.5, 0.25, 0.2, null]);
});

describe('quitting', () => {
  function aDesk(changes: {
    readonly isBusy?: boolean;
    readonly answer?: boolean;
    readonly closes?: 'well' | 'never' | 'badly';
  }) {
    const told: string[] = [];
    const closing = {
      well: () => Promise.resolve(),
      never: () => new Promise<void>(() => {}),
      badly: () => Promise.reject(new Error('the disk is full')),
    };
    const { mayEnd: wish, leave } = createShutdown({
      isBusy: () => changes.isBusy ?? false,
      ask: async () => {
        told.push('asked');
        return changes.answer ?? false;
      },
      close: closing[changes.closes ?? 'well'],
      sleep: async (delayMs) => {
        for (let step = 0; step < 5; step += 1) await turn();
        told.push(`waited ${delayMs}`);
      },
      end: (problem) => told.push(problem ?? 'gone'),
    });
    const rest = async (): Promise<readonly string[]> => {
      for (let step = 0; step < 12; step += 1) await turn();
      return told.filter((word) => !word.startsWith('waited') || changes.closes === 'never');
    };
    return { wish, leave, rest };
  }

  test('waits for the last commit, however often it is wished for', async () => {
    const desk = aDesk({});
    expect([desk.wish(), desk.wish()]).toEqual([false, false]);
    expect(await desk.rest()).toEqual(['gone']);
    expect(desk.wish()).toBe(true);
  });

  test('asks first while a sync runs, and "keep working" keeps working', async () => {
    const desk = aDesk({ isBusy: true, answer: false });
    desk.wish();
    expect(await desk.rest()).toEqual(['asked']);
    expect(desk.wish()).toBe(false);
    expect(await desk.rest()).toEqual(['asked', 'asked']);
    const leaving = aDesk({ isBusy: true, answer: true });
    leaving.wish();
    expect(await leaving.rest()).toEqual(['asked', 'gone']);
  });

  test('asks nobody when the system ends, and a question that stands is answered by it', async () => {
    const busy = aDesk({ isBusy: true, answer: false });
    busy.leave();
    expect(await busy.rest()).toEqual(['gone']);
    const asked = aDesk({ isBusy: true, answer: false });
    asked.wish();
    asked.leave();
    expect(await asked.rest()).toEqual(['asked', 'gone']);
  });

  test('does not wait for ever, and says what went wrong', async () => {
    const stuck = aDesk({ closes: 'never' });
    stuck.wish();
    expect(await stuck.rest()).toEqual([`waited ${CLOSE_MS}`, 'Closing took longer than 5 s.']);
    const broken = aDesk({ closes: 'badly' });
    broken.wish();
    expect(await broken.rest()).toEqual(['the disk is full']);
  });
});

/** Notes of the system in the desktop app, without the runtime. */
describe('what happened by itself', () => {
  function aDesktop() {
    const shown: string[] = [];
    const due: (() => void)[] = [];
    let quiet = false;
    const note = batchNotifications({
      show: (workspaceId, title, body, place) => void shown.push(`${workspaceId} ${place} ${title}: ${body}`),
      isQuiet: () => quiet,
      later: (_, run) => void due.push(run),
    });
    return {
      signs: createSyncIndicators({ setBar: () => undefined, isInFront: () => false, note }),
      shown,
      pass: () => {
        for (const run of due.splice(0)) run();
      },
      setQuiet: (now: boolean) => {
        quiet = now;
      },
    };
  }
  const acme = asWorkspaceId('acme');
  const ready = { type: 'media.finished', workspaceId: acme, ready: 2, failed: 1 } as const;
  const refused = { type: 'access.refused', workspaceId: acme } as const;
  const report = {
    type: 'report.job',
    workspaceId: acme,
    snapshotId: 'S1',
    state: 'ready',
    at: 0,
    text: 'The report "keyword" is ready.',
    isNews: true,
  } as const;

  test('a ready video, a refused token, a ready report and an alert are told of, each with its place', () => {
    const { signs, shown, pass } = aDesktop();
    signs.hear(ready);
    expect(shown).toEqual([]);
    pass();
    signs.hear(refused);
    pass();
    signs.hear(report);
    signs.hear({ ...report, isNews: false });
    pass();
    const text = '3 campaigns spent $41.20 in 7 settled days without a sale';
    const entry = { at: 0, tone: 'bad', text, place: 'alerts' } as const;
    signs.hear({ type: 'notification.added', workspaceId: acme, entry });
    signs.hear({ type: 'notification.added', workspaceId: acme, entry: { ...entry, place: 'sync' } });
    pass();
    expect(shown).toEqual([
      "acme media Videos: 2 ready, 1 can't be used.",
      'acme access Credentials not accepted: The service no longer accepts the token or the key of this account.',
      'acme reports Reports: 1 ready.',
      `acme alerts Alert: ${text}`,
    ]);
  });

  test('what happens together is one note, which leads to what presses most; another account has its own', () => {
    const { signs, shown, pass } = aDesktop();
    signs.hear(ready);
    signs.hear({ ...ready, workspaceId: asWorkspaceId('other') });
    signs.hear({ type: 'reviews.decided', workspaceId: acme, approved: 0, rejected: 1 });
    pass();
    expect(shown).toEqual([
      "acme reviews 2 notifications: Videos: 2 ready, 1 can't be used.\nReview results: 1 rejected.",
      "other media Videos: 2 ready, 1 can't be used.",
    ]);
  });

  test('nothing pops up in quiet hours, and what follows them does', () => {
    const { signs, shown, pass, setQuiet } = aDesktop();
    setQuiet(true);
    signs.hear(ready);
    pass();
    expect(shown).toEqual([]);
    setQuiet(false);
    signs.hear(refused);
    pass();
    expect(shown).toHaveLength(1);
  });

  test('quiet hours go by the clock on the wall', () => {
    const night = { from: '20:00', to: '07:00' };
    expect(isQuietHour(night, new Date(2030, 0, 1, 23, 30))).toBe(true);
    expect(isQuietHour(night, new Date(2030, 0, 1, 12))).toBe(false);
    expect(isQuietHour(null, new Date(2030, 0, 1, 23, 30))).toBe(false);
  });
});

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
