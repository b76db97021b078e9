import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { MessagePort } from 'node:worker_threads';
import { createORPCClient, ORPCError, safe } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { CONFIRM_ABOVE } from '../../main/app/confirm-large-sync.ts';
import { asWorkspaceId } from '../../shared/model/scalars.ts';
import { autoDraft } from '../sync/a-draft.ts';
import type { Client } from './lines.ts';
import { app, type BrowserWindow, calls, ipcMain, setUp } from './stand-in-electron.ts';
import { toldV8 } from './stand-in-heap.ts';

/** What a page sees and tries, told on standard error as one line of JSON each. */
const tell = (found: object): void => void process.stderr.write(`${JSON.stringify(found)}\n`);
let client: Client;

setUp.visit = async (window) => {
  await firstLook(window);
  // The entry goes on when its first page is there, and so does the second look.
  if (process.env['STAND_IN'] !== 'brief') void secondLook(window);
};

/** Loads the page by the host's own protocol, asks for its port as the preload does, and makes two calls. */
async function firstLook(window: BrowserWindow): Promise<void> {
  const ask = (scheme: string, address: string) => setUp.schemes.get(scheme)?.(new Request(address));
  const page = await ask('adslate-app', 'adslate-app://ui/');
  const file = await ask('file', 'file:///etc/passwd');
  ipcMain.emit('adslate:connect', { sender: window.webContents, senderFrame: window.webContents.mainFrame });
  const port = window.webContents.posted[0]?.ports[0];
  if (!(port instanceof MessagePort)) throw new Error('The window got no port.');
  client = createORPCClient(new RPCLink({ port }));
  port.start();
  const { host } = await client.app.info();
  const accounts = (await client.accounts.list()).map(({ name }) => name);
  tell({
    page: page?.status,
    file: file?.status,
    host,
    accounts,
    headers: Object.fromEntries(page?.headers.entries() ?? []),
    setUp: {
      options: window.options,
      schemes: [...setUp.schemes.keys()].sort(),
      channels: [...setUp.answers.keys(), ...ipcMain.eventNames().map(String)].sort(),
      guards: setUp.guards.toSorted(),
      links: setUp.links,
      listeners: app.eventNames().map(String).sort(),
      menus: setUp.menu.map(({ label, role }) => label ?? role ?? ''),
      heaps: toldV8,
      lastWords: ['uncaughtException', 'unhandledRejection'].map((event) => process.listenerCount(event)),
      early: calls.slice(0, calls.indexOf('app.whenReady')),
    },
  });
}

/** Ways out of the page, an opened file, a second window, a page that fails three times. */
async function secondLook(window: BrowserWindow): Promise<void> {
  const events = await client.app.events();
  const opened = (async (): Promise<unknown> => {
    for await (const event of events) if (event.type === 'open.file') return event.fileName;
    return null;
  })();
  app.emit('second-instance', {}, ['adslate', join(dirname(app.userData), 'spring.adslate')], '/');
  const ways = tryWaysOut();
  const fileName = await opened;
  await newWindow();
  await newWindow();
  const menu = chooseFromMenu(window);
  const drags = await dragOut();
  const sent = await sendMuch();
  for (let time = 0; time < 3; time += 1) window.webContents.emit('render-process-gone', {}, { reason: 'crashed' });
  await settled(() => window.loaded.includes('adslate-app://ui/?plain'));
  tell({
    ways,
    drags,
    sent,
    menu,
    fileName,
    recent: app.recent.length,
    windows: setUp.windows.map(({ loaded }) => loaded),
    asked: setUp.asked,
  });
}

function tryWaysOut(): object {
  const prevented: string[] = [];
  let offered: (details: { readonly url: string }) => unknown = () => null;
  const contents = Object.assign(new EventEmitter(), {
    setWindowOpenHandler: (answer: typeof offered) => {
      offered = answer;
    },
  });
  app.emit('web-contents-created', {}, contents);
  for (const name of ['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview']) {
    contents.emit(name, { preventDefault: () => prevented.push(name) });
  }
  const addresses = ['https://example.org/', 'file:///etc/passwd', 'ms-msdt:/id'];
  return { prevented, opened: addresses.map((url) => offered({ url })) };
}

/** Exports the account and drags the sheet out of a window that shows nothing, then out of the one that shows it. */
async function dragOut(): Promise<object> {
  const [account] = await client.accounts.list();
  const { url } = await client.exchange.export({ workspaceId: account?.workspaceId ?? asWorkspaceId('none') });
  const drag = (window: BrowserWindow | undefined): Promise<unknown> | undefined => {
    const { webContents } = window ?? {};
    const event = { sender: webContents, senderFrame: webContents?.mainFrame };
    return setUp.answers.get('adslate:drag')?.(event, url.split('/').at(-1));
  };
  const [first, second] = setUp.windows;
  const ofAnother = await drag(first);
  const own = await drag(second);
  const [{ file, icon } = { file: '', icon: { isEmpty: () => true } }] = setUp.dragged;
  const pictures = setUp.dragged.filter(() => !icon.isEmpty()).length;
  return { ofAnother, own, name: basename(file), starts: readFileSync(file, 'utf8').slice(1, 5), pictures };
}

/** Drafts a campaign that may spend more than goes without a question, and sends it. @returns what came of it */
async function sendMuch(): Promise<string> {
  const [account] = await client.accounts.list();
  const workspaceId = account?.workspaceId ?? asWorkspaceId('none');
  const rows = autoDraft().map((row) =>
    row.kind === 'campaign' ? { ...row, values: { ...row.values, totalBudget: CONFIRM_ABOVE.budgetCents + 1 } } : row,
  );
  await client.workspace.create({ workspaceId, label: 'Draft', rows });
  const [error] = await safe(client.sync.run({ workspaceId, submit: false }));
  return error instanceof ORPCError ? error.code : 'sent';
}

/** Says which commands the page has, as its preload would, and chooses one where the user would. */
function chooseFromMenu(window: BrowserWindow): object {
  const command = { id: 'sync.plan', title: 'Sync…', keys: 'Ctrl+Enter', enabled: true };
  const { webContents } = window;
  ipcMain.emit(
    'adslate:menu',
    { sender: webContents, senderFrame: webContents.mainFrame },
    { sections: [{ place: 'sync', title: 'Sync', groups: [[command]] }] },
  );
  const titles = setUp.menu.map(({ label, role }) => label ?? role ?? '');
  const entries = setUp.menu.flatMap(({ submenu }) => submenu ?? []);
  entries.find(({ label }) => label === command.title)?.click?.();
  return { titles, sent: window.sent };
}

async function newWindow(): Promise<void> {
  const before = calls.length;
  const items = setUp.menu.flatMap(({ submenu }) => submenu ?? []);
  items.find(({ label }) => label === 'New Window')?.click?.();
  await settled(() => calls.slice(before).some((call) => /new BrowserWindow|\.focus$/.test(call)));
}

/** Of idle turns of the loop a crowded machine makes ten thousand before it has read one file: the limit is a time. */
const SETTLED_MS = 15_000;
async function settled(isTrue: () => boolean): Promise<void> {
  const limit = performance.now() + SETTLED_MS;
  while (!isTrue() && performance.now() < limit) await new Promise((done) => setImmediate(done));
  if (!isTrue()) throw new Error('What was waited for did not happen.');
}
