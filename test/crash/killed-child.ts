import { once } from 'node:events';
import { writeSync } from 'node:fs';
import type { RunningSandbox } from '../../sandbox/start.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { autoDraft, sbaDraft } from '../sync/a-draft.ts';
import { hastyClock, openAccount, type TestAccount } from '../sync/an-account.ts';
import { type Seeded, seeded } from '../sync/simulator/seeded.ts';

/** What the parent sends down the standard input when the process may begin. */
export interface Go {
  readonly folder: string;
  readonly ready: RunningSandbox['ready'];
  readonly seed: number;
  readonly extensions: boolean;
  /** How far the clock of this process is ahead: waits take no time, so every process has to begin after the last. */
  readonly aheadMs: number;
}

/**
 * What the child says, a line each. An edit is announced with what it replaces before it is made, and acknowledged
 * once it is durable. Bids are in cents.
 */
export type Said =
  | { readonly say: 'loaded' }
  | { readonly say: 'open' }
  | { readonly say: 'made'; readonly rows: readonly { readonly kind: Kind; readonly id: RowId }[] }
  | { readonly say: 'will'; readonly id: RowId; readonly bid: number; readonly from: number }
  | { readonly say: 'edited'; readonly id: RowId; readonly bid: number }
  | { readonly say: 'synced' };

// Written at once: a line that is out is out, whatever becomes of the process.
const say = (line: Said): void => void writeSync(1, `${JSON.stringify(line)}\n`);

async function work(account: TestAccount, random: Seeded, name: string): Promise<void> {
  const draft = random.chance(0.5) ? autoDraft(name) : sbaDraft(null, name);
  const ids = await account.create(draft);
  say({ say: 'made', rows: ids.map((id, at) => ({ kind: draft[at]?.kind ?? 'campaign', id })) });
  const items = (await account.workspace.readTrees('all')).flatMap(({ adItems }) => adItems);
  for (let n = random.int(4); n > 0; n--) {
    const item = items[random.int(items.length)];
    if (item === undefined) return;
    const edit = { id: item.id, bid: 150 + random.int(400) };
    say({ say: 'will', ...edit, from: item.values.bid ?? 0 });
    await account.edit('adItem', item.id, { bid: edit.bid });
    say({ say: 'edited', ...edit });
  }
}

async function main(): Promise<void> {
  say({ say: 'loaded' });
  const [line] = (await once(process.stdin, 'data')) as [Buffer];
  const go = JSON.parse(line.toString()) as Go;
  const account = await openAccount({
    sandbox: { ready: go.ready, close: async () => undefined },
    folder: go.folder,
    capabilities: go.extensions ? WITH_EXTENSIONS : DOCUMENTED_ONLY,
    clock: hastyClock(go.aheadMs),
  });
  say({ say: 'open' });
  const random = seeded(go.seed);
  for (let n = 0; ; n++) {
    await work(account, random, `Campaign ${go.seed} ${n}`);
    await account.run();
    say({ say: 'synced' });
  }
}

await main();
