import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { AppUpdater, ResolvedUpdateFileInfo, UpdateInfo } from 'electron-updater';
import { getAppCacheDir } from 'electron-updater/out/AppAdapter.js';
import { AppImageUpdater } from 'electron-updater/out/AppImageUpdater.js';
import { BaseUpdater } from 'electron-updater/out/BaseUpdater.js';
import { MacUpdater } from 'electron-updater/out/MacUpdater.js';
import { NsisUpdater } from 'electron-updater/out/NsisUpdater.js';
import { GenericProvider } from 'electron-updater/out/providers/GenericProvider.js';
import type { UpdateProblem, UpdateRefusal, UpdateState } from '../../../shared/api/app.ts';
import type { Updates } from '../../app/host-ports.ts';
import { diskWords, errorCode } from '../../app/system.ts';
import { isSignedList, type UpdateFeed } from './update-feed.ts';

/**
 * Updates of the desktop app by electron-updater, which selects the package of this system, stores its download and
 * starts its installer. The decisions are made here: which feed, which signature, and when the program is replaced.
 *
 *   list + signature --our key--> version is newer --download--> SHA-512 of the list --> ready
 *                                                                                          |
 *             "Restart to update", no work running, SHA-512 once more, everything closed --> replaced
 *
 * The program is replaced only after the user's click, and never by a version older than this one.
 */
export interface UpdatePorts {
  readonly feed: UpdateFeed;
  readonly version: string;
  /** The kind of installation that can be replaced; null for a package manager or a manual one, which only gets a notice. */
  readonly installs: 'appimage' | 'nsis' | 'mac' | null;
  /** Settings file that electron-builder puts into the package. */
  readonly settingsFile: string;
  readonly cacheDir?: string;
  readonly send: typeof fetch;
  /** Milliseconds without a byte after which the feed counts as failed; a list must be complete in this time. */
  readonly patienceMs?: number;
  readonly changed: () => void;
  readonly log: (event: string, fields: { readonly reason: string }) => void;
  /** Running work that must not be interrupted now. */
  readonly busyWith: () => Exclude<UpdateRefusal, 'not-ready'> | null;
  /** Closes everything, then calls `replace`. */
  readonly leave: (replace: () => void) => void;
  readonly quit: () => void;
}

/** The kind of installation that can be replaced: a single-file package not managed by a package manager. */
export function installsHere(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): UpdatePorts['installs'] {
  if (platform === 'darwin') return 'mac';
  if (platform === 'win32') return env['PORTABLE_EXECUTABLE_DIR'] === undefined ? 'nsis' : null;
  return env['APPIMAGE'] === undefined ? null : 'appimage';
}

/** Why a feed is not followed. */
class FeedFailure extends Error {
  readonly problem: UpdateProblem;

  constructor(problem: UpdateProblem, detail: string) {
    super(detail);
    this.problem = problem;
  }
}

const PATIENCE_MS = 30_000;
const LIST_BYTES_MAX = 64 * 1024;
const PACKAGE_BYTES_MAX = 1024 ** 3;

export function createUpdates(ports: UpdatePorts): Updates {
  const updater = updaterFor(ports);
  let state: UpdateState = { state: 'idle' };
  /** The verified package, while there is one. */
  let ready: { readonly file: string; readonly sha512: string } | null = null;
  const become = (next: UpdateState): void => {
    state = next;
    ports.changed();
  };
  const fail = (error: unknown): void => {
    ready = null;
    const problem = problemOf(error);
    ports.log('update failed', { reason: problem });
    become({ state: 'failed', problem });
  };
  updater.on('download-progress', ({ percent }) => {
    const whole = Math.floor(percent);
    if (state.state === 'downloading' && whole !== state.percent) become({ ...state, percent: whole });
  });

  const run = async (): Promise<void> => {
    const found = await updater.checkForUpdates();
    if (found === null || !found.isUpdateAvailable) return become({ state: 'newest' });
    const { version, files } = found.updateInfo;
    if (ports.installs === null) return become({ state: 'newer', version });
    become({ state: 'downloading', version, percent: 0 });
    const [file = ''] = await updater.downloadUpdate(found.cancellationToken);
    const listed = files.find(({ url }) => basename(url) === basename(file));
    if (listed === undefined) throw new FeedFailure('unreadable', `${basename(file)} is not in the list.`);
    ready = { file, sha512: listed.sha512 };
    await verifyFile(ready);
    become({ state: 'ready', version });
  };

  return {
    state: () => state,
    check: () => {
      if (state.state === 'checking' || state.state === 'downloading' || state.state === 'ready') return;
      become({ state: 'checking' });
      void run().catch(fail);
    },
    restart: async () => {
      if (state.state !== 'ready' || ready === null) return 'not-ready';
      try {
        await verifyFile(ready);
      } catch (error) {
        fail(error);
        return 'not-ready';
      }
      // After the wait: work may have begun in it.
      const busy = ports.busyWith();
      if (busy !== null) return busy;
      ports.leave(() => replace(updater, ports));
      return null;
    },
  };
}

