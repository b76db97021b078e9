import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { appInfo } from '../../../app/app-info.ts';
import { diskWords, freeBytesOn, LOW_SPACE_BYTES } from '../../../app/system.ts';
import { systemKeychain } from '../../keyring/system-keychain.ts';
import { EXIT_CODE } from '../cli-error.ts';
import type { Command } from '../command.ts';

/** Result of one check: its subject, whether it is usable, and otherwise the reason and the next step. */
interface Diagnosis {
  readonly about: 'Node' | 'data folder' | 'keychain' | 'browser' | 'desktop app';
  readonly ok: boolean;
  readonly text: string;
}

/** The parts of the computer that the doctor checks. */
export interface Computer {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isRoot: boolean;
  readonly isExecutable: (path: string) => boolean;
  /** Text of a small system file, without the line end; null when it cannot be read. */
  readonly read: (path: string) => string | null;
  /** The standard error output of a program, and whether it succeeded. */
  readonly run: (path: string, args: readonly string[]) => { readonly ok: boolean; readonly text: string };
  /** The folder of the program with its packages. */
  readonly programFolder: string;
}

const NODE_MAJOR = 24;

const fine = (about: Diagnosis['about'], text: string): Diagnosis => ({ about, ok: true, text });
const problem = (about: Diagnosis['about'], text: string): Diagnosis => ({ about, ok: false, text });

export const diagnoseNode = (version: string): Diagnosis =>
  Number(version.split('.')[0]) >= NODE_MAJOR
    ? fine('Node', `Node ${version}.`)
    : problem('Node', `Node ${version} is too old. Install Node ${NODE_MAJOR}, or start with "npm start".`);

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge', 'firefox'];
const BROWSER_PLACES: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['/Applications/Google Chrome.app', '/Applications/Safari.app', '/Applications/Firefox.app'],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
};

export function diagnoseBrowser({ platform, env, isExecutable }: Computer): Diagnosis {
  const folders = (env['PATH'] ?? '').split(delimiter);
  const inPath = BROWSERS.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = [...inPath, ...(BROWSER_PLACES[platform] ?? [])].find(isExecutable);
  return found === undefined
    ? problem('browser', 'No browser found. Install Chrome, Edge or Firefox, then start again.')
    : fine('browser', `${found} can be used.`);
}

export function diagnoseKeychain({ platform, env }: Computer, store: string | null): Diagnosis {
  if (store !== null) return fine('keychain', `The ${store} of the system answers.`);
  const no = (text: string): Diagnosis =>
    problem(
      'keychain',
      `${text} Until then, store credentials with a passphrase: "adslate credentials storage passphrase".`,
    );
  if (platform !== 'linux') return no('The keychain of the system does not respond. Sign in to the desktop once.');
  if ((env['DBUS_SESSION_BUS_ADDRESS'] ?? '') === '')
    return no(
      'There is no session bus, as over SSH or in a container, so no keychain can be reached. Sign in to a desktop session.',
    );
  return no('No program provides the Secret Service. Install and unlock GNOME Keyring or KWallet.');
}

const ELECTRON: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};

export function diagnoseElectron(computer: Computer): Diagnosis {
  const { platform, env, isRoot, isExecutable, read, run, programFolder } = computer;
  const no = (text: string): Diagnosis => problem('desktop app', `${text} The web version works without it.`);
  const dist = env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(programFolder, 'node_modules', 'electron', 'dist');
  const path = join(dist, ELECTRON[platform] ?? 'electron');
  if (!isExecutable(path))
    return no('The Electron runtime is not installed. Run "npm start" with a network connection once.');
  const isLinux = platform === 'linux';
  if (isLinux && (env['DISPLAY'] ?? '') === '' && (env['WAYLAND_DISPLAY'] ?? '') === '')
    return no(
      'This computer has no display: neither DISPLAY nor WAYLAND_DISPLAY is set. Start from a desktop session.',
    );
  if (isLinux && isRoot) return no('Electron does not start as root. Start as another user.');
  const answer = run(path, ['--version']);
  const library = /error while loading shared libraries: (\S+):/.exec(answer.text)?.[1];
  if (library !== undefined) return no(`The system library ${library} is missing. Install the package that has it.`);
  if (!answer.ok) return no('The Electron runtime does not start on this computer.');
  const namespaces = read('/proc/sys/kernel/unprivileged_userns_clone');
  const restricted = read('/proc/sys/kernel/apparmor_restrict_unprivileged_userns');
  if (isLinux && (namespaces === '0' || restricted === '1'))
    return no(
      'The system forbids the sandbox of the window (user namespaces). Install the package of Adslate, which allows it.',
    );
  return fine('desktop app', `${answer.text.trim()} starts.`);
}

async function diagnoseFolder(dataDir: string): Promise<Diagnosis> {
  // At a first start, the data folder is created in its parent.
  const place = existsSync(dataDir) ? dataDir : dirname(dataDir);
  try {
    accessSync(place, constants.R_OK | constants.W_OK);
    const free = await freeBytesOn(place);
    const mb = Math.floor(free / 2 ** 20);
    if (free < LOW_SPACE_BYTES)
      return problem('data folder', `${dataDir}: only ${mb} MB are free on its disk. Free up space.`);
    return fine('data folder', `${dataDir} can be written, ${mb} MB free.`);
  } catch (error) {
    const why = diskWords(error);
    if (why === null) throw error;
    return problem('data folder', `${dataDir} can't be used: ${why}. Choose another folder with --data.`);
  }
}

const thisComputer = (): Computer => ({
  platform: process.platform,
  env: process.env,
  isRoot: process.getuid?.() === 0,
  isExecutable: canRun,
  read: (path) => (existsSync(path) ? readFileSync(path, 'utf8').trim() : null),
  run: (path, args) => {
    const done = spawnSync(path, [...args], { timeout: 4000, encoding: 'utf8' });
    return { ok: done.status === 0, text: `${done.stdout ?? ''}${done.stderr ?? ''}` };
  },
  // The bundle is two folders below it.
  programFolder: join(import.meta.dirname, '..', '..'),
});

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    if (diskWords(error) === null) throw error;
    return false;
  }
}

const doctor: Command = {
  name: 'doctor',
  purpose: 'Checks whether this computer can run Adslate, and says what is missing.',
  example: 'adslate doctor',
  run: async ({ output, dataDir }) => {
    const computer = thisComputer();
    const { node, sqlite, version } = appInfo('cli');
    const checks = [
      diagnoseNode(node),
      await diagnoseFolder(dataDir),
      diagnoseBrowser(computer),
      diagnoseKeychain(computer, (await systemKeychain())?.name ?? null),
      diagnoseElectron(computer),
    ];
    output.say(`Adslate ${version}, SQLite ${sqlite}.`);
    for (const { about, ok, text } of checks) output.say(`${ok ? 'ok     ' : 'PROBLEM'}  ${about}: ${text}`);
    output.result({ version, sqlite, checks });
    return checks.every(({ ok }) => ok) ? EXIT_CODE.done : EXIT_CODE.refused;
  },
};

export const doctorCommands: readonly Command[] = [doctor];
