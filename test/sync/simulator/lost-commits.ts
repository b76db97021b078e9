import { recoverUnconfirmed } from '../../../main/sync/journal.ts';
import type { Outbox } from '../../../main/sync/ports.ts';
import { playLife } from './life.ts';
import { createModelStore, type ModelState } from './model-store.ts';
import { PROFILE } from './real-store.ts';
import { seeded } from './seeded.ts';
import type { SimulatedAccount } from './simulated-account.ts';

/**
 * Lives on a disk that lies: after a power cut up to `loses` of the newest commits are gone, although they had been
 * reported as written. With the side journal gone as well nothing can know what was sent, so things come to be
 * there twice; with the journal they are put in doubt and looked for.
 *
 * @returns in how many lives something was on the service twice
 */
export async function countDuplicates(options: {
  /** The seed of the first life. */
  readonly from: number;
  readonly lives: number;
  readonly loses: number;
  readonly keepsJournal: boolean;
}): Promise<number> {
  const { from, lives } = options;
  let twice = 0;
  for (let seed = from; seed < from + lives; seed++) {
    const { problems } = await playOne(seed, options);
    if (problems.some((problem) => problem.includes('beside what was made here'))) twice++;
  }
  return twice;
}

function playOne(seed: number, { loses, keepsJournal }: { readonly loses: number; readonly keepsJournal: boolean }) {
  const store = createModelStore(PROFILE);
  const random = seeded(seed);
  const commits: { readonly state: ModelState; readonly lines: number }[] = [];
  let account: SimulatedAccount | null = null;
  const remember = (): void => {
    commits.push({ state: structuredClone(store.state()), lines: account?.journal.length ?? 0 });
    if (commits.length > loses + 1) commits.shift();
  };
  const starting = async (of: SimulatedAccount): Promise<void> => {
    account = of;
    remember();
    const kept = commits.at(-1 - random.int(loses + 1)) ?? commits.at(-1);
    if (kept === undefined) return;
    store.restore(kept.state);
    commits.length = 0;
    if (!keepsJournal) of.journal.length = kept.lines;
    const { epoch } = store.outbox('takeOwnership');
    const outbox = {
      correlationsKnown: async (args: { readonly ids: readonly string[] }) => store.outbox('correlationsKnown', args),
      importIntents: async (args: Parameters<Outbox['importIntents']>[0]) =>
        store.outbox('importIntents', { ...args, epoch }),
    };
    await recoverUnconfirmed(of.journal, outbox as never);
  };
  return playLife({ seed, store, disk: { committed: remember, starting } });
}