function replace(updater: AppUpdater, { quit, log }: UpdatePorts): void {
  // Squirrel replaces the program itself; the others are told not to quit it, because it has quit already.
  if (!(updater instanceof BaseUpdater)) updater.quitAndInstall();
  else {
    if (!updater.install(true, true)) log('update failed', { reason: 'not-installed' });
    quit();
  }
}

function updaterFor(ports: UpdatePorts): AppUpdater {
  const { version, settingsFile, cacheDir = getAppCacheDir(), quit, feed, installs } = ports;
  const Updater = installs === 'nsis' ? NsisUpdater : installs === 'mac' ? MacUpdater : AppImageUpdater;
  const updater = new Updater(undefined, {
    version,
    name: 'Adslate',
    isPackaged: true,
    appUpdateConfigPath: settingsFile,
    userDataPath: cacheDir,
    baseCachePath: cacheDir,
    whenReady: () => Promise.resolve(),
    relaunch: () => {},
    quit,
    onQuit: () => {},
  });
  updater.logger = null;
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.disableWebInstaller = true;
  // Complete files only: assembling a package from parts would be one more thing to trust.
  updater.disableDifferentialDownload = true;
  updater.forceDevUpdateConfig = installs === null;
  // The library's own executor uses Chromium's network, follows redirects and has no timeout.
  Object.assign(updater, { httpExecutor: createExecutor(ports) });
  updater.setFeedURL({ provider: 'custom', updateProvider: signedProvider(feed) });
  return updater;
}

/** Reads a release list only with a valid signature, and accepts files of the feed only. */
const signedProvider = (feed: UpdateFeed) =>
  class extends GenericProvider {
    constructor(_options: object, updater: AppUpdater, runtime: ConstructorParameters<typeof GenericProvider>[2]) {
      super({ provider: 'generic', url: feed.url }, updater, runtime);
    }

    /** The library would send an ID of this computer with every request. */
    override setRequestHeaders(): void {
      super.setRequestHeaders(null);
    }

    protected override async httpRequest(url: URL): Promise<string> {
      const list = (await super.httpRequest(url)) ?? '';
      const name = basename(url.pathname);
      const signature = await super.httpRequest(new URL(`${name}.sig`, feed.url)).catch((error: unknown) => {
        const isMissing = error instanceof FeedFailure && error.problem === 'no-release';
        throw isMissing ? new FeedFailure('unsigned', `${name}.sig is missing.`) : error;
      });
      if (!isSignedList(feed.key, name, list, signature ?? '')) {
        throw new FeedFailure('wrong-signature', `${name}.sig is not of this list.`);
      }
      return list;
    }

    override resolveFiles(info: UpdateInfo): ResolvedUpdateFileInfo[] {
      const files = super.resolveFiles(info);
      for (const { url, info: file } of files) {
        if (!url.href.startsWith(feed.url)) throw new FeedFailure('unreadable', `${url.href} is not in the feed.`);
        // The library would do with a shorter one.
        if (typeof file.sha512 !== 'string') throw new FeedFailure('unreadable', `${file.url} has no SHA-512.`);
      }
      return files;
    }
  };

