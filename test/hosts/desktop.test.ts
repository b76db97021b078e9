import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { CLOSE_MS, createShutdown } from '../../main/hosts/electron/lifecycle.ts';
import { linkInWords, readDeepLink } from '../../main/hosts/electron/open-requests.ts';
import { createSyncIndicators } from '../../main/hosts/electron/sync-indicators.ts';
import { createWindowBounds } from '../../main/hosts/electron/window-settings.ts';
import type { AppEvent } from '../../shared/api/app.ts';
import { asWorkspaceId } from '../../shared/model/scalars.ts';

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

  test('what stands before the last word changes nothing', () => {
    expect(linkInWords(['adslate', '--inspect', '--', GOOD])).toEqual({ workspaceId: 'acme', kind: 'campaign', id: 1 });
  });
});

describe('the place of the window', () => {
  const folder = mkdtempSync(join(tmpdir(), 'adslate-place-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const places = createWindowBounds(folder, () => {});
  const desk = { x: 0, y: 0, width: 1920, height: 1080 };
  const place = { x: 100, y: 50, width: 1200, height: 800, maximized: false };

  test('is where it was, as long as a display is there', () => {
    expect(places.read([desk])).toBeNull();
    places.write(place);
    expect(places.read([desk])).toEqual(place);
    expect(places.read([{ ...desk, x: 1920 }]), 'the display was taken away').toBeNull();
    places.write({ ...place, x: 1900 });
    expect(places.read([desk]), 'too little to take hold of').toBeNull();
    places.write({ ...place, y: -200 });
    expect(places.read([desk]), 'its title is above the display').toBeNull();
  });

  test.each(['', '{', '{"x":1}', '{"x":0,"y":0,"width":1e9,"height":800,"maximized":false}', 'null', '[]'])(
    'a file that holds %j counts as none',
    (text) => {
      writeFileSync(join(folder, 'window.json'), text);
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
    expect(notes).toEqual(['account: 12 done, 2 refused, 1 without an answer.', 'reviews: 2 approved, 1 rejected.']);
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
