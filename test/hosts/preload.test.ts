import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';

/** The built preload, run as the sandboxed renderer runs it: one file, one module to ask for, a page beside it. */
const BUILT = readFileSync(join(import.meta.dirname, '..', '..', 'out', 'preload', 'preload.cjs'), 'utf8');
const ORIGIN = 'adslate-app://ui';

type Doors = Record<string, Record<string, (word: unknown) => unknown>>;

function aPreload() {
  const asked: string[] = [];
  const sent: (readonly unknown[])[] = [];
  const posted: (readonly unknown[])[] = [];
  const doors: Doors = {};
  const page = new EventEmitter();
  const window = {
    addEventListener: (event: string, listener: (event: object) => void) => page.on(event, listener),
    postMessage: (...words: readonly unknown[]) => posted.push(words),
    location: { origin: ORIGIN },
  };
  const ipcRenderer = Object.assign(new EventEmitter(), {
    send: (...words: readonly unknown[]) => void sent.push(words),
    invoke: async (...words: readonly unknown[]) => {
      sent.push(words);
      if (words[1] === '/refused.csv') throw new Error('Error invoking remote method: /home/me/refused.csv');
      return { grant: 'a'.repeat(32), fileName: 'plan.csv', bytes: 5 };
    },
  });
  const electron = {
    ipcRenderer,
    contextBridge: { exposeInMainWorld: (name: string, door: Doors[string]) => Object.assign(doors, { [name]: door }) },
    webUtils: { getPathForFile: ({ path }: { readonly path: string }) => path },
  };
  const require = (name: string): object => {
    asked.push(name);
    return electron;
  };
  runInContext(BUILT, createContext({ require, window, exports: {}, module: { exports: {} } }));
  return { asked, sent, posted, doors, window, page, ipcRenderer };
}

test('it asks for nothing but Electron, and hands the page functions alone', () => {
  const { asked, doors } = aPreload();
  expect(new Set(asked)).toEqual(new Set(['electron']));
  const shapes = Object.entries(doors).map(([name, door]) => [name, Object.keys(door).sort()]);
  expect(shapes).toEqual([
    ['adslateFiles', ['drag', 'grant', 'lift']],
    ['adslateMenu', ['show']],
  ]);
  expect(Object.values(doors).flatMap((door) => Object.values(door).map((each) => typeof each))).toEqual(
    Array.from({ length: 4 }, () => 'function'),
  );
});

test('a file that a script has made asks main for nothing', async () => {
  const { doors, sent } = aPreload();
  expect(await doors['adslateFiles']?.['grant']?.({ path: '' })).toEqual({ error: 'no-path' });
  expect(sent).toEqual([]);
});

test('a file that was dropped becomes a handle; why one does not is not for the page', async () => {
  const { doors, sent } = aPreload();
  const grant = doors['adslateFiles']?.['grant'];
  expect(await grant?.({ path: '/plan.csv' })).toEqual({ grant: 'a'.repeat(32), fileName: 'plan.csv', bytes: 5 });
  expect(sent).toEqual([['adslate:grant', '/plan.csv']]);
  expect(await grant?.({ path: '/refused.csv' })).toEqual({ error: 'refused' });
});

test('the port is asked for by the page itself, and by no frame or opener beside it', () => {
  const { page, window, sent } = aPreload();
  page.emit('message', { source: {}, data: 'adslate:ready' });
  page.emit('message', { source: null, data: 'adslate:ready' });
  page.emit('message', { source: window, data: 'adslate:connect' });
  page.emit('message', { source: window, data: { type: 'adslate:ready' } });
  expect(sent).toEqual([]);
  page.emit('message', { source: window, data: 'adslate:ready' });
  expect(sent).toEqual([['adslate:connect']]);
});

test('what main says reaches our own page alone, without the event it came in', () => {
  const { ipcRenderer, posted } = aPreload();
  const [port, event] = [{ name: 'port' }, { sender: ipcRenderer }];
  ipcRenderer.emit('adslate:command', event, 'sync.plan');
  ipcRenderer.emit('adslate:port', { ...event, ports: [port] });
  expect(posted).toEqual([
    [{ type: 'adslate:command', command: 'sync.plan' }, ORIGIN],
    ['adslate:port', ORIGIN, [port]],
  ]);
});