interface Address {
  readonly protocol?: string | null;
  readonly hostname?: string | null;
  readonly port?: string | number | null;
  readonly path?: string | null;
}

interface Download {
  readonly sha512?: string | null;
  readonly onProgress?: (progress: { readonly percent: number }) => void;
}

/** The network access of the library: no redirects, a timeout, and a size limit. */
function createExecutor({ send, patienceMs = PATIENCE_MS }: UpdatePorts) {
  const open = async (url: string, signal: AbortSignal) => {
    const { status, body, headers } = await send(url, { redirect: 'manual', signal, cache: 'no-store' });
    if (status === 404) throw new FeedFailure('no-release', `404 for ${url}`);
    if (status !== 200 || body === null) throw new FeedFailure('unreachable', `${status} for ${url}`);
    return { body, bytes: Number(headers.get('content-length') ?? 0) };
  };
  const patiently = async <T>(work: (signal: AbortSignal, onBytes: () => void) => Promise<T>): Promise<T> => {
    const ending = new AbortController();
    const end = (): void => ending.abort(new FeedFailure('timed-out', 'The feed sent nothing.'));
    const timer = setTimeout(end, patienceMs);
    try {
      return await work(ending.signal, () => timer.refresh());
    } catch (error) {
      throw ending.signal.aborted ? ending.signal.reason : error;
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    request: ({ protocol, hostname, port, path }: Address): Promise<string> =>
      patiently(async (signal) => {
        const { body } = await open(`${protocol}//${hostname}${port ? `:${port}` : ''}${path}`, signal);
        const parts: Uint8Array[] = [];
        for await (const part of atMost(LIST_BYTES_MAX, body)) parts.push(part);
        return Buffer.concat(parts).toString('utf8');
      }),
    download: (url: URL, destination: string, { sha512, onProgress }: Download): Promise<string> =>
      patiently(async (signal, onBytes) => {
        const { body, bytes } = await open(url.href, signal);
        const hash = createHash('sha512');
        let done = 0;
        const watched = async function* () {
          for await (const part of atMost(PACKAGE_BYTES_MAX, body)) {
            onBytes();
            hash.update(part);
            done += part.length;
            if (bytes > 0) onProgress?.({ percent: Math.min(100, (100 * done) / bytes) });
            yield part;
          }
        };
        await pipeline(watched, createWriteStream(destination), { signal });
        if (hash.digest('base64') !== sha512) throw new FeedFailure('wrong-checksum', `${url.href} is another file.`);
        return destination;
      }),
  };
}

async function* atMost(bytesMax: number, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > bytesMax) throw new FeedFailure('unreadable', `More than ${bytesMax} bytes.`);
    yield part;
  }
}

async function verifyFile({ file, sha512 }: { readonly file: string; readonly sha512: string }): Promise<void> {
  const hash = createHash('sha512');
  const parts: AsyncIterable<Buffer> = createReadStream(file);
  for await (const part of parts) hash.update(part);
  if (hash.digest('base64') === sha512) return;
  // The library would use it as the downloaded package.
  await rm(file, { force: true });
  throw new FeedFailure('wrong-checksum', `${file} is another file.`);
}

/** Error codes of the library. */
const LIBRARY: Readonly<Record<string, UpdateProblem>> = {
  ERR_UPDATER_INVALID_SIGNATURE: 'wrong-signature',
  ERR_UPDATER_INVALID_UPDATE_INFO: 'unreadable',
  ERR_UPDATER_INVALID_VERSION: 'unreadable',
  ERR_UPDATER_NO_FILES_PROVIDED: 'unreadable',
  ERR_UPDATER_NO_CHECKSUM: 'unreadable',
  ERR_UPDATER_WEB_INSTALLER_DISABLED: 'unreadable',
};

function problemOf(error: unknown): UpdateProblem {
  if (error instanceof FeedFailure) return error.problem;
  // A failed request has its reason as the cause; any other system error is one of the disk.
  return LIBRARY[errorCode(error) ?? ''] ?? (diskWords(error) === null ? 'unreachable' : 'disk');
}
