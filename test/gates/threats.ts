/** A test that shows a row: its file, and the words that its title begins with. */
type Shown = readonly [file: string, title: string];

export interface Threat {
  readonly id: string;
  /** What is at stake and from whom, by the letters of docs/security.md. */
  readonly what: string;
  readonly from: string;
  readonly how: string;
  readonly against: string;
  /** Empty where the threat is out of reach. */
  readonly tests: readonly Shown[];
}

export interface Fault {
  readonly id: string;
  readonly fault: string;
  readonly against: string;
  readonly tests: readonly Shown[];
}

/** The tables of docs/security.md. `vitest run test/gates/threats.test.ts -u` writes them. */
export const THREATS: readonly Threat[] = [
  {
    id: 'T1',
    what: 'A',
    from: 'M',
    how: 'a crash or a lost answer makes a campaign twice',
    against: 'intent on disk before the request; in doubt until proven; one campaign a request',
    tests: [
      [
        'test/sync/simulator.test.ts',
        'in every life with faults, crashes, pauses and full disks, everything is there once in the end',
      ],
    ],
  },
  {
    id: 'T2',
    what: 'A',
    from: 'M',
    how: 'an old backup or a copied folder sends everything again',
    against: 'openings are counted, the side journal is read back',
    tests: [['test/sync/restore.test.ts', 'a backup from before a sync sends nothing a second time']],
  },
  {
    id: 'T3',
    what: 'W',
    from: 'M',
    how: 'a power cut, a full disk or a kill loses edits',
    against: 'acknowledged after the commit is durable',
    tests: [
      [
        'test/workspace/crash.test.ts',
        'after kill -9 in the middle of edits, every acknowledged one is there and none is half there',
      ],
    ],
  },
  {
    id: 'T4',
    what: 'W',
    from: 'M',
    how: 'two programs write one workspace',
    against: 'a lock of the operating system, and a fence',
    tests: [['test/workspace/opening.test.ts', 'another process is refused as well']],
  },
  {
    id: 'T5',
    what: 'W',
    from: 'M',
    how: 'a migration dies half way',
    against: 'copied first; one transaction with its version',
    tests: [
      [
        'test/workspace/schema.test.ts',
        'a file of every earlier schema is brought to the newest, with its rows as they were',
      ],
      [
        'test/workspace/migration.test.ts',
        'a disk that is full at any page of a migration leaves one schema or the next, whole, and the rest goes on later',
      ],
    ],
  },
  {
    id: 'T6',
    what: 'W',
    from: 'D M',
    how: 'a damaged or foreign file is opened',
    against: 'header, application id, checks; quarantine',
    tests: [['test/workspace/opening.test.ts', 'a database of another program is refused']],
  },
  {
    id: 'T7',
    what: 'A',
    from: 'M',
    how: "somebody else's change is overwritten",
    against: 'merged three ways before anything is sent',
    tests: [
      [
        'test/sync/practice-run.test.ts',
        'what somebody else changed meanwhile becomes a conflict and is not overwritten',
      ],
    ],
  },
  {
    id: 'T8',
    what: 'A',
    from: 'S',
    how: 'shuffled or wrong ids are attached to the wrong thing',
    against: 'results are matched one by one; an id is read back',
    tests: [
      [
        'test/api/classify.test.ts',
        'shuffled, short, doubled and wrongly typed results never give two elements one id',
      ],
    ],
  },
  {
    id: 'T9',
    what: 'K',
    from: 'S',
    how: 'an upload address leads elsewhere and takes the credentials along',
    against: 'uploads carry type and length only',
    tests: [
      ['test/sync/upload.test.ts', 'the file arrives whole, with its type and length and no credentials'],
      [
        'test/sync/upload-tls.test.ts',
        'once allowed, both files arrive whole, each by itself and without any credential',
      ],
    ],
  },
  {
    id: 'T10',
    what: 'K',
    from: 'S N',
    how: 'a redirect takes the signature along',
    against: 'never followed',
    tests: [['test/api/http.test.ts', 'a redirect is not followed: the other place sees nothing']],
  },
  {
    id: 'T11',
    what: 'F A',
    from: 'S',
    how: 'an upload address leads into the machine or its network',
    against: 'every address of a name is checked, and the checked one is connected to',
    tests: [
      [
        'test/sync/address-guard.test.ts',
        'a host is connected to at the address that was checked, and not at all when one of its addresses is private',
      ],
    ],
  },
  {
    id: 'T12',
    what: 'K',
    from: 'N',
    how: 'a false certificate, or none',
    against: 'https only, no way to continue anyway',
    tests: [['test/hosts/certificates.test.ts', 'it gets no request, and there is no way to continue anyway']],
  },
  {
    id: 'T13',
    what: 'K',
    from: 'L U',
    how: 'secrets are read from the disk',
    against: 'the grades above',
    tests: [
      [
        'test/hosts/canaries.test.ts',
        '24 secrets go through every path, and none is found on the disk, in a log, an answer, an address or the process list',
      ],
    ],
  },
  {
    id: 'T14',
    what: 'K',
    from: 'R',
    how: 'a window asks for the key, or has a text signed',
    against: 'there is no such operation',
    tests: [
      [
        'test/hosts/places.test.ts',
        'no answer has a place for a secret, and none for a signature of a text that was asked for',
      ],
    ],
  },
  {
    id: 'T15',
    what: 'A',
    from: 'R',
    how: 'a window that was taken over sends mass changes',
    against:
      'a plan is worked out in main; above 500 creates or 100,000 of budgets in one run, main asks outside every window: in a dialog of the system, or in the terminal of the web host; an account that only looks refuses to send',
    tests: [
      ['test/hosts/ask-to-send.test.ts', 'what was added while the question stood is asked about again'],
      [
        'test/hosts/electron-start.test.ts',
        'a page cannot have much money committed: main asks, and the safe answer sends nothing',
      ],
    ],
  },
  {
    id: 'T16',
    what: 'C',
    from: 'D',
    how: 'a name, a headline or a message runs as a script',
    against:
      'text nodes only, Trusted Types, a policy without inline code, whose breaches are counted over all end-to-end specs',
    tests: [
      [
        'test/e2e/injection.web.spec.ts',
        '60 texts that would be scripts are texts in every view: nothing runs and nothing is asked for',
      ],
    ],
  },
  {
    id: 'T17',
    what: 'F',
    from: 'R',
    how: 'a window reads any file',
    against:
      "files cross as grants, checked again before each use; the desktop asks once for each folder, outside every window; one that is dragged out is named by a handle of the window's own account",
    tests: [
      ['test/media/file-grants.test.ts', 'a link put in the place of the file is refused'],
      [
        'test/hosts/used-folders.test.ts',
        'what lies below a folder is another one, and a link leads to the folder it points into',
      ],
    ],
  },
  {
    id: 'T18',
    what: 'C',
    from: 'R',
    how: 'a window leaves its page, opens another, embeds one',
    against: "all are prevented; links are shown and go to the system's browser",
    tests: [
      ['test/hosts/electron-start.test.ts', 'no way leads out of the page, and links are asked about first'],
      ['test/hosts/confinement.test.ts', 'is asked about one at a time, so that a page cannot bury the desk'],
    ],
  },
  {
    id: 'T19',
    what: 'C',
    from: 'D',
    how: 'a link runs an action or passes a switch',
    against:
      'one form, that can only show; the last word alone is read; an opened file becomes a preview; a task opens a form of a fixed list',
    tests: [
      ['test/hosts/arrivals.test.ts', 'a link into an account that is not here only brings the window to the front'],
      [
        'test/hosts/electron-start.test.ts',
        'once it is packaged it takes no words of a start, and keeps switches out of the links it is handed',
      ],
    ],
  },
  {
    id: 'T20',
    what: 'C',
    from: 'U',
    how: 'environment or debugger take the app over',
    against: 'fuses; one that nobody has decided ends the packaging',
    tests: [
      [
        'test/hosts/packed-app.test.ts',
        'every fuse of the binary is switched: no Node mode, no options, no debugger, no code from elsewhere',
      ],
      ['test/hosts/packed-app.test.ts', 'a fuse of a later runtime, which nobody has decided, ends the packaging'],
    ],
  },
  {
    id: 'T21',
    what: 'C',
    from: 'U',
    how: 'the archive of the app is replaced',
    against:
      'every file of the archive is sealed by its hash; integrity fuse (macOS, Windows), code from the archive only',
    tests: [
      [
        'test/hosts/packed-app.test.ts',
        'with one byte turned over breaks the seal, which the switched fuse makes the runtime look at',
      ],
    ],
  },
  {
    id: 'T22',
    what: 'C',
    from: 'N S',
    how: 'a hostile update',
    against: 'there are no updates by the app; at most it says that a newer version is out, with an https link',
    tests: [['test/hosts/packaging.test.ts', 'nothing is published and nothing is fetched at start']],
  },
  {
    id: 'T23',
    what: 'C',
    from: 'Y',
    how: 'a package of others turns hostile',
    against:
      'exact pins, proven content, no install scripts, a bill of materials; workflows start nothing that can be moved, and a weekly one says when Electron is too old to be repaired',
    tests: [
      [
        'test/gates/lock-file.test.ts',
        'every package is proven by its content, from the registry, without a script of its own, under a licence we may use',
      ],
      ['test/gates/workflows.test.ts', '%s only reads, and starts nothing that is not pinned by its content'],
    ],
  },
  {
    id: 'T24',
    what: 'A W',
    from: 'P',
    how: 'a page speaks to the web host',
    against: 'exact Host and Origin, fetch metadata, cookie and token together',
    tests: [['test/hosts/requests.test.ts', 'both proofs are needed: cookie and token']],
  },
  {
    id: 'T25',
    what: 'A W',
    from: 'L',
    how: 'another user connects to the port',
    against: 'token, file modes',
    tests: [
      [
        'test/hosts/crowd.test.ts',
        'another user of the machine reads no file of the folder and gets no answer but a refusal',
      ],
      ['test/hosts/process.test.ts', 'in a folder that was there and open to everybody, nothing of ours is'],
    ],
  },
  {
    id: 'T26',
    what: 'K',
    from: 'P',
    how: 'a secret leaks by an address, a referrer, a history',
    against:
      "the one-time code travels in the fragment, and to a browser in a file of the user's own; no secret is in an address",
    tests: [
      ['test/hosts/start-file.test.ts', 'a browser is started on the file: no word of its command line holds the code'],
      ['test/hosts/process.test.ts', 'no start leaves a code or a token on the disk'],
      ['test/hosts/requests.test.ts', 'the page says what it may do, and no page of another origin may read it'],
    ],
  },
  {
    id: 'T27',
    what: 'W',
    from: 'D',
    how: 'a sheet that unpacks without end',
    against: 'caps before reading, in a thread of its own',
    tests: [
      ['test/exchange/read-xlsx.test.ts', 'an archive that unpacks to more than it says is refused before it is read'],
    ],
  },
  {
    id: 'T28',
    what: 'C',
    from: 'D',
    how: "a formula runs in the receiver's spreadsheet",
    against: 'signs are guarded on export and taken off on import',
    tests: [
      [
        'test/shared/sheet.test.ts',
        'a text keeps its signs through export and import, also where a spreadsheet would run it',
      ],
    ],
  },
  {
    id: 'T29',
    what: 'C',
    from: 'D',
    how: 'a planted key reaches every object',
    against: 'keys are dropped, schemas are strict',
    tests: [
      [
        'test/hosts/hostile-calls.test.ts',
        'after all this nothing has leaked into every object, and calls are answered',
      ],
    ],
  },
  {
    id: 'T30',
    what: 'F',
    from: 'D',
    how: 'a file name leads out of its folder',
    against: 'base names, without folders and controls',
    tests: [['test/media/file-grants.test.ts', 'names are shown without folders, controls and direction marks']],
  },
  {
    id: 'T31',
    what: 'C',
    from: 'D',
    how: 'a picture or a film breaks its reader',
    against: 'headers are read in a bounded thread, nothing is decoded in main',
    tests: [['test/media/probe.test.ts', 'never makes the probe throw, whatever its bytes are']],
  },
  {
    id: 'T32',
    what: 'K',
    from: 'M',
    how: 'a secret in a log, an error or a kept answer',
    against:
      'the log takes listed fields; what a request was signed with, and addresses that are good for whoever has them, leave an answer before it is kept',
    tests: [
      ['test/hosts/log.test.ts', 'fields that nobody allowed stay out'],
      [
        'test/api/response-record.test.ts',
        'for any answer: it stays JSON of the same members, and no planted secret is left',
      ],
      ['test/sync/answers.test.ts', 'neither the token, nor a key, nor an address that uploads, is in what is kept'],
    ],
  },
  {
    id: 'T33',
    what: 'W',
    from: 'D',
    how: 'a forged line in the log',
    against: 'one line of JSON an event, controls replaced',
    tests: [['test/hosts/log.test.ts', 'no text can forge a second line or fill the disk']],
  },
  {
    id: 'T34',
    what: 'A',
    from: 'D',
    how: 'a header is injected',
    against: 'headers are made by us; a value that would begin another one is not sent',
    tests: [['test/api/http.test.ts', '%s that would begin another header is not sent']],
  },
  {
    id: 'T35',
    what: 'W A',
    from: 'S',
    how: 'endless or nested answers',
    against: '4 MiB, a cap on unpacked bytes, a cap on depth',
    tests: [['test/api/http.test.ts', 'an endless answer and a well-packed one stop at the limit']],
  },
  {
    id: 'T36',
    what: 'A',
    from: 'S',
    how: 'a storm of 429, or a wait of ten years',
    against: 'an hour is waited out at most, a longer wait ends the run and is told; a budget an hour',
    tests: [
      [
        'test/api/classify.test.ts',
        '429 is for later, with the wait the service asks for, however long, and at least a second',
      ],
    ],
  },
  {
    id: 'T37',
    what: 'A',
    from: 'M',
    how: 'a clock that is hours off',
    against: "the service's date corrects it once",
    tests: [['test/api/http.test.ts', 'a clock that is hours off is corrected by the Date of the answer, once']],
  },
  {
    id: 'T38',
    what: 'A',
    from: 'M',
    how: 'a draft of the practice account goes to the real one',
    against: "an account's address is fixed; it shows what it is",
    tests: [
      [
        'test/hosts/places.test.ts',
        'no operation but the one that connects an account says where its requests go, so a draft cannot change sides',
      ],
      ['test/e2e/start.spec.ts', 'a first start opens on the practice account and says that it is one'],
    ],
  },
  {
    id: 'T39',
    what: 'K',
    from: 'U',
    how: 'clipboard, screenshots, memory',
    against: 'out of reach of a program of the same user',
    tests: [],
  },
  {
    id: 'T40',
    what: 'A',
    from: 'D',
    how: 'an id without its zeros names another item',
    against: 'ids are text; damaged ones are refused, never repaired',
    tests: [['test/shared/sheet.test.ts', 'ids that a spreadsheet program damaged are refused, never repaired']],
  },
  {
    id: 'T41',
    what: 'A',
    from: 'M',
    how: '12.345 becomes 12.35',
    against: 'decimal text, money in whole cents',
    tests: [
      ['test/shared/cell-text.test.ts', 'surplus decimals of a multiplier are cut by their digits, never rounded'],
    ],
  },
  {
    id: 'T42',
    what: 'W',
    from: 'Y M',
    how: 'an upgrade brings an older SQLite',
    against: 'asserted at start',
    tests: [['test/workspace/opening.test.ts', 'an SQLite that is too old is named, with what to install']],
  },
  {
    id: 'T43',
    what: 'A',
    from: 'S',
    how: 'a 200 with the text of an error counts as success',
    against: 'the table of outcomes',
    tests: [
      ['test/api/classify.test.ts', 'whatever arrives, the table answers, and only proof makes a write repeatable'],
    ],
  },
  {
    id: 'T44',
    what: 'W',
    from: 'M',
    how: 'the user cannot get the data out',
    against: 'a damaged or newer file can be looked at and exported',
    tests: [
      [
        'test/core/getting-out.test.ts',
        'what a newer Adslate has written is exported as a sheet and as an archive, and refuses edits',
      ],
      [
        'test/workspace/safety.test.ts',
        'of a damaged file everything that can be read is salvaged, and the result is a sound workspace',
      ],
    ],
  },
  {
    id: 'T45',
    what: 'W',
    from: 'D',
    how: 'a file of changes is altered on its way, or is of another writer than it says',
    against: 'Ed25519 over every part; an altered one is refused, and a key that is new here is named as such',
    tests: [['test/exchange/signature.test.ts', 'no bit of what was signed can be turned without notice']],
  },
  {
    id: 'T46',
    what: 'C',
    from: 'B',
    how: 'a picture that the service names is a page, a bomb, or leads into a private network',
    against:
      'main alone fetches it, from allowed hosts that are resolved once: no redirect, nothing packed, 2 MiB, 15 s, four at once; kind and size are read from the header, at most 4096 pixels a side; the window gets a preview handle under `sandbox` and `nosniff`',
    tests: [
      ['test/pictures/pictures.test.ts', 'what is no picture to draw never reaches a window'],
      ['test/pictures/pictures.test.ts', 'only hosts that are allowed are asked, and none in a private network'],
    ],
  },
];

