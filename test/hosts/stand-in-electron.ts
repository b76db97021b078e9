import { EventEmitter } from 'node:events';
import { tmpdir } from 'node:os';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { aSender, FakeChannel } from './fake-electron.ts';
import type { Client } from './lines.ts';

/**
 * As much of Electron as the desktop host's entry uses, for machines without the runtime. Its one window loads the
 * page by the host's own protocol, asks for its port as the preload does, makes one call and tells on standard error
 * what it found.
 */
class App extends EventEmitter {
  readonly isPackaged = false;
  enableSandbox(): void {}
  setPath(): void {}
  getPath = (): string => tmpdir();
  setAsDefaultProtocolClient(): void {}
  getVersion = (): string => '0.0.0';
  requestSingleInstanceLock = (): boolean => true;
  whenReady = (): Promise<void> => Promise.resolve();
  exit(code: number): void {
    process.exit(code);
  }
  quit(): void {
    let isPutOff = false;
    this.emit('before-quit', {
      preventDefault: () => {
        isPutOff = true;
      },
    });
    if (!isPutOff) process.exit(0);
  }
}
export const app = new App();
/** What the entry has set up, in the order of the alphabet. */
const answered: string[] = [];
export const ipcMain = Object.assign(new EventEmitter(), { handle: (channel: string) => void answered.push(channel) });
export const MessageChannelMain = FakeChannel;
export const nativeTheme = { shouldUseDarkColors: false };
let menus: readonly string[] = [];
export const Menu = {
  setApplicationMenu: () => {},
  buildFromTemplate: (template: readonly { readonly label?: string; readonly role?: string }[]) => {
    menus = template.map(({ label, role }) => label ?? role ?? '');
  },
};
export const dialog = {};
export const powerMonitor = new EventEmitter();
export const screen = { getAllDisplays: () => [] };
export const Notification = { isSupported: () => false };
export const shell = {};
export const safeStorage = { isEncryptionAvailable: () => false };
const guards: string[] = [];
export const session = {
  defaultSession: {
    setPermissionRequestHandler: () => void guards.push('permission request'),
    setPermissionCheckHandler: () => void guards.push('permission check'),
    setDevicePermissionHandler: () => void guards.push('device'),
    webRequest: { onBeforeRequest: () => void guards.push('request') },
  },
};

const schemes = new Map<string, (request: Request) => Promise<Response> | Response>();
export const protocol = {
  registerSchemesAsPrivileged: () => {},
  handle: (scheme: string, answer: (request: Request) => Promise<Response> | Response) => schemes.set(scheme, answer),
};

const PAGE = 'adslate-app://ui/';

export class BrowserWindow extends EventEmitter {
  private readonly options: object;
  constructor(options: object) {
    super();
    this.options = options;
  }
  setProgressBar(): void {}
  isFocused = (): boolean => true;
  readonly webContents = Object.assign(new EventEmitter(), aSender(1, PAGE));

  async loadURL(address: string): Promise<void> {
    const page = await schemes.get('adslate-app')?.(new Request(address));
    const file = await schemes.get('file')?.(new Request('file:///etc/passwd'));
    ipcMain.emit('adslate:connect', { sender: this.webContents, senderFrame: this.webContents.mainFrame });
    const port = this.webContents.posted[0]?.ports[0];
    if (port === undefined) throw new Error('The window got no port.');
    const client: Client = createORPCClient(new RPCLink({ port }));
    port.start();
    const { host } = await client.app.info();
    const accounts = (await client.accounts.list()).map(({ name }) => name);
    const policy = page?.headers.get('content-security-policy') ?? '';
    const headers = Object.fromEntries(page?.headers.entries() ?? []);
    const setUp = {
      options: this.options,
      schemes: [...schemes.keys()].sort(),
      channels: [...answered, ...ipcMain.eventNames().map(String)].sort(),
      guards: [...guards].sort(),
      listeners: app.eventNames().map(String).sort(),
      menus,
    };
    const found = { page: page?.status, policy, file: file?.status, host, accounts, headers, setUp };
    process.stderr.write(`${JSON.stringify(found)}\n`);
  }
}

export default { app, ipcMain, shell };
