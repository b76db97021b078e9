import { isDeepStrictEqual } from 'node:util';
import { createModelStore } from './model-store.ts';
import { createRealStore, PROFILE, type RealStore } from './real-store.ts';
import type { SimStore } from './sim-store.ts';

export interface TwinStore extends SimStore {
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
  'settle',
  'adopt',
  'adoptRow',
  'merge',
  'closeAgreed',
  'release',
  'answer',
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
