import { parseArgs } from 'node:util';
import { KINDS } from '../../shared/model/kinds.ts';
import { playLife } from '../sync/simulator/life.ts';
import { createRealStore } from '../sync/simulator/real-store.ts';
import { saveResult } from './render.ts';
import { type Share, sandboxShares } from './sandbox-shares.ts';

/**
 * `npm run test:unconfirmed-shares -- --runs N [--lives N] [--save]`: of the sends whose answer was lost, how many were
 * settled without asking anybody, per resource; with the documented calls alone and with the extensions. Counted in
 * the outbox of simulated lives and, for what the simulator does not have, of lives in front of the sandbox.
 */
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '400' },
    lives: { type: 'string', default: '20' },
    save: { type: 'boolean', default: false },
  },
});

const IN_DOUBT = `SELECT o.kind, o.verb, count(*), sum(EXISTS (SELECT 1 FROM outbox_question q WHERE q.op_id = o.id))
  FROM outbox_op o WHERE o.batch_id IN (SELECT batch_id FROM outbox_receipt WHERE class = 'IN_DOUBT')
  GROUP BY o.kind, o.verb`;

async function shares(extensions: boolean): Promise<readonly Share[]> {
  const sums = new Map<string, Share>();
  for (let seed = 1; seed <= Number(values.runs); seed++) {
    const store = createRealStore();
    const { problems } = await playLife({ seed, store, extensions });
    if (problems.length > 0) throw new Error(`seed ${seed}: ${problems.join('; ')}`);
    for (const [code, verb, count, asked] of store.db.all(IN_DOUBT)) {
      const kind = KINDS[Number(code)] ?? '';
      const sum = sums.get(`${kind} ${verb}`) ?? { kind, verb: String(verb), inDoubt: 0, asked: 0 };
      sums.set(`${kind} ${verb}`, sum);
      sum.inDoubt += Number(count);
      sum.asked += Number(asked);
    }
    store.close();
  }
  const all = [...sums.values(), ...(await sandboxShares(extensions, Number(values.lives)))];
  return all.sort((a, b) => `${a.kind} ${a.verb}`.localeCompare(`${b.kind} ${b.verb}`));
}

Error.stackTraceLimit = 0;
const figures = {
  runs: Number(values.runs),
  lives: Number(values.lives),
  documented: await shares(false),
  extensions: await shares(true),
};
console.log(JSON.stringify(figures, null, 1));
if (values.save) saveResult('doubt-shares', figures);
