import { join, resolve } from 'node:path';
import { createCredentialStore } from '../../accounts/credential-store.ts';
import { createFilePreferences } from '../../accounts/file-preferences.ts';
import { systemClock } from '../../app/clock.ts';
import { LARGE_SYNC_DETAIL, largeSyncQuestion } from '../../app/confirm-large-sync.ts';
import { createFileLog } from '../../app/log.ts';
import { errorCode } from '../../app/system.ts';
import { createCore } from '../../core/core.ts';
import { createDispatch } from '../dispatch/dispatch.ts';
import { systemKeychain } from '../keyring/system-keychain.ts';
import { EXIT, exitOnFatalError, lockDataFolder, openWantedAccount } from '../start/start-host.ts';
import { defaultDataDir, readStartOptions, readyLine, type StartOptions, startedInMs } from '../start/start-options.ts';
import { readWindowFiles } from './file-routes.ts';
import { createLoginLink } from './login-link.ts';
import { startWebServer } from './server.ts';

/** Message in windows while the terminal asks. */
const ASKED = 'Confirm this sync in the terminal where you started Adslate.';

/** The loopback web host: core, dispatch and server, from start to a clean end on SIGTERM or SIGINT. */
async function run(options: StartOptions): Promise<void> {
  const dataDir = resolve(options.dataDir ?? defaultDataDir());
  const held = lockDataFolder(dataDir, systemClock.nowMs());
  if (!held.ok) return stop(EXIT.folderLocked, held.error.message);
  const log = createFileLog(dataDir, systemClock);
  exitOnFatalError(log, (sentence) => {
    stop(EXIT.failed, sentence);
    process.exit();
  });
  const preferences = createFilePreferences(dataDir);
  const core = await createCore({
    dataDir,
    host: 'web',
    clock: systemClock,
    preferences,
    secrets: createCredentialStore({ dataDir, clock: systemClock, keychain: systemKeychain }),
    // Without a terminal, there is no place that only the user sees, so nothing is asked (docs/security.md, T15).
    ...(process.stdin.isTTY
      ? {
          confirmLargeSync: (account, size) =>
            askInTerminal(largeSyncQuestion(account, size, preferences.get().locale)),
        }
      : {}),
  });
  const askInTerminal = async (question: string): Promise<boolean> => {
    core.events.publish({ type: 'notice', workspaceId: null, severity: 'warning', message: ASKED, params: {} });
    return (await links.ask?.(`${question} ${LARGE_SYNC_DETAIL}`)) ?? false;
  };
  const dispatch = createDispatch(core.router, log);
  await openWantedAccount(options, core, preferences, log);
  const server = await startWebServer({
    port: options.port,
    core,
    dispatch,
    files: readWindowFiles(windowFolder()),
    clock: systemClock,
    log,
    onLock: () => links.sayLocked(),
    onSignedOut: () => links.saySignedOut(),
  });
  const links = createLoginLink(server, dataDir);
  let isClosing = false;
  const close = async (): Promise<void> => {
    links.close();
    await server.close();
    await core.close();
    held.value.release();
    process.exit(0);
  };
  // Ctrl+C may reach us from the terminal and from parent programs; closing happens once.
  const end = (): void => {
    if (isClosing) return;
    isClosing = true;
    close().catch(sayWhy);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  if (options.readyJson) {
    process.stdout.write(readyLine('web', links.forProgram(), startedInMs(process.env, systemClock.nowMs())));
  }
  if (options.open) links.openWindow();
  else if (!options.readyJson) links.print();
  // A page will open: from here, or by the user who named the account. Other pages open the core when they sign in.
  if (options.open || options.practice || options.sample) void core.openAhead();
  log('web host ready', { count: server.port });
}

/** The built window, beside the bundle or, while running from source, in the build folder. */
const windowFolder = (): string =>
  import.meta.url.endsWith('.ts')
    ? join(import.meta.dirname, '..', '..', '..', 'out', 'renderer')
    : join(import.meta.dirname, '..', 'renderer');

function stop(code: number, message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = code;
}

function sayWhy(error: unknown): void {
  const problem = error instanceof Error ? error.message : String(error);
  const isPortTaken = errorCode(error) === 'EADDRINUSE';
  const next = isPortTaken ? 'Choose another port with --port N.' : 'The log folder in the data folder has details.';
  stop(EXIT.failed, `Adslate couldn't start: ${problem}\n${next}`);
  process.exit();
}

const options = readStartOptions(process.argv.slice(2));
if (options.ok) run(options.value).catch(sayWhy);
else stop(EXIT.usage, options.error.message);
