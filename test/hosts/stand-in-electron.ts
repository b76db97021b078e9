import { EventEmitter } from 'node:events';
import { tmpdir } from 'node:os';
import { aSender, FakeChannel } from './fake-electron.ts';

/** What a test has the runtime be: one that was `packaged`, or that of a `second` start. */
const PRETENDED = process.env['STAND_IN'];

/** Members that were called, in order, as `app.enableSandbox`. */
export const calls: string[] = [];

/** Notes each call. What Electron has and needs no behaviour here does nothing; the compiler knows what it has. */
function noting<T extends object>(name: string, behaviour: T): T {
  return new Proxy(behaviour, {
    get: (target, key) => {
      const given: unknown = Reflect.get(target, key, target);
      if (typeof key === 'symbol' || key === 'then' || (given !== undefined && typeof given !== 'function'))
        return given;
      return (...words: readonly unknown[]): unknown => {
        calls.push(`${name}.${key}`);
        return typeof given === 'function' ? Reflect.apply(given, target, words) : undefined;
      };
    },
  });
}

/** As much behaviour of Electron as the desktop host's entry needs, for machines without the runtime. */
class App extends EventEmitter {
  readonly isPackaged = PRETENDED === 'packaged';
  readonly recent: string[] = [];
  userData = '';
  setPath = (name: string, path: string): void => {
    if (name === 'userData') this.userData = path;
  };
  addRecentDocument = (path: string): void => void this.recent.push(path);
  getPath = (): string => tmpdir();
  getVersion = (): string => '0.0.0';
  /** A desktop without pictures of files. */
  getFileIcon = (): Promise<never> => Promise.reject(new Error('No picture.'));
  requestSingleInstanceLock = (): boolean => PRETENDED !== 'second';
  setAsDefaultProtocolClient = (...words: readonly unknown[]): void => void setUp.links.push(words);
  whenReady = (): Promise<void> => Promise.resolve();
  exit = (code: number): void => process.exit(code);
  quit = (): void => {
    let isPutOff = false;
    const preventDefault = (): void => {
      isPutOff = true;
    };
    this.emit('before-quit', { preventDefault });
    if (!isPutOff) process.exit(0);
  };
}
export const app = noting('app', new App());

/** What the entry has set up, for the looks to tell. */
export const setUp = {
  answers: new Map<string, (event: unknown, ...words: readonly unknown[]) => Promise<unknown>>(),
  dragged: [] as { readonly file: string; readonly icon: { readonly isEmpty: () => boolean } }[],
  guards: [] as string[],
  /** How the system is told to hand over links. */
  links: [] as (readonly unknown[])[],
  schemes: new Map<string, (request: Request) => Promise<Response> | Response>(),
  menu: [] as readonly MenuPart[],
  windows: [] as BrowserWindow[],
  asked: [] as string[],
  /** What the first page does, said by `stand-in-page.ts`. */
  visit: async (_window: BrowserWindow): Promise<void> => {},
};

export interface MenuPart {
  readonly label?: string;
  readonly role?: string;
  readonly click?: () => void;
  readonly submenu?: readonly MenuPart[];
}

export const ipcMain = Object.assign(new EventEmitter(), {
  handle: (channel: string, answer: (event: unknown, ...words: readonly unknown[]) => Promise<unknown>) =>
    void setUp.answers.set(channel, answer),
});
export const MessageChannelMain = FakeChannel;
export const nativeTheme = { shouldUseDarkColors: false };
export const Menu = noting('Menu', {
  buildFromTemplate: (template: readonly MenuPart[]) => {
    setUp.menu = template;
  },
});
export const dialog = {
  /** Takes the safe answer, which is the first. */
  showMessageBox: async ({ message }: { readonly message: string }) => {
    setUp.asked.push(message);
    return { response: 0 };
  },
};
/** A picture is empty when its bytes are not what its size asks for. */
export const nativeImage = {
  createFromBitmap: (bytes: Buffer, { width, height }: { readonly width: number; readonly height: number }) => ({
    isEmpty: () => bytes.length !== 4 * width * height,
  }),
};
export const powerMonitor = new EventEmitter();
export const screen = { getAllDisplays: () => [] };
export const Notification = { isSupported: () => false };
export const safeStorage = { isEncryptionAvailable: () => false };
const guard = (name: string) => (): void => void setUp.guards.push(name);
export const session = {
  defaultSession: noting('session', {
    setPermissionRequestHandler: guard('permission request'),
    setPermissionCheckHandler: guard('permission check'),
    setDevicePermissionHandler: guard('device'),
    webRequest: { onBeforeRequest: guard('request') },
  }),
};
export const protocol = noting('protocol', {
  handle: (scheme: string, answer: (request: Request) => Promise<Response> | Response): void =>
    void setUp.schemes.set(scheme, answer),
});
export const shell = noting('shell', {});

export class BrowserWindow extends EventEmitter {
  readonly options: object;
  /** Addresses that were loaded, and `reload`. */
  readonly loaded: string[] = [];
  /** Messages to the page. */
  readonly sent: (readonly unknown[])[] = [];
  readonly webContents = noting(
    'webContents',
    Object.assign(new EventEmitter(), aSender(setUp.windows.length + 1, 'adslate-app://ui/'), {
      getURL: (): string => this.loaded.findLast((address) => address !== 'reload') ?? '',
      reload: (): void => void this.loaded.push('reload'),
      isDestroyed: (): boolean => false,
      send: (...words: readonly unknown[]): void => void this.sent.push(words),
      startDrag: (item: (typeof setUp.dragged)[number]): void => void setUp.dragged.push(item),
    }),
  );

  constructor(options: object) {
    super();
    this.options = options;
    calls.push('new BrowserWindow');
    const window = noting('window', this);
    setUp.windows.push(window);
    // biome-ignore lint/correctness/noConstructorReturn: whoever makes a window gets the one whose calls are noted.
    return window;
  }
  isFocused = (): boolean => true;
  isDestroyed = (): boolean => false;
  isMinimized = (): boolean => false;

  async loadURL(address: string): Promise<void> {
    this.loaded.push(address);
    const [first] = setUp.windows;
    if (first !== undefined && setUp.windows.length === 1 && this.loaded.length === 1) await setUp.visit(first);
  }
}
