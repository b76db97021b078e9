import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { notifications } from '@mantine/notifications';
import { createRouterClient } from '@orpc/server';
import axe from 'axe-core';
import { createRoot, type Root } from 'react-dom/client';
import { onTestFinished } from 'vitest';
import type { Core } from '../../main/core/core.ts';
import type { CoreOptions } from '../../main/core/core-options.ts';
import { App as Window } from '../../renderer/app/App.tsx';
import type { Client, Connection } from '../../renderer/app/transport/connection.ts';
import { draftRows, EMPTY_DRAFT } from '../../renderer/features/campaign-form/draft.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { asWorkspaceId } from '../../shared/model/scalars.ts';
import { addRows, type NewRows, rowsOf, startCore, type View } from '../core/a-core.ts';
import { placeOfList } from '../lists.ts';
import { copyAccount } from '../prepared-account.ts';
import { type Answers, clientWith } from './answering.ts';
import { clipboard, expect, page, patiently } from './page.ts';

interface ServiceState {
  readonly campaigns: readonly { readonly name: string; readonly campaignId: number }[];
}

interface Wish {
  /** False starts on a folder without any account. */
  readonly practice?: boolean;
  /** True does not wait for the account to be shown. */
  readonly isSlow?: boolean;
  readonly core?: Partial<Omit<CoreOptions, 'dataDir'>>;
  /** What main answers otherwise than usual. */
  readonly main?: (usual: Client) => Answers;
  /** What else of the connection is otherwise than usual. */
  readonly connection?: (usual: Connection) => Connection;
}

/** A file of the disk, as a browser hands it to a page. */
export const fileAt = (path: string): File => new File([new Uint8Array(readFileSync(path))], basename(path));

/** More than any file of the tests has. */
const BYTES_MAX = 100_000_000;

const connect = (core: Core, client: Client): Connection => ({
  client,
  files: {
    // As the web host takes it in: bytes without a path.
    grant: async (file, purpose) => {
      const bytes = Readable.from([Buffer.from(await file.arrayBuffer())]);
      const granted =
        purpose === 'secret'
          ? await core.grants.hold(file.name, bytes)
          : await core.grants.spool(file.name, bytes, BYTES_MAX);
      if (!granted.ok) return granted.error;
      const { grant, fileName, bytes: size } = granted.value;
      return { grant, fileName, bytes: size };
    },
  },
  state: () => 'open',
  onState: () => () => {},
});

const isFilterShown = (): boolean => document.querySelector('[aria-label="Filter rows"]') !== null;

/** The whole window in jsdom on a core of the same process: the real store, the real simulated service over HTTP. */
export type App = Awaited<ReturnType<typeof openApp>>;

