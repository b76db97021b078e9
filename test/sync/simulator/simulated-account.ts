import { classify } from '../../../main/api/classify.ts';
import type { PartnerApi } from '../../../main/api/partner-api.ts';
import type { Ports } from '../../../main/sync/core/effects.ts';
import type { JournalLine } from '../../../main/sync/journal.ts';
import { type OpenDb, openDb } from '../../../main/workspace/db/open-db.ts';
import { type OutboxClient, outboxOps } from '../../../main/workspace/outbox/ops.ts';
import { readRows } from '../../../main/workspace/rows/read-rows.ts';
import { readTrees } from '../../../main/workspace/rows/read-trees.ts';
import { migrate } from '../../../main/workspace/schema/migrate.ts';
import { createStore, type OwnStore } from '../../../main/workspace/writer/create-store.ts';
import type { RemoteId } from '../../../shared/model/scalars.ts';
import { defaultProfile } from '../../../shared/profile/profile.ts';
import { err, ok } from '../../../shared/result.ts';
import type { ModelService } from './model-service.ts';
import type { VirtualClock } from './seeded.ts';

export const PROFILE = defaultProfile('shop.example');

/** Thrown in place of an effect when the simulated process dies; nothing of that process runs afterwards. */
export class Crash extends Error {}

/** When the process dies: before or after its n-th effect. */
export interface CrashPlan {
  readonly at: number;
  readonly when: 'before' | 'after';
}

export interface SimulatedAccount {
  readonly db: OpenDb;
  readonly store: OwnStore;
  readonly journal: readonly JournalLine[];
  readonly broken: readonly string[];
  /** The ports of one process; with a crash plan they die on it. */
  ports(crash: CrashPlan | null): Ports;
}

/** The real store on a database in memory, in front of the modelled service. */
export function createSimulatedAccount(service: ModelService, clock: VirtualClock): SimulatedAccount {
  const db = openDb(':memory:');
  migrate(db);
  const store = createStore({ db, profile: PROFILE, workspaceId: 'w1', migrated: true, onCommitted: () => undefined });
  const journal: JournalLine[] = [];
  const broken: string[] = [];

  const ports = (crash: CrashPlan | null): Ports => {
    let effects = 0;
    let isDead = false;
    /** Lets an effect happen, or the process die around it. */
    const gate = async <T>(work: () => T | Promise<T>): Promise<T> => {
      if (isDead) throw new Crash();
      effects++;
      if (crash !== null && effects === crash.at && crash.when === 'before') isDead = true;
      if (isDead) throw new Crash();
      store.setNow(clock.nowMs());
      const result = await work();
      if (crash !== null && effects === crash.at) isDead = true;
      if (isDead) throw new Crash();
      return result;
    };
    const op =
      <Name extends keyof typeof outboxOps>(name: Name) =>
      (args?: unknown) =>
        gate(() => store.tx(() => (outboxOps[name] as (s: OwnStore, a: unknown) => unknown)(store, args)));
    const outbox = Object.fromEntries(
      Object.keys(outboxOps).map((name) => [name, op(name as keyof typeof outboxOps)]),
    ) as OutboxClient;
    return {
      outbox,
      clock,
      emit: () => undefined,
      workspace: {
        readTrees: (which) =>
          gate(() => readTrees(db, which === 'all' || which === 'changed' ? allCampaigns(db) : which)),
        readMedia: () => gate(() => readRows(db, 'media', 'true')),
        rowsWithErrors: () => gate(() => []),
        mergeRemote: (rows) => gate(() => store.tx(() => store.mergeRemoteRows(rows))),
        setServiceFields: (updates) => gate(() => store.setServiceFields(updates)),
        getMeta: (key) => gate(() => store.getMeta(key)),
        setMeta: (key, value) => gate(() => store.tx(() => store.setMeta(key, value))),
      },
      journal: {
        append: (line) => gate(() => void journal.push(line)),
        close: async () => undefined,
      },
      uploader: {
        bytes: async () => err('ENOENT'),
        put: async () => ok(null),
      },
      api: simulatedApi(service, clock, gate, (correlationId, body) => {
        const intent = db.get('SELECT body FROM outbox_batch WHERE correlation_id = ?', correlationId);
        if (intent === undefined) broken.push('a request left before its intent was committed');
        else if (intent[0] !== body) broken.push('the bytes on the wire are not those of the intent');
        if (!journal.some(({ t, c }) => t === 'intent' && c === correlationId)) {
          broken.push('a request left before its journal line was written');
        }
      }),
    };
  };
  return { db, store, journal, broken, ports };
}

const allCampaigns = (db: OpenDb) => db.all('SELECT id FROM campaign ORDER BY id').map(([id]) => id as never);

type Gate = <T>(work: () => T | Promise<T>) => Promise<T>;

function simulatedApi(
  service: ModelService,
  clock: VirtualClock,
  gate: Gate,
  onRequest: (correlationId: string, body: string) => void,
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
    },
    send: ({ method, path, body, correlationId, shape }) =>
      gate(() => {
        onRequest(correlationId, body);
        return classify(service.receive(method, path, body, correlationId), shape, clock.nowMs());
      }),
    campaigns: () => gate(() => service.list('campaign', {})),
    adGroups: (campaignId) => gate(() => service.list('adGroup', { campaignId })),
    adItems: (campaignId) => gate(() => service.list('adItem', { campaignId })),
    keywords: (campaignId, adGroupId) => gate(() => service.list('keyword', { campaignId, adGroupId })),
    sbaProfiles: (adGroupId) => gate(() => service.list('sbaProfile', { adGroupId })),
    multipliers: (kind, campaignId) => gate(() => service.list(kind, { campaignId })),
    videoProfiles: nothing,
    reviews: nothing,
    media: nothing,
    campaignExists: async (id) => ok(service.rows.some((row) => row.kind === 'campaign' && String(row.id) === id)),
    uploadLogo: async (_, first) => ({ outcome: { class: 'REFUSED', status: 0, message: '' }, field: first }),
    requestUpload: async () => err({ kind: 'refused', status: 400, message: '' }),
    searchItems: nothing,
    probeCapabilities: async () => err({ kind: 'unreachable', cause: '' }),
    get: async () => err({ kind: 'unreachable', cause: '' }),
    post: async () => err({ kind: 'unreachable', cause: '' }),
    clockOffsetMs: () => 0,
    newCorrelationId: () => `${clock.nowMs()}-${service.arrived.length}-${correlations++}-${Math.random()}`,
    close: () => undefined,
  };
}
