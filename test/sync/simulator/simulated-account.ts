import { classifyWriteResponse } from '../../../main/api/classify-response.ts';
import type { PartnerApi } from '../../../main/api/partner-api.ts';
import type { OutboxClient } from '../../../main/store/outbox/ops.ts';
import { outboxOps } from '../../../main/store/outbox/ops.ts';
import type { JournalLine } from '../../../main/sync/journal.ts';
import { type Ports, takeOutbox } from '../../../main/sync/ports.ts';
import { USED_BY_ANOTHER_ROW } from '../../../main/sync/resolve.ts';
import type { RemoteId } from '../../../shared/model/scalars.ts';
import { err, ok } from '../../../shared/result.ts';
import { watchRequest } from './invariants.ts';
import type { ModelService } from './model-service.ts';
import type { Seeded, VirtualClock } from './seeded.ts';
import type { OutboxName, SimStore } from './sim-store.ts';

/** Thrown in place of a call when the simulated process dies; nothing of that process runs afterwards. */
export class Crash extends Error {}
/** Thrown by a transaction that the disk refuses; the process goes on. */
export class DiskFull extends Error {}
/** Thrown when a process does not come to an end. */
export class Endless extends Error {}

/**
 * What befalls a process at its n-th call of a port.
 *
 *   before, after   it dies before or after the call
 *   pause           it stands still in front of the store, another takes over, and later it goes on
 *   disk            the store refuses the transaction
 */
export interface Interruption {
  readonly at: number;
  readonly how: 'before' | 'after' | 'pause' | 'disk';
}

export interface Process {
  readonly ports: Omit<Ports, 'outbox'>;
  /** Takes the outbox over, as a program does at its start. */
  own(): Promise<Ports>;
  /** Passes a call of a further port through what befalls the process. */
  readonly gate: Gate;
  /** Resolves when the process stands still. */
  readonly paused: Promise<'paused'>;
  resume(): void;
}

export interface SimulatedAccount {
  readonly store: SimStore;
  readonly journal: JournalLine[];
  /** What was seen that must never be. */
  readonly broken: string[];
  process(interruption: Interruption | null): Process;
}

const CALLS_MAX = 20_000;

/** A store in front of the modelled service, and processes that work on it and may be interrupted. */
export function createSimulatedAccount(
  service: ModelService,
  clock: VirtualClock,
  store: SimStore,
  random: Pick<Seeded, 'next'>,
  onCommit: () => void = () => undefined,
): SimulatedAccount {
  const journal: JournalLine[] = [];
  const journaled = new Set<string>();
  const broken: string[] = [];
  let processes = 0;

  const begin = (interruption: Interruption | null): Process => {
    processes++;
    let calls = 0;
    let isDead = false;
    let resume: () => void = () => undefined;
    let standstill: Promise<void> | null = null;
    let announce: (value: 'paused') => void = () => undefined;
    const paused = new Promise<'paused'>((resolve) => {
      announce = resolve;
    });
    /** Every call of a port goes through here: it happens, or what is to befall the process does. */
    const gate = async <T>(isTx: boolean, work: () => T | Promise<T>): Promise<T> => {
      if (isDead) throw new Crash();
      calls++;
      if (calls > CALLS_MAX) throw new Endless('a sync does not come to an end');
      const isDue = interruption !== null && calls >= interruption.at;
      if (isDue && interruption.how === 'pause' && isTx && standstill === null) {
        standstill = new Promise((resolve) => {
          resume = resolve;
        });
        announce('paused');
      }
      if (isTx && standstill !== null) await standstill;
      const isNow = calls === interruption?.at;
      if (isNow && interruption.how === 'before') isDead = true;
      if (isDead) throw new Crash();
      if (isNow && interruption.how === 'disk' && isTx) throw new DiskFull('database or disk is full');
      store.setNow(clock.nowMs());
      const result = await work();
      if (isTx) onCommit();
      if (isNow && interruption.how === 'after') isDead = true;
      if (isDead) throw new Crash();
      return result;
    };
    const call = (name: OutboxName) => (args?: never) =>
      gate(true, () => {
        const asked = name === 'openUnresolved' ? store.outbox('listUnresolved').length : 0;
        const answer: unknown = store.outbox(name, args);
        if (name === 'saveIntent' && (answer as { kind: string }).kind === 'live') {
          broken.push('a row was to be sent whose last send is not settled');
        }
        // A process that was taken over may still say so; nobody listens to it.
        const isAsked = name === 'openUnresolved' && store.outbox('listUnresolved').length > asked;
        if (isAsked && (args as { why: string } | undefined)?.why.startsWith(USED_BY_ANOTHER_ROW) === true) {
          broken.push('a thing that stands for another row was taken for the one in doubt');
        }
        return answer;
      });
    const names = Object.keys(outboxOps) as OutboxName[];
    const outbox = Object.fromEntries(names.map((name) => [name, call(name)])) as unknown as OutboxClient;
    const ports: Process['ports'] = {
      clock: { ...clock, sleep: (delayMs) => gate(false, () => clock.sleep(delayMs)) },
      today: async () => '2026-11-21',
      random: () => random.next(),
      unchangedPlan: () => null,
      runInSlices: async (work) => {
        for (;;) {
          const part = work.next();
          if (part.done === true) return part.value;
        }
      },
      emit: () => undefined,
      workspace: {
        readTrees: (which) => gate(true, () => store.readTrees(which)),
        readMedia: () => gate(true, () => store.readMedia()),
        rowsWithErrors: () => gate(true, () => []),
        setServiceFields: () => gate(true, () => 0),
        getMeta: (key) => gate(true, () => store.getMeta(key)),
        setMeta: (key, value) => gate(true, () => store.setMeta(key, value)),
        apply: () => Promise.reject(new Error('a round edits by itself only where an account keeps a policy')),
      },
      journal: {
        append: (line) =>
          gate(false, () => {
            journal.push(line);
            if (line.t === 'intent') journaled.add(line.c);
          }),
        close: async () => undefined,
      },
      uploader: { bytes: async () => err('ENOENT'), put: async () => ok(null) },
      api: simulatedApi(service, clock, processes, gate, (request) => {
        broken.push(...watchRequest(store, request));
        if (!journaled.has(request.correlationId)) broken.push('a request left before its journal line was written');
      }),
    };
    const own = async (): Promise<Ports> => ({ ...ports, outbox: await takeOutbox(outbox) });
    return { ports, own, gate, paused, resume: () => resume() };
  };
  return { store, journal, broken, process: begin };
}