/** Opens the window; everything is closed and removed at the end of the test. */
export async function openApp({
  practice = true,
  isSlow = false,
  core: more = {},
  main = () => ({}),
  connection = (usual) => usual,
}: Wish = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'adslate-window-'));
  // React draws by its own clock here, as in a browser.
  Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', false);
  if (practice) copyAccount(dataDir);
  let core = await startCore(dataDir, more);
  let client: Client = createRouterClient(core.router);
  const [account = null] = await client.accounts.list();
  if (account !== null) await client.accounts.rename({ workspaceId: account.workspaceId, name: 'Practice' });
  let root: Root | null = null;
  const navigation = page.getByRole('navigation');
  const ready = async (): Promise<void> => {
    if (!practice || isSlow) return;
    await navigation.getByRole('button', { name: 'All campaigns' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Campaigns' })).toBeVisible();
  };
  const open = async (): Promise<void> => {
    root = createRoot(document.body.appendChild(document.createElement('div')));
    const answers = clientWith(client, main(client));
    root.render(<Window connection={connection(connect(core, answers))} />);
    await ready();
  };
  const close = async (): Promise<void> => {
    root?.unmount();
    document.body.replaceChildren();
    document.title = '';
    // A page that is loaded again has no messages of the one before, behind which its own would wait.
    notifications.cleanQueue();
    notifications.clean();
    // The window remembers its layout as it goes.
    await new Promise((resolve) => setTimeout(resolve));
  };
  const saving = watchSaving(() => core);
  onTestFinished(async () => {
    await close();
    saving.stop();
    await core.close();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });
  const control = async (): Promise<string> => {
    const opened = await core.open.get(account?.workspaceId ?? asWorkspaceId('none'));
    const service = opened.ok ? await opened.value.practice?.service() : null;
    if (service?.ok !== true) throw new Error('The practice service is not there.');
    return service.value.controlUrl;
  };
  // Most of what is tested is seen in the panes, so they are open, as a user of every day has them.
  const layout = { 'hidden.inspector': false, 'hidden.drawer': false };
  await client.app.preferences.set({ layout });
  await open();
  const workspaceId = account?.workspaceId ?? asWorkspaceId('none');
  const openCampaign = async (name: string): Promise<void> => {
    await navigation.getByRole('button', { name }).first().click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  };
  /** Runs a command by its name in the palette. */
  const command = async (name: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Commands' });
    await palette.getByRole('listbox').element();
    await palette.getByRole('combobox').fill(name);
    await page.keyboard.press('Enter');
  };
  const grid = page.getByRole('grid').or(page.getByRole('treegrid'));
  return {
    /** What the window asks main through, for what is no matter of the window. */
    client: () => client,
    dataDir,
    /** The account that is shown. */
    workspaceId,
    grid,
    details: page.getByRole('complementary', { name: 'Details' }),
    /** The panel below the rows. */
    drawer: page.getByRole('region', { name: 'Issues, changes, sync and history' }),
    navigation,
    /** The next file that the window has given to be saved. */
    saved: saving.next,
    /** What the window has put on the clipboard. */
    clipboard,
    openList: async (name: string) => {
      const [entry, tab] = placeOfList(name);
      await navigation.getByRole('button', { name: new RegExp(`^${entry}`) }).click();
      if (tab !== null) await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    },
    openCampaign,
    /** Creates rows as one step. */
    add: (label: string, rows: NewRows) => addRows(client, workspaceId, label, rows),
    rows: (view: View, count?: number) => rowsOf(client, workspaceId, view, count),
    /** Sets a field in every row of a view, as another window does. */
    edit: async (view: View, field: string, value: Cell) => {
      const rows = await rowsOf(client, workspaceId, view);
      const changes = rows.map(({ id }) => ({ kind: view.kind, id, field, value }));
      await client.workspace.edit({ workspaceId, label: 'Another window', changes });
    },
    /** Opens a new practice account, which is "Practice 2". */
    openSecondAccount: async () => {
      await command('new practice account');
      await expect(page.getByRole('button', { name: 'Switch account' })).toContainText('Practice 2');
    },
    /** Makes the campaign that the form makes of these texts, with manual targeting, and opens it. */
    newManual: async (name: string, keywords = '', dailyBudget = '') => {
      const rows = draftRows('manual', { ...EMPTY_DRAFT, name, keywords, dailyBudget });
      if (!rows.ok) throw new Error(rows.error.text);
      await client.workspace.create({ workspaceId, label: `New campaign ${name}`, rows: [...rows.value] });
      await openCampaign(name);
    },
    /** Shows the keywords of the campaign that is open. */
    openKeywords: () => page.getByRole('tab', { name: /^Keywords/ }).click(),
    /** The cell in which a row's value of a column stands; the row is found by a text in it. */
    cell: async (rowText: string, column: string) => {
      const header = grid.getByRole('columnheader', { name: column, exact: true });
      const index = await header.getAttribute('aria-colindex');
      return grid
        .locator('[role="row"]:not([data-group])')
        .filter({ hasText: rowText })
        .first()
        .locator(`[aria-colindex="${index}"]`);
    },
    /** An order to the control interface of the practice service, such as to fail. */
    orderService: async (path: string, body: object) => {
      const answer = await fetch(`${await control()}/${path}`, { method: 'POST', body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    },
    serviceState: async (): Promise<ServiceState> => (await fetch(`${await control()}/state`)).json(),
    activeCell: () => page.locator('#grid-active-cell'),
    /** Narrows the rows by a filter, typed as text. */
    filter: async (text: string) => {
      if (!isFilterShown()) await page.keyboard.press('Control+f');
      await page.getByRole('textbox', { name: 'Filter rows' }).fill(text);
    },
    command,
    drop: (paths: readonly string[], onto = page.getByRole('main')) => onto.drop(paths.map(fileAt)),
    /** Closes the window and opens it anew, as a reload does. */
    reload: async () => {
      await close();
      await open();
    },
    /** Ends the core and starts another on the same folder, with a new window; `meanwhile` happens while nobody has it open. */
    restart: async (meanwhile: () => Promise<void> = async () => {}) => {
      await close();
      await core.close();
      await meanwhile();
      core = await startCore(dataDir, more);
      client = createRouterClient(core.router);
      await open();
    },
  };
}

/** Part of a test, by its name in what is reported. */
export async function step(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Error) error.message = `${name}: ${error.message}`;
    throw error;
  }
}

/** What axe finds in a part of the page, as lines that name the place. Colors and sizes are seen in a browser only. */
export async function faults(part = 'body'): Promise<readonly string[]> {
  const { violations } = await axe.run(part, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'],
    rules: { 'color-contrast': { enabled: false }, 'target-size': { enabled: false } },
    resultTypes: ['violations'],
  });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

/** What a link with a name for its file would save. jsdom follows no link, so the click is where it is caught. */
function watchSaving(core: () => Core): { next(): Promise<File>; stop(): void } {
  const files: Promise<File>[] = [];
  const blobs = new Map<string, Blob>();
  const { createObjectURL, revokeObjectURL } = URL;
  URL.createObjectURL = (blob: Blob) => {
    const url = `blob:${blobs.size}`;
    blobs.set(url, blob);
    return url;
  };
  URL.revokeObjectURL = () => {};
  const read = async (url: string): Promise<BlobPart> => {
    const blob = blobs.get(url);
    if (blob !== undefined) return blob;
    const file = await core().preview(url.split('/').at(-1) ?? '');
    if (file === null) throw new Error(`There is no file at ${url}`);
    return new Uint8Array(await buffer(file.open(0, file.bytes - 1)));
  };
  const { click } = HTMLAnchorElement.prototype;
  HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
    const { download } = this;
    files.push(read(this.getAttribute('href') ?? '').then((bytes) => new File([bytes], download)));
  };
  return {
    next: () =>
      patiently(() => {
        const file = files.shift();
        return file === undefined ? { problem: () => 'no file was given to be saved' } : { found: file };
      }).then((file) => file),
    stop: () => {
      HTMLAnchorElement.prototype.click = click;
      Object.assign(URL, { createObjectURL, revokeObjectURL });
    },
  };
}