export const FAULTS: readonly Fault[] = [
  {
    id: 'F115',
    fault: 'the key store is locked, changed or reset',
    against: 'nothing goes in or out, nothing is deleted, the user chooses',
    tests: [['test/hosts/secrets.test.ts', 'when it is %s, nothing goes in or out and nothing is deleted']],
  },
  {
    id: 'F117',
    fault: 'a page fails again and again',
    against: 'after the third time in a minute it is not loaded again but asked: plain views, or quit',
    tests: [
      [
        'test/hosts/electron-start.test.ts',
        'a file of a second start reaches the page, an account has one window, and a page that fails is not loaded for ever',
      ],
    ],
  },
  {
    id: 'F121',
    fault: 'quitting during a sync',
    against: 'asks, waits five seconds, the rest is settled at the next start',
    tests: [['test/hosts/desktop.test.ts', 'does not wait for ever, and says what went wrong']],
  },
  {
    id: 'F125',
    fault: 'a link with switches, of 64 KB, of another scheme, to an unknown account',
    against: 'ignored; the window comes to the front',
    tests: [['test/hosts/desktop.test.ts', 'what stands before the last word changes nothing']],
  },
  {
    id: 'F129',
    fault: 'a wrong, missing, doubled or rebound Host',
    against: '421',
    tests: [['test/hosts/requests.test.ts', 'a missing and a doubled name are refused']],
  },
  {
    id: 'F130',
    fault: 'a wrong or missing Origin',
    against: '403',
    tests: [['test/hosts/requests.test.ts', 'a request that does not say where it comes from may not write']],
  },
  {
    id: 'F131',
    fault: 'a request of a foreign page',
    against: '403',
    tests: [
      ['test/hosts/requests.test.ts', 'what a %s page loads is refused'],
      ['test/hosts/requests.test.ts', 'the start file may bring a browser to the page, and to nothing else'],
    ],
  },
  {
    id: 'F132',
    fault: 'a method that is none',
    against: '405',
    tests: [['test/hosts/requests.test.ts', '%s is no method here']],
  },
  {
    id: 'F133',
    fault: 'another content type',
    against: '415',
    tests: [['test/hosts/requests.test.ts', 'with "%s" a body is not read']],
  },
  {
    id: 'F134',
    fault: 'a body that is too long',
    against: '413',
    tests: [['test/hosts/requests.test.ts', 'a body that is too long is not read']],
  },
  {
    id: 'F135',
    fault: 'headers that never end',
    against: 'cut off after ten seconds',
    tests: [
      [
        'test/hosts/crowd.test.ts',
        'beside 500 connections that say nothing, a page works on, and those that began a request are cut off',
      ],
    ],
  },
  {
    id: 'F136',
    fault: 'a path that leads out',
    against: '404',
    tests: [['test/hosts/requests.test.ts', '%s is not there']],
  },
  {
    id: 'F137',
    fault: 'two lengths, or a request to a proxy',
    against: '400',
    tests: [['test/hosts/requests.test.ts', 'a request of two lengths is refused, a request of endless headers too']],
  },
  {
    id: 'F138',
    fault: 'a WebSocket without proof, of another origin, with too much, without text',
    against: 'ended',
    tests: [['test/hosts/signed-sockets.test.ts', 'is cut off when its text is no text']],
  },
  {
    id: 'F139',
    fault: 'the one-time code once more',
    against: '403',
    tests: [['test/hosts/requests.test.ts', 'a code works once']],
  },
  {
    id: 'F140',
    fault: 'a cookie without a token, a token without a cookie',
    against: '403',
    tests: [['test/hosts/requests.test.ts', 'both proofs are needed: cookie and token']],
  },
  {
    id: 'F141',
    fault: 'a page of another port, another user',
    against: 'refused',
    tests: [
      [
        'test/hosts/crowd.test.ts',
        'another user of the machine reads no file of the folder and gets no answer but a refusal',
      ],
    ],
  },
  {
    id: 'F142',
    fault: 'ten wrong codes',
    against: 'locked until a new link, for those outside',
    tests: [
      ['test/hosts/requests.test.ts', 'ten wrong codes lock the door until a new link is made, for those outside'],
    ],
  },
  {
    id: 'F143',
    fault: 'a file beyond the quota, or many files that are beyond it together',
    against: '413 before its bytes are read; the oldest of the many go',
    tests: [
      ['test/hosts/requests.test.ts', 'a file beyond the quota is refused before its bytes are read'],
      [
        'test/media/file-grants.test.ts',
        'a spool that is full lets go of what has been there longest, and keeps a file that fills it alone',
      ],
    ],
  },
  {
    id: 'F144',
    fault: 'twelve hours of rest',
    against: 'signed out',
    tests: [
      ['test/hosts/session-life.test.ts', 'a page that was away for twelve hours has to be opened by a new link'],
    ],
  },
  {
    id: 'F145',
    fault: 'signing out everywhere',
    against: 'every page, socket and waiting link ends',
    tests: [
      [
        'test/hosts/session-life.test.ts',
        'signing out everywhere ends every page, every socket and every link that waits',
      ],
    ],
  },
  {
    id: 'F146',
    fault: 'forwarded headers',
    against: 'not read',
    tests: [['test/hosts/requests.test.ts', 'a forwarded name counts for nothing']],
  },
  {
    id: 'F147',
    fault: 'a port that is taken, a folder that is held',
    against: 'named, with the next step',
    tests: [['test/hosts/process.test.ts', 'a second start on the same folder names the holder and the next step']],
  },
  {
    id: 'F148',
    fault: 'a kill',
    against: 'the next start takes the folder over',
    tests: [['test/hosts/process.test.ts', 'after a kill the next start takes the folder over']],
  },
];
