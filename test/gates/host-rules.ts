import { type CodeRule, importOf, namedImport } from './code-rule.ts';

/** What touches the system, the network or the window is in one place each, where it can be read and tested. */
const ELECTRON = 'main/host/electron/';

export const HOST_RULES: readonly CodeRule[] = [
  {
    name: 'one-ear-for-pages',
    why: 'Messages of a page come in through sender.ts, which proves who sent them.',
    find: namedImport('electron', 'ipcMain'),
    but: [`${ELECTRON}sender.ts`],
    planted: ["import { app, ipcMain } from 'electron';"],
  },
  {
    name: 'one-maker-of-windows',
    why: 'Every window has the settings of window-settings.ts.',
    find: {
      any: [
        { pattern: 'new BrowserWindow($$$A)' },
        { pattern: 'new WebContentsView($$$A)' },
        { pattern: 'new BrowserView($$$A)' },
      ],
    },
    but: [`${ELECTRON}window.ts`],
    planted: ['new BrowserWindow({ show: false });', 'new WebContentsView();'],
  },
  {
    name: 'one-place-for-web-preferences',
    why: 'The settings that confine a page are in one list.',
    find: {
      kind: 'property_identifier',
      regex:
        '^(webPreferences|nodeIntegration\\w*|contextIsolation|webSecurity|webviewTag|allowRunningInsecureContent|experimentalFeatures|enableBlinkFeatures|navigateOnDragDrop)$',
    },
    but: [`${ELECTRON}window-settings.ts`],
    only: ['main/', 'preload/'],
    planted: ['const options = { nodeIntegration: true };', 'options.webSecurity = false;'],
  },
  {
    name: 'one-door-to-the-system-browser',
    why: 'A link leaves only after the user has read where it goes.',
    find: {
      any: [namedImport('electron', 'shell'), { pattern: '$X.openExternal($$$A)' }, { pattern: '$X.openPath($$$A)' }],
    },
    but: [`${ELECTRON}confine.ts`],
    planted: ["import { shell } from 'electron';", "shell.openPath('/etc');"],
  },
  {
    name: 'no-code-into-a-page',
    why: 'Main never runs text as a script in a page.',
    find: {
      any: [
        { pattern: '$X.executeJavaScript($$$A)' },
        { pattern: '$X.insertCSS($$$A)' },
        { pattern: '$X.addScriptToEvaluateOnNewDocument($$$A)' },
      ],
    },
    planted: ["window.webContents.executeJavaScript('1');"],
  },
  {
    name: 'no-plain-text-key-store',
    why: 'A key store with a key that everybody knows protects nothing.',
    find: { kind: 'property_identifier', regex: '^(setUsePlainTextEncryption|encryptionKey)$' },
    planted: ['safeStorage.setUsePlainTextEncryption(true);', "new Store({ encryptionKey: 'x' });"],
  },
  {
    name: 'no-crash-upload',
    why: 'A crash report holds memory, and memory holds keys.',
    find: namedImport('electron', 'crashReporter'),
    planted: ["import { crashReporter } from 'electron';"],
  },
  {
    name: 'preload-hands-out-functions-only',
    why: 'The page sees no object of Electron.',
    find: {
      any: [
        { pattern: 'contextBridge.exposeInMainWorld($N, ipcRenderer)' },
        { pattern: '{ $$$A, ipcRenderer, $$$B }' },
      ],
    },
    only: ['preload/'],
    planted: ["contextBridge.exposeInMainWorld('ipc', ipcRenderer);"],
  },
  {
    name: 'processes-are-started-in-one-place',
    why: 'The browser of the web host is the only program we start.',
    find: importOf('node:child_process|child_process'),
    but: ['main/host/web/open-window.ts'],
    planted: ["import { spawn } from 'node:child_process';", "await import('child_process');"],
  },
  {
    name: 'threads-are-started-in-named-places',
    why: 'Each place bounds the memory of its thread and says what becomes of it when it fails.',
    find: {
      any: [
        { pattern: 'new Worker($$$A)' },
        { pattern: 'new SharedWorker($$$A)' },
        namedImport('electron', 'utilityProcess'),
      ],
    },
    but: [
      'main/exchange/exchange-thread.ts',
      'main/media/probe/prober.ts',
      'main/one-shot.ts',
      'main/practice/practice-service.ts',
      'main/workspace/worker/thread.ts',
    ],
    planted: ["new Worker(new URL('./x.js', import.meta.url));", "import { utilityProcess } from 'electron';"],
  },
  {
    name: 'the-runtime-fetches-nothing',
    why: "Requests go through main/api; the page's own addresses are served in one place.",
    find: {
      any: [
        namedImport('electron', 'net'),
        namedImport('electron', 'protocol'),
        { pattern: '$X.interceptHttpProtocol($$$A)' },
      ],
    },
    but: [`${ELECTRON}main.ts`],
    planted: ["import { net } from 'electron';", "import { app, protocol } from 'electron';"],
  },
  {
    name: 'no-second-engine',
    why: 'Neither vm nor a native module runs foreign code here.',
    find: { any: [importOf('node:vm|vm|node:inspector|node:module|node:repl'), { pattern: 'process.dlopen($$$A)' }] },
    planted: ["import vm from 'node:vm';", 'process.dlopen(module, path);'],
  },
  {
    name: 'servers-listen-on-loopback',
    why: 'A server without an address is open to the network.',
    find: {
      any: [
        { pattern: '$S.listen()' },
        { pattern: '$S.listen($P)' },
        { pattern: '$S.listen($P, function ($$$A) { $$$B })' },
        { pattern: '$S.listen($P, () => $$$B)' },
        { kind: 'string_fragment', regex: '^(0\\.0\\.0\\.0|::)$' },
      ],
    },
    // Knows these addresses in order to refuse them.
    but: ['main/media/upload/address-guard.ts'],
    planted: [
      'server.listen();',
      'server.listen(8080, function () { ready(); });',
      'server.listen(8080);',
      "server.listen(8080, '0.0.0.0', ready);",
    ],
  },
  {
    name: 'servers-are-in-two-places',
    why: 'The web host and the simulated service are the only servers.',
    find: { any: [{ pattern: 'createServer($$$A)' }, { pattern: 'new WebSocketServer($$$A)' }] },
    but: ['main/host/web/server.ts', 'main/host/web/socket.ts', 'sandbox/wire/server.ts', 'sandbox/start.ts'],
    planted: ['const server = createServer(answer);'],
  },
  {
    name: 'secrets-are-compared-in-constant-time',
    why: 'A comparison that ends at the first difference tells, try by try, how much of a guess was right.',
    find: { any: [{ pattern: '$A.equals($B)' }, { pattern: '$A.compare($B)' }, { pattern: 'Buffer.compare($A, $B)' }] },
    only: ['main/host/web/'],
    planted: ['if (session.tokenHash.equals(tokenHash)) enter();', 'Buffer.compare(one, other);'],
  },
  {
    name: 'no-cross-origin-gifts',
    why: 'No header lets a page of another origin read an answer of the web host.',
    find: { kind: 'string_fragment', regex: '^[Aa]ccess-[Cc]ontrol-' },
    only: ['main/host/'],
    planted: ["response.setHeader('Access-Control-Allow-Origin', origin);"],
  },
  {
    name: 'forwarded-headers-are-not-read',
    why: 'Anybody can send them.',
    find: { kind: 'string_fragment', regex: '^(x-forwarded-.*|forwarded|x-real-ip)$' },
    only: ['main/'],
    planted: ["const host = request.headers['x-forwarded-host'];"],
  },
];
