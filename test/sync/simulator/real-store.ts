import { isDeepStrictEqual } from 'node:util';
import { type OpenDb, openDb } from '../../../main/store/db/open-db.ts';
import { outboxOps } from '../../../main/store/outbox/ops.ts';
import { LIVE } from '../../../main/store/outbox/schema.ts';
import { readRows } from '../../../main/store/rows/read-rows.ts';
import { readTrees } from '../../../main/store/rows/read-trees.ts';
import { migrate } from '../../../main/store/schema/migrate.ts';
import { createStore, type OwnStore } from '../../../main/store/writer/create-store.ts';
import { defaultDeploymentSettings } from '../../../shared/deployment/deployment-settings.ts';
import { KINDS } from '../../../shared/model/kinds.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { createModelStore } from './model-store.ts';
import { type AnswerOf, type LiveLook, type OutboxName, rowsOfTrees, type SimStore } from './sim-store.ts';

const USUAL = defaultDeploymentSettings('shop.example');
/** Small batches and a small budget, so that short lives meet their limits. */
export const PROFILE = { ...USUAL, batch: { max: 3, keywords: 2 }, rate: { ...USUAL.rate, opsPerHour: 120 } };

interface RealStore extends SimStore {
  readonly db: OpenDb;
}

/** The store of the program on a database in memory, with all it can do. */
export function openOwnStore(): { readonly db: OpenDb; readonly store: OwnStore } {
  const db = openDb(':memory:');
  migrate(db);
  const options = { db, profile: PROFILE, workspaceId: 'w1', migrated: true, onCommitted: () => undefined };
  return { db, store: createStore(options) };
}

/** The same as the simulator sees it. */
export function createRealStore(): RealStore {
  const { db, store } = openOwnStore();
  return { db, ...callsOf(store), close: () => db.close() };
}

function callsOf(store: OwnStore): Omit<SimStore, 'close'> {
  const { db } = store;
  const all = () => db.all('SELECT id FROM campaign ORDER BY id').map(([id]) => id as RowId);
  return {
    setNow: (nowMs) => store.setNow(nowMs),
    outbox: <Name extends OutboxName>(name: Name, args?: unknown) =>
      store.tx(() => (outboxOps[name] as (s: OwnStore, a: unknown) => unknown)(store, args)) as AnswerOf<Name>,
    readTrees: (which) => readTrees(db, which === 'all' ? all() : which),
    readMedia: () => readRows(db, 'media', 'true'),
    getMeta: (key) => store.getMeta(key),
    setMeta: (key, value) => store.tx(() => store.setMeta(key, value)),
    apply: (edit) => store.apply(edit).ok,
    rows: () => rowsOfTrees(readTrees(db, all())),
    bodyOf: (correlationId) => {
      const found = db.get('SELECT body FROM outbox_batch WHERE correlation_id = ?', correlationId);
      return found === undefined ? null : String(found[0]);
    },
    liveOps: () =>
      db
        .all(
          `SELECT o.kind, o.row_id, o.verb, o.state, b.correlation_id FROM outbox_op o
           JOIN outbox_batch b ON b.id = o.batch_id WHERE ${LIVE} ORDER BY o.id`,
        )
        .map(
          ([kind, rowId, verb, state, correlationId]): LiveLook => ({
            kind: KINDS[Number(kind)] ?? '',
            rowId: Number(rowId),
            verb: String(verb),
            state: String(state),
            correlationId: String(correlationId),
          }),
        ),
    opCount: () => Number(db.get('SELECT count(*) FROM outbox_op')?.[0]),
  };
}

interface TwinStore extends SimStore {
  /** How many answers of the two were compared. */
  readonly compared: () => number;
  readonly real: RealStore;
}

/**
 * The real store and its model side by side: every call goes to both, and where they answer differently the
 * comparison throws. Sentences that only a person reads are left out.
 */
export function createTwinStore(): TwinStore {
  const real = createRealStore();
  const model = createModelStore(PROFILE);
  let compared = 0;
  const same = <T>(what: string, a: T, b: T): T => {
    compared++;
    const [left, right] = [plain(a), plain(b)];
    if (!isDeepStrictEqual(left, right)) {
      throw new Error(`${what}: the store says ${JSON.stringify(left)}, its model ${JSON.stringify(right)}`);
    }
    return a;
  };
  const alsoRows = (what: string): void => void same(`rows after ${what}`, real.rows(), model.rows());
  return {
    compared: () => compared,
    real,
    setNow: (nowMs) => {
      real.setNow(nowMs);
      model.setNow(nowMs);
    },
    outbox: (name, args) => {
      const answer = same(name, real.outbox(name, args), model.outbox(name, args));
      if (WRITES_ROWS.has(name)) alsoRows(name);
      return answer;
    },
    readTrees: (which) => same('readTrees', real.readTrees(which), model.readTrees(which)),
    readMedia: () => same('readMedia', real.readMedia(), model.readMedia()),
    getMeta: (key) => same('getMeta', real.getMeta(key), model.getMeta(key)),
    setMeta: (key, value) => {
      real.setMeta(key, value);
      model.setMeta(key, value);
    },
    apply: (edit) => {
      const isTaken = real.apply(edit);
      if (isTaken) model.apply(edit);
      alsoRows('apply');
      return isTaken;
    },
    rows: () => same('rows', real.rows(), model.rows()),
    bodyOf: (id) => same('bodyOf', real.bodyOf(id), model.bodyOf(id)),
    liveOps: () => same('liveOps', real.liveOps(), model.liveOps()),
    opCount: () => same('opCount', real.opCount(), model.opCount()),
    close: () => real.close(),
  };
}

const WRITES_ROWS: ReadonlySet<string> = new Set([
  'recordOutcome',
  'adopt',
  'adoptRow',
  'merge',
  'closeAgreedDeletions',
  'markNotProcessed',
  'resolve',
  'resolveConflict',
]);

/**
 * Left out of what is compared: words that only a person reads, and the state of a campaign, which the store derives
 * when it checks a row (`test:states` compares it with the service's own).
 */
const NOT_COMPARED: ReadonlySet<string> = new Set(['label', 'what', 'campaignState', 'stateSource', 'stateAsOf']);

const plain = (value: unknown): unknown =>
  value === undefined
    ? null
    : JSON.parse(JSON.stringify(value, (key, inner: unknown) => (NOT_COMPARED.has(key) ? undefined : inner)));
