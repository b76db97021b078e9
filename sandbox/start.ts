import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClock } from './clock.ts';
import { createFaultList } from './control/fault-list.ts';
import { keepHistory } from './demand/history.ts';
import { faultText } from './disk-fault.ts';
import { tick } from './due-handlers.ts';
import { limits } from './limits.ts';
import { type Account, createStandardPrincipals, listAccounts } from './principals.ts';
import { NO_QUIRKS } from './quirks.ts';
import { firstAdvertiser, isNew, loadScenario } from './scenarios/load.ts';
import type { SandboxOptions, Service, Settings } from './service.ts';
import { openStore } from './store.ts';
import { createRateBucket } from './wire/rate-bucket.ts';
import { createRequestLog } from './wire/request-log.ts';
import { createTestModes } from './wire/respond.ts';
import { createSandboxServer } from './wire/server.ts';

export type { SandboxOptions } from './service.ts';

/** The ready line: everything that a client needs. */
export interface ReadyLine {
  readonly ready: true;
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly retailHost: string;
  readonly headerPrefix: string;
  readonly accounts: readonly Account[];
}

export interface RunningSandbox {
  readonly ready: ReadyLine;
  /** Stops the sandbox: open connections are closed, running calls are completed or dropped, the state is saved. */
  readonly close: () => Promise<void>;
}

const RETAIL_HOST = 'https://shop.example';
/** Interval in which a real clock checks for due events. */
const TICK_MS = 500;

export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const { dataDir } = options;
  if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true });
  const filesDir = dataDir === undefined ? join(tmpdir(), `sandbox-${randomUUID()}`) : join(dataDir, 'files');
  const chosen = settingsFrom(options, filesDir);
  const store = openStore(dataDir === undefined ? ':memory:' : join(dataDir, 'sandbox.db'));
  const settings: Settings = { ...chosen, advertiser: firstAdvertiser(store, options.advertiser) };
  let baseUrl = '';
  const closing = new AbortController();
  const clock = createClock(settings.clock, settings.now === null ? null : Date.parse(settings.now), store);
  keepHistory(store, clock);
  const service: Service = {
    settings,
    store,
    clock,
    requests: createRequestLog(),
    faults: createFaultList(),
    rate: createRateBucket(settings.operationsPerHour),
    modes: createTestModes(settings.quirks),
    closing: closing.signal,
    baseUrl: () => baseUrl,
  };
  const server = createSandboxServer(service);
  try {
    await createStandardPrincipals(service);
    if (isNew(store)) loadScenario(service, settings.scenario);
    baseUrl = `http://127.0.0.1:${await listen(server.http, settings.port)}`;
  } catch (problem) {
    store.close();
    throw problem;
  }
  const ticker = settings.clock === 'virtual' ? undefined : setInterval(() => tickOrReport(service), TICK_MS);
  ticker?.unref();

  return {
    ready: {
      ready: true,
      baseUrl: baseUrl + settings.quirks.basePath,
      controlUrl: `${baseUrl}/sandbox`,
      retailHost: settings.retailHost,
      headerPrefix: settings.quirks.headerPrefix,
      accounts: listAccounts(service),
    },
    close: async () => {
      clearInterval(ticker);
      closing.abort();
      await server.close();
      store.close();
      if (dataDir === undefined) rmSync(filesDir, { recursive: true, force: true });
    },
  };
}

/** A due event that fails is reported and tried again; it must not end the sandbox. */
function tickOrReport(service: Service): void {
  try {
    tick(service);
  } catch (problem) {
    process.stderr.write(`sandbox: a due event failed: ${faultText(problem)}\n`);
  }
}

function settingsFrom(options: SandboxOptions, filesDir: string): Omit<Settings, 'advertiser'> {
  const now = options.now ?? null;
  if (now !== null && Number.isNaN(Date.parse(now))) throw new Error(`now is no ISO 8601 instant: ${now}`);
  return {
    port: options.port ?? 0,
    scenario: options.scenario ?? 'demo',
    now,
    clock: options.clock ?? 'real',
    extensions: options.extensions ?? false,
    credentials: options.credentials ?? 'all',
    seed: options.seed ?? 1,
    operationsPerHour: options.operationsPerHour === undefined ? limits.operationsPerHour : options.operationsPerHour,
    retailHost: RETAIL_HOST,
    quirks: { ...NO_QUIRKS, ...options.quirks },
    filesDir,
  };
}

/** Loopback only: the control interface has no credentials. */
async function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      if (typeof address === 'object' && address !== null) resolve(address.port);
      else reject(new Error('The server has no port'));
    });
  });
}
