import { EventEmitter } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type ArrivalPorts,
  fileFromArguments,
  fromArguments,
  handleOpenRequest,
  isAdslateFile,
  listenForOpenRequests,
  type OpenRequest,
} from '../../main/hosts/electron/open-requests.ts';
import type { AppEvent } from '../../shared/api/app.ts';
import { testFolder } from '../folder.ts';
import { aWebHost, type WebHost } from './a-web-host.ts';

/** Links, double-clicked files and second starts: what the desktop app makes of them, without the runtime. */
const folder = testFolder('open-requests');
let host: WebHost;
beforeAll(async () => {
  host = await aWebHost();
  return () => host.close();
});

describe('a file among the words of a start', () => {
  test.each([
    ['spring.adslate', resolve('/desk', 'spring.adslate')],
    ['../spring.adslate-changes', resolve('/spring.adslate-changes')],
    ['/home/a b/Été.ADSLATE', '/home/a b/Été.ADSLATE'],
  ])('%s is %s', (word, path) => {
    expect(fileFromArguments(['adslate', word], '/desk')).toBe(path);
  });

  test.each<readonly string[]>([
    [],
    [''],
    ['.adslate'],
    ['/desk/.adslate-changes'],
    ['spring.csv'],
    ['spring.adslate.exe'],
    ['spring.adslate/'],
    ['spring.adslate\0.exe'],
    ['--config=spring.adslate'],
    ['-r.adslate'],
    ['file:///etc/spring.adslate'],
    ['https://evil.test/spring.adslate'],
    ['adslate://open/spring.adslate'],
    ['spring.adslate', '--inspect=9229'],
    ['spring.adslate', '--no-sandbox'],
    [`${'a'.repeat(40_000)}.adslate`],
  ])('the words %j name none', (...words) => {
    expect(fileFromArguments(words, '/desk')).toBeNull();
  });

  test('macOS hands over paths, of which the same is asked', () => {
    expect([isAdslateFile('/a/b.adslate'), isAdslateFile('/a/b.key'), isAdslateFile('/a/.adslate')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('a link wins nothing from a file before it, and a file nothing from a link', () => {
    expect(fromArguments(['x.adslate', 'adslate://open/acme/campaign/1'], '/').kind).toBe('link');
    expect(fromArguments(['adslate://open/acme/campaign/1', 'x.adslate'], '/').kind).toBe('file');
    expect(fromArguments(['adslate://open/acme/campaign/1', '--headless'], '/').kind).toBe('nothing');
  });
});

describe('what arrives', () => {
  function aDesk() {
    const told: (readonly [AppEvent, number])[] = [];
    const shown: (string | null)[] = [];
    const remembered: string[] = [];
    const unreadable: string[] = [];
    const begun: unknown[] = [];
    const ports: ArrivalPorts = {
      windows: {
        show: async (workspaceId) => {
          shown.push(workspaceId);
          return workspaceId === null ? 1 : 2;
        },
      },
      accountOf: async ({ workspaceId }) => (workspaceId === 'acme' ? workspaceId : null),
      grants: host.core.grants,
      tell: (event, page) => void told.push([event, page]),
      begin: (task, page) => void begun.push([task, page]),
      remember: (path) => void remembered.push(path),
      unreadable: async (fileName) => void unreadable.push(fileName),
      log: () => {},
    };
    return { ports, told, shown, remembered, unreadable, begun };
  }

  test('a link shows its row in the window of its account', async () => {
    const desk = aDesk();
    await handleOpenRequest({ kind: 'link', link: { workspaceId: 'acme', kind: 'keyword', id: 7 } }, desk.ports);
    expect(desk.shown).toEqual(['acme']);
    expect(desk.told).toEqual([[{ type: 'open.row', workspaceId: 'acme', kind: 'keyword', id: 7 }, 2]]);
  });

  test('a link into an account that is not here only brings the window to the front', async () => {
    const desk = aDesk();
    await handleOpenRequest({ kind: 'link', link: { workspaceId: 'other', kind: 'keyword', id: 7 } }, desk.ports);
    expect([desk.shown, desk.told]).toEqual([[null], []]);
  });

  test('a file becomes a grant for the page in front, and is offered again by the system', async () => {
    const desk = aDesk();
    const path = join(folder, 'spring.adslate');
    writeFileSync(path, 'PK');
    await handleOpenRequest({ kind: 'file', path }, desk.ports);
    const grant = expect.stringMatching(/^[a-f0-9]{32}$/);
    expect(desk.told).toEqual([[{ type: 'open.file', grant, fileName: 'spring.adslate', bytes: 2 }, 1]]);
    expect(desk.remembered).toEqual([path]);
    expect(JSON.stringify(desk.told)).not.toContain(folder);
  });

  test('a task opens its form in the window in front, and that is all', async () => {
    const desk = aDesk();
    await handleOpenRequest(fromArguments(['adslate', '--task=campaign.new-video'], '/'), desk.ports);
    expect([desk.shown, desk.begun, desk.told]).toEqual([[null], [['campaign.new-video', 1]], []]);
    expect(fromArguments(['adslate', '--task=sync.run'], '/').kind).toBe('nothing');
  });

  test('a folder of that name and a file that is gone are said to be unreadable, and nothing else happens', async () => {
    const desk = aDesk();
    mkdirSync(join(folder, 'folder.adslate'));
    await handleOpenRequest({ kind: 'file', path: join(folder, 'folder.adslate') }, desk.ports);
    await handleOpenRequest({ kind: 'file', path: join(folder, 'gone.adslate') }, desk.ports);
    expect(desk.unreadable).toEqual(['folder.adslate', 'gone.adslate']);
    expect([desk.told, desk.remembered]).toEqual([[], []]);
  });

  test('what the system says before there is a window waits for it, in order', async () => {
    const app = new EventEmitter();
    const listen = listenForOpenRequests(app);
    const prevented: string[] = [];
    const event = { preventDefault: () => prevented.push('kept') };
    app.emit('open-file', event, '/a/spring.adslate');
    app.emit('open-file', event, '/a/id_rsa');
    app.emit('open-url', event, 'adslate://open/acme/campaign/3');
    app.emit('second-instance', {}, ['adslate', 'x.adslate-changes'], '/b');
    const arrived: OpenRequest[] = [];
    listen((arrival) => void arrived.push(arrival));
    app.emit('activate');
    await turn();
    expect(arrived).toEqual([
      { kind: 'file', path: '/a/spring.adslate' },
      { kind: 'nothing' },
      { kind: 'link', link: { workspaceId: 'acme', kind: 'campaign', id: 3 } },
      { kind: 'file', path: resolve('/b/x.adslate-changes') },
      { kind: 'nothing' },
    ]);
    expect(prevented).toHaveLength(3);
  });
});

describe('an event for one page', () => {
  const opened = (id: number): AppEvent => ({ type: 'open.file', grant: 'a'.repeat(32), fileName: 'a', bytes: id });
  const next = async (events: AsyncGenerator<AppEvent>): Promise<unknown> => (await events.next()).value;

  test('reaches that page alone, between those for everybody', async () => {
    const { events } = host.core;
    const ends = new AbortController();
    const [one, two] = [events.subscribe(ends.signal, 1), events.subscribe(ends.signal, 2)];
    events.publish(opened(2), 2);
    events.publish({ type: 'accounts.changed' });
    expect(await next(one)).toEqual({ type: 'accounts.changed' });
    expect([await next(two), await next(two)]).toEqual([opened(2), { type: 'accounts.changed' }]);
    ends.abort();
  });

  test('waits for a page that is still loading, or is loading again, and is told once', async () => {
    const { events } = host.core;
    events.publish(opened(1), 9);
    const first = new AbortController();
    const loaded = events.subscribe(first.signal, 9);
    expect(await next(loaded)).toEqual(opened(1));
    first.abort();
    events.publish(opened(2), 9);
    const second = new AbortController();
    const again = events.subscribe(second.signal, 9);
    events.publish({ type: 'accounts.changed' });
    expect([await next(again), await next(again)]).toEqual([opened(2), { type: 'accounts.changed' }]);
    second.abort();
  });

  test('a page that never comes keeps no more than a few', async () => {
    const { events } = host.core;
    for (let at = 0; at < 100; at += 1) events.publish(opened(at), 11);
    const ends = new AbortController();
    const late = events.subscribe(ends.signal, 11);
    expect(await next(late)).toEqual(opened(84));
    ends.abort();
  });
});
