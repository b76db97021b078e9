import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Lang, type NapiConfig, parse } from '@ast-grep/napi';

/** A pattern that no source file contains, except in the named places. Import rules are in `.dependency-cruiser.cjs`. */
interface CodeRule {
  readonly name: string;
  readonly why: string;
  readonly find: NapiConfig['rule'];
  /** Where it may stand: files, or folders ending in a slash. */
  readonly but?: readonly string[];
  /** The only folders that are looked at; everything of the program when not given. */
  readonly only?: readonly string[];
  /** Each is a violation; planted to see that the rule is awake. */
  readonly planted: readonly string[];
}

interface Breach {
  readonly rule: string;
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

interface Source {
  /** Path below the repository, with slashes. */
  readonly file: string;
  readonly source: string;
}

/**
 * Where rules are broken. Files of a language are searched as one text, because a rule is compiled anew at every search; and first
 * for all rules at once, because few files have anything that a rule finds.
 */
export function breaches(rules: readonly CodeRule[], sources: readonly Source[]): readonly Breach[] {
  const isTsx = ({ file }: Source): boolean => file.endsWith('x');
  return [Lang.TypeScript, Lang.Tsx].flatMap((lang) => {
    const all = sources.filter((each) => isTsx(each) === (lang === Lang.Tsx));
    const found = joined(lang, all)(any(...rules.map(({ find }) => find)));
    const suspects = new Set(found.map(({ file }) => file));
    const search = joined(
      lang,
      all.filter(({ file }) => suspects.has(file)),
    );
    return rules.flatMap((rule) =>
      search(rule.find)
        .filter(({ file }) => isSubject(rule, file))
        .map((place) => ({ rule: rule.name, ...place })),
    );
  });
}

type Search = (find: NapiConfig['rule']) => readonly Omit<Breach, 'rule'>[];

function joined(lang: Lang, sources: readonly Source[]): Search {
  let lines = 0;
  const begins = sources.map(({ file, source }) => {
    const begin = { file, line: lines };
    lines += source.split('\n').length;
    return begin;
  });
  const root = parse(lang, sources.map(({ source }) => source).join('\n')).root();
  return (find) =>
    root.findAll({ rule: find }).flatMap((node) => {
      const { line } = node.range().start;
      const begin = begins.findLast((each) => each.line <= line);
      if (begin === undefined) return [];
      return [{ file: begin.file, line: line - begin.line + 1, text: node.text().slice(0, 120) }];
    });
}

export const readSource = (root: string, file: string): string => readFileSync(join(root, file), 'utf8');

function isSubject({ but = [], only }: CodeRule, file: string): boolean {
  const within = (place: string): boolean => (place.endsWith('/') ? file.startsWith(place) : file === place);
  return !but.some(within) && (only === undefined || only.some(within));
}

/** Any import of a module. @param module a regular expression */
const importOf = (module: string): NapiConfig['rule'] => ({
  any: [
    { kind: 'import_statement', has: { kind: 'string', regex: `^.(${module}).$`, stopBy: 'end' } },
    { pattern: 'import($M)', has: { kind: 'string', regex: `^.(${module}).$`, stopBy: 'end' } },
  ],
});

/** A named import of one thing from one module. */
const namedImport = (module: string, name: string): NapiConfig['rule'] => ({
  kind: 'import_statement',
  all: [
    { has: { kind: 'string', regex: `^.${module}.$`, stopBy: 'end' } },
    { has: { kind: 'import_specifier', regex: `^${name}$`, stopBy: 'end' } },
    { not: { regex: '^import type' } },
  ],
});

/** One of these: a pattern of code, or a rule. */
const any = (...ones: readonly (string | NapiConfig['rule'])[]): NapiConfig['rule'] => ({
  any: ones.map((one) => (typeof one === 'string' ? { pattern: one } : one)),
});

const ELECTRON = 'main/hosts/electron/';

/** Names of variables that hold a value of the user or of the service, or a number that grows. */
const VALUES = 'value|text|input|filter|query|params|step|moment|first|count|limit|offset';

/** What touches the system, the network or the window is in one place each; text is data; time and chance have one source. */
export const CODE_RULES: readonly CodeRule[] = [
  {
    name: 'one-ear-for-pages',
    why: 'Messages of a page come in through sender.ts, which proves who sent them.',
    find: namedImport('electron', 'ipcMain'),
    but: [`${ELECTRON}trusted-sender.ts`],
    planted: ["import { app, ipcMain } from 'electron';"],
  },
  {
    name: 'one-maker-of-windows',
    why: 'Every window has the settings of window-settings.ts.',
    find: any('new BrowserWindow($$$A)', 'new WebContentsView($$$A)', 'new BrowserView($$$A)'),
    but: [`${ELECTRON}main.ts`],
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
    find: any(namedImport('electron', 'shell'), '$X.openExternal($$$A)', '$X.openPath($$$A)'),
    but: [`${ELECTRON}restrict-page.ts`],
    planted: ["import { shell } from 'electron';", "shell.openPath('/etc');"],
  },
  {
    name: 'no-code-into-a-page',
    why: 'Main never runs text as a script in a page.',
    find: any('$X.executeJavaScript($$$A)', '$X.insertCSS($$$A)', '$X.addScriptToEvaluateOnNewDocument($$$A)'),
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
    find: any('contextBridge.exposeInMainWorld($N, ipcRenderer)', '{ $$$A, ipcRenderer, $$$B }'),
    only: ['preload/'],
    planted: ["contextBridge.exposeInMainWorld('ipc', ipcRenderer);"],
  },
  {
    name: 'threads-are-started-in-named-places',
    why: 'Each place bounds the memory of its thread and says what becomes of it when it fails.',
    find: any('new Worker($$$A)', 'new SharedWorker($$$A)', namedImport('electron', 'utilityProcess')),
    but: [
      'main/files/spreadsheet/exchange-thread.ts',
      'main/files/probe/prober.ts',
      'main/app/workers.ts',
      'main/practice/practice-service.ts',
      'main/store/worker/start-thread.ts',
    ],
    planted: ["new Worker(new URL('./x.js', import.meta.url));", "import { utilityProcess } from 'electron';"],
  },
  {
    name: 'the-runtime-fetches-nothing',
    why: "Requests go through main/api; the page's own addresses are served in one place.",
    find: any(namedImport('electron', 'net'), namedImport('electron', 'protocol'), '$X.interceptHttpProtocol($$$A)'),
    but: [`${ELECTRON}main.ts`],
    planted: ["import { net } from 'electron';", "import { app, protocol } from 'electron';"],
  },
  {
    name: 'no-second-engine',
    why: 'No native module runs foreign code here.',
    find: { pattern: 'process.dlopen($$$A)' },
    planted: ['process.dlopen(module, path);'],
  },
  {
    name: 'servers-listen-on-loopback',
    why: 'A server without an address is open to the network.',
    find: any('$S.listen()', '$S.listen($P)', '$S.listen($P, function ($$$A) { $$$B })', '$S.listen($P, () => $$$B)', {
      kind: 'string_fragment',
      regex: '^(0\\.0\\.0\\.0|::)$',
    }),
    // Knows these addresses in order to refuse them.
    but: ['main/files/upload/upload-url-check.ts'],
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
    find: any('createServer($$$A)', 'new WebSocketServer($$$A)'),
    but: ['main/hosts/web/server.ts', 'main/hosts/web/server.ts', 'sandbox/wire/server.ts', 'sandbox/start.ts'],
    planted: ['const server = createServer(answer);'],
  },
  {
    name: 'secrets-are-compared-in-constant-time',
    why: 'A comparison that ends at the first difference tells, try by try, how much of a guess was right.',
    find: any('$A.equals($B)', '$A.compare($B)', 'Buffer.compare($A, $B)'),
    only: ['main/hosts/web/'],
    planted: ['if (session.tokenHash.equals(tokenHash)) enter();', 'Buffer.compare(one, other);'],
  },
  {
    name: 'no-cross-origin-gifts',
    why: 'No header lets a page of another origin read an answer of the web host.',
    find: { kind: 'string_fragment', regex: '^[Aa]ccess-[Cc]ontrol-' },
    only: ['main/hosts/'],
    planted: ["response.setHeader('Access-Control-Allow-Origin', origin);"],
  },
  {
    name: 'forwarded-headers-are-not-read',
    why: 'Anybody can send them.',
    find: { kind: 'string_fragment', regex: '^(x-forwarded-.*|forwarded|x-real-ip)$' },
    only: ['main/'],
    planted: ["const host = request.headers['x-forwarded-host'];"],
  },
  {
    name: 'requests-go-through-the-client',
    why: 'Signing, limits and the table of outcomes sit in main/api.',
    find: any('fetch($$$A)', 'globalThis.fetch($$$A)', 'httpRequest($$$A)', 'httpsRequest($$$A)'),
    only: ['main/', 'shared/', 'preload/'],
    // Uploads, reports and pictures go to addresses that are checked first, by requests that follow nothing.
    but: ['main/api/', 'main/practice/', 'main/reports/', 'main/files/upload/', 'main/files/pictures/'],
    planted: ['await globalThis.fetch(url);', "await fetch('https://example.org');"],
  },
  {
    name: 'the-page-speaks-to-its-host-only',
    why: 'The window asks main through the contract.',
    find: any(
      '$X.fetch($$$A)',
      'fetch($$$A)',
      'new WebSocket($$$A)',
      'new EventSource($$$A)',
      'navigator.sendBeacon($$$A)',
      'new XMLHttpRequest()',
    ),
    only: ['renderer/'],
    but: ['renderer/app/transport/'],
    planted: ["page.fetch('/x');", "new WebSocket('ws://x');"],
  },
  {
    name: 'redirects-are-not-followed',
    why: 'A redirect would carry the signature to another host.',
    find: { pattern: { context: "({ redirect: 'follow' })", selector: 'pair' } },
    planted: ["fetch(url, { redirect: 'follow' });"],
  },
  {
    name: 'writes-are-not-repeated-by-the-client',
    why: 'A write is sent again only after a proof that it did not arrive.',
    find: { kind: 'pair', regex: '^retry: *([1-9]|\\{)' },
    only: ['main/'],
    planted: ['ky.create({ retry: 2 });', "ky.create({ retry: { limit: 2, methods: ['put'] } });"],
  },
  {
    name: 'bytes-of-postgresql-stay-whole',
    why: 'The library damages bytes that it reads in binary mode.',
    find: { pattern: { context: '({ binary: true })', selector: 'pair' } },
    planted: ['new Client({ host, binary: true });'],
  },
  {
    name: 'postgresql-is-named-field-by-field',
    why: 'A URL may turn off the check of the certificate, and leaves fields to the environment.',
    find: any(
      {
        regex: '^connectionString$',
        any: [{ kind: 'property_identifier' }, { kind: 'shorthand_property_identifier' }],
      },
      { kind: 'string_fragment', regex: '^postgres(ql)?://' },
    ),
    planted: ['new Client({ connectionString });', "new Client('postgres://team@db.example/team');"],
  },
  {
    name: 'functions-with-the-rights-of-the-owner-look-nowhere-else',
    why: 'A search path of the caller could put a table of theirs in the place of ours.',
    find: { kind: 'string_fragment', regex: 'SECURITY DEFINER($|[^ ]| [^S]| SET [^s])' },
    planted: ['const sql = `CREATE FUNCTION f() RETURNS int LANGUAGE sql SECURITY DEFINER AS $$ SELECT 1 $$`;'],
  },
  {
    name: 'certificates-are-checked',
    why: 'There is no "continue anyway".',
    find: any(
      { kind: 'property_identifier', regex: '^(checkServerIdentity|setCertificateVerifyProc)$' },
      {
        kind: 'property_identifier',
        regex: '^rejectUnauthorized$',
        not: { inside: { kind: 'pair', has: { kind: 'true' } } },
      },
      { kind: 'property_identifier', regex: '^NODE_TLS_REJECT_UNAUTHORIZED$' },
      { kind: 'string_fragment', regex: '^NODE_TLS_REJECT_UNAUTHORIZED$' },
    ),
    // Says so in full, so that no variable of the environment says otherwise.
    but: ['main/team/team-place.ts'],
    planted: [
      "process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';",
      'https.request({ rejectUnauthorized: false });',
      "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';",
    ],
  },
  {
    name: 'answers-are-read-without-loss',
    why: 'An id of 16 digits and more does not survive JSON.parse; main/api/lossless-json.ts reads it as text.',
    find: { pattern: 'JSON.parse($$$A)' },
    only: ['main/api/'],
    // The second reads single texts out of their quotes, and no numbers.
    but: ['main/api/lossless-json.ts', 'main/api/response-record.ts'],
    planted: ['const body = JSON.parse(text);'],
  },
  {
    name: 'no-markup-from-text',
    why: 'Names and messages of others are text nodes, never markup.',
    find: any(
      {
        kind: 'property_identifier',
        regex:
          '^(innerHTML|outerHTML|srcdoc|srcDoc|dangerouslySetInnerHTML|insertAdjacentHTML|createContextualFragment|setHTMLUnsafe)$',
      },
      'document.write($$$A)',
    ),
    planted: [
      'const part = <iframe srcDoc={name} />;',
      'node.innerHTML = name;',
      "node.insertAdjacentHTML('beforeend', name);",
      'document.write(name);',
    ],
  },
  {
    name: 'no-trusted-types-policy',
    why: 'The page policy names none; one that is made here would open it.',
    find: any('$X.createPolicy($$$A)', {
      kind: 'string_fragment',
      regex: 'allow-duplicates|unsafe-eval|unsafe-inline',
    }),
    planted: ["trustedTypes.createPolicy('default', {});", 'const policy = "script-src \'unsafe-inline\'";'],
  },
  {
    name: 'chance-comes-from-the-system',
    why: 'Ids, codes and nonces must not be guessable.',
    find: { pattern: 'Math.random()' },
    planted: ['const id = Math.random().toString(36);'],
  },
  {
    name: 'one-clock',
    why: 'Tests move the time; whoever reads it elsewhere cannot be tested.',
    find: any('Date.now()', 'new Date()'),
    only: ['main/', 'shared/'],
    but: ['main/app/clock.ts', 'main/hosts/cli/demo/'],
    planted: ['const at = Date.now();', 'const today = new Date();'],
  },
  {
    name: 'sync-has-no-clock-of-its-own',
    why: 'The simulator moves the time and decides the chance of a run: all of it comes by its ports.',
    find: any(
      { kind: 'identifier', regex: '^(performance|setTimeout|setInterval|setImmediate)$' },
      'Math.random',
      'process.nextTick',
      'process.hrtime',
      importOf('node:timers.*|timers.*|node:perf_hooks|perf_hooks'),
    ),
    only: ['main/sync/'],
    // The one place that builds the real ports.
    but: ['main/sync/service.ts'],
    planted: [
      'const random = deps.random ?? Math.random;',
      'setTimeout(look, 1000);',
      'const begin = performance.now();',
      "import { setTimeout as delay } from 'node:timers/promises';",
    ],
  },
  {
    name: 'one-log',
    why: 'The log takes listed fields only; the console takes everything.',
    find: { pattern: 'console.$M($$$A)' },
    planted: ['console.log(secret);'],
  },
  {
    name: 'words-of-the-environment-are-read-by-entries',
    why: 'What a program does is decided by its arguments, not by its surroundings.',
    find: any('process.env', 'const { env } = process'),
    only: ['main/', 'shared/', 'preload/', 'sandbox/'],
    but: ['main/hosts/'],
    planted: ["const level = process.env['LEVEL'];"],
  },
  {
    name: 'no-extensions-in-the-database',
    why: 'A workspace file from somebody else must not be able to load code.',
    find: any(
      { kind: 'property_identifier', regex: '^(enableLoadExtension|loadExtension)$' },
      { kind: 'pair', regex: '^allowExtension: *[^f ]' },
    ),
    planted: ['database.enableLoadExtension(true);', 'new DatabaseSync(file, { allowExtension: true });'],
  },
  {
    name: 'no-values-in-sql',
    why: 'Values are bound; only names of our own tables and columns, and constants, are written into a statement.',
    find: {
      kind: 'template_substitution',
      inside: { kind: 'template_string', regex: '\\b(SELECT|FROM|WHERE|SET|VALUES|LIMIT|AND|OR|IN|UNION|PRAGMA)\\b' },
      regex: `^.\\{([\\w.]+\\.)?(id|ids|\\w+(Id|Ids|Ms|Count|Limit)|${VALUES})( *[-+] *\\w+)?\\}$`,
    },
    only: ['main/', 'sandbox/'],
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the planted sources are templates, these texts are not
    planted: [
      "database.prepare(`SELECT * FROM row WHERE name = '${input}'`);",
      'readIds(db, `SELECT id FROM (${view.sql}) WHERE id > ${view.highestId}`);',
      'db.run(`INSERT INTO step_row SELECT ${step}, id FROM row`);',
      'const where = `k.parent = ${ref.id} AND k.dirty = 0`;',
      'db.all(`${sql} LIMIT ${count}`);',
      'db.run(`UPDATE row SET id = ${firstId - 1}`);',
    ],
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above
  },
  {
    name: 'no-slow-patterns',
    why: 'A repeated group of repetitions can take for ever on a text made for it.',
    find: { kind: 'regex_pattern', regex: '\\([^()|]*[+*][^()|]*\\)[+*]' },
    planted: ['const pattern = /^(a+)+$/;'],
  },
  {
    name: 'parsed-objects-are-not-assigned',
    why: 'Object.assign takes a planted prototype along; a spread does not.',
    find: { pattern: 'Object.assign($T, JSON.parse($A))' },
    planted: ['Object.assign(settings, JSON.parse(text));'],
  },
  {
    name: 'messages-name-their-receiver',
    why: 'A message to "*" is a message to anybody.',
    find: any("$W.postMessage($M, '*', $$$R)", "$W.postMessage($M, '*')"),
    planted: ["window.parent.postMessage(port, '*', [port]);", "page.postMessage('ready', '*');"],
  },
  {
    name: 'nothing-is-kept-by-the-browser',
    why: 'Local storage outlives the session and knows no lock; only the page token lies in the tab, and a layout on its way to the next page.',
    find: any(
      { kind: 'identifier', regex: '^(localStorage|sessionStorage|indexedDB)$' },
      { kind: 'property_identifier', regex: '^(localStorage|sessionStorage|indexedDB)$' },
      'document.cookie',
    ),
    but: ['renderer/app/transport/web.ts', 'renderer/app/save-layout.ts'],
    planted: ["localStorage.setItem('token', token);", 'const all = document.cookie;'],
  },
  {
    name: 'no-weak-hashes',
    why: 'MD5 and SHA-1 can be made to collide.',
    find: {
      any: [
        { pattern: 'createHash($A)' },
        { pattern: '$X.createHash($A)' },
        { pattern: 'createHmac($A, $K)' },
        { pattern: 'hash($A, $$$B)' },
      ],
      has: { kind: 'string_fragment', regex: '^(md4|md5|sha1|sha-1|ripemd160)$', stopBy: 'end' },
    },
    but: ['sandbox/'],
    planted: [
      "createHash('md5').update(bytes);",
      "crypto.createHash('sha1');",
      "createHmac('md5', key);",
      "hash('md5', text);",
    ],
  },
  {
    name: 'no-swallowed-failures',
    why: 'A failure that nobody hears of is found by the user.',
    find: { pattern: '$P.catch(() => {})' },
    planted: ['save().catch(() => {});'],
  },
];
