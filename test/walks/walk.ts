import { strangeMoves } from '../conformance/evidence.ts';
import { type Action, createPassages, otherActions, partnerActions } from './actions.ts';
import { createChance, openGround } from './ground.ts';
import { createInvariants } from './invariants.ts';

export interface Walk {
  readonly seed: number;
  readonly seconds: number;
  /** Per action: how often taken, and how often the state was different afterwards. */
  readonly actions: ReadonlyMap<string, { taken: number; changed: number }>;
  /** Moves of all states seen on the way, each as "machine from>to". */
  readonly moves: ReadonlySet<string>;
  /** Each with the number of the action that caused it; a walk ends at the twentieth. */
  readonly violations: readonly string[];
}

const actions: readonly Action[] = [...partnerActions, ...otherActions];
const totalWeight = actions.reduce((sum, action) => sum + action.weight, 0);
/** So many actions, then a reset: states stay small, and beginnings are as often met as late days. */
const STRETCH = 400;
const MANY = 20;

/** Takes so many actions by the seed, over HTTP, and checks every law after each of them. */
export async function walk(seed: number, count: number): Promise<Walk> {
  const chance = createChance(seed);
  const ground = await openGround();
  const began = performance.now();
  const counts = new Map(actions.map((action) => [action.name, { taken: 0, changed: 0 }]));
  const moves = new Set<string>();
  const violations: string[] = [];
  try {
    const broken = createInvariants(ground.database);
    const passages = createPassages(ground.database);
    const version = ground.database.prepare('PRAGMA data_version');
    let state: unknown;
    for (let at = 0; at < count && violations.length < MANY; at += 1) {
      if (at % STRETCH === 0) {
        await ground.control('/reset', { scenario: chance.oneOf(['conformance', 'conformance', 'demo', 'empty']) });
        passages.forget();
        // The rows of a scenario begin as anything.
        ground.moves.forget();
        state = version.get()?.['data_version'];
        for (const what of [...broken(), ...passages.check('create profile')]) violations.push(`${at} reset: ${what}`);
      }
      const action = choose(chance.next() * totalWeight);
      const answer = await action.take(ground, chance);
      const said = (what: string) => violations.push(`${at} ${action.name}: ${what}`);
      if (answer.status === 0 || answer.status >= 500) said(`answered ${answer.status} ${answer.body}`);
      const tally = counts.get(action.name);
      if (tally !== undefined) tally.taken += 1;
      // Unchanged data have been checked already.
      const now = version.get()?.['data_version'];
      if (now === state) continue;
      state = now;
      if (tally !== undefined) tally.changed += 1;
      for (const what of [...broken(), ...passages.check(action.name)]) said(what);
      const made = ground.moves.list().filter((move) => !moves.has(move));
      for (const move of made) moves.add(move);
      for (const move of strangeMoves(made)) said(`no such move in the document: ${move}`);
    }
  } finally {
    await ground.close();
  }
  return { seed, seconds: (performance.now() - began) / 1000, actions: counts, moves, violations };
}

function choose(point: number): Action {
  let left = point;
  const found = actions.find((action) => {
    left -= action.weight;
    return left < 0;
  });
  const [first] = actions;
  const action = found ?? first;
  if (action === undefined) throw new Error('there are no actions');
  return action;
}