type Gate = <T>(isTx: boolean, work: () => T | Promise<T>) => Promise<T>;

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly correlationId: string;
}

function simulatedApi(
  service: ModelService,
  clock: VirtualClock,
  process: number,
  gate: Gate,
  onRequest: (request: SentRequest) => void,
): PartnerApi {
  let correlations = 0;
  const nothing = async () => ok([]);
  return {
    connection: {
      baseUrl: 'http://127.0.0.1:1',
      advertiserId: '900001' as RemoteId,
      consumerId: 'c',
      keyVersion: '1',
      headerPrefix: 'SVC',
      timestampUnit: 'ms',
      signatureAlgorithm: 'RS256',
    },
    send: ({ method, path, body, correlationId, shape }) =>
      gate(false, () => {
        onRequest({ method, path, body, correlationId });
        return classifyWriteResponse(service.receive(method, path, body, correlationId), shape, clock.nowMs());
      }),
    campaigns: () => gate(false, () => service.list('campaign', {})),
    adGroups: (campaignId) => gate(false, () => service.list('adGroup', { campaignId })),
    adItems: (campaignId) => gate(false, () => service.list('adItem', { campaignId })),
    keywords: (campaignId, adGroupId) => gate(false, () => service.list('keyword', { campaignId, adGroupId })),
    sbaProfiles: (adGroupId) => gate(false, () => service.list('sbaProfile', { adGroupId })),
    multipliers: (kind, campaignId) => gate(false, () => service.list(kind, { campaignId })),
    videoProfiles: nothing,
    reviews: nothing,
    media: nothing,
    campaignExists: async (id) => ok(service.rows.some((row) => row.kind === 'campaign' && String(row.id) === id)),
    uploadLogo: async (_, first) => ({ outcome: { class: 'REFUSED', status: 0, message: '' }, field: first }),
    requestUpload: async () => err({ kind: 'refused', status: 400, message: '' }),
    searchItems: nothing,
    probeCapabilities: async () => err({ kind: 'unreachable', cause: '' }),
    get: async () => err({ kind: 'unreachable', cause: '' }),
    postForText: async () => err({ kind: 'unreachable', cause: '' }),
    clockOffsetMs: () => 0,
    isReached: () => true,
    newCorrelationId: () => `${process}-${correlations++}`,
    close: () => undefined,
  };
}
