import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { THREADS } from '../../main/core/core-options.ts';
import type { CreateRow } from '../../main/store/types.ts';
import { asWorkspaceId } from '../../shared/model/scalars.ts';
import { startCore } from '../core/a-core.ts';
import { aPng } from '../media/builders.ts';
import prepare from '../prepare.ts';
import { copyAccount } from '../prepared-account.ts';
import { saveResult } from '../reliability/render.ts';
import { seeded } from '../sync/simulator/seeded.ts';

/**
 * `npm run test:dropped-files -- --files N --kills N --seed S [--save NAME]`: files are dropped into a watched folder while its
 * process is killed again and again. Ends with 1 unless each was attached once, to its own profile, and is listed once.
 */
const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    save: { type: 'string' },
  },
});
const files = Number(values.files);
const kills = Number(values.kills);
const seed = Number(values.seed);
const random = seeded(seed);
const started = performance.now();
const dataDir = mkdtempSync(join(tmpdir(), 'adslate-dropped-'));
prepare();
copyAccount(dataDir);
const drop = join(dataDir, 'drop');
mkdirSync(drop);
const [name = ''] = readdirSync(join(dataDir, 'workspaces'));
const workspaceId = asWorkspaceId(name);

const campaigns = Math.ceil(files / 2);
const creates = Array.from({ length: campaigns }, (_, at): readonly CreateRow[] => [
  { kind: 'campaign', parent: null, values: { name: `Brand ${at}`, campaignType: 'sba', targetingType: 'manual' } },
  { kind: 'adGroup', parent: { at: at * 4 }, values: { name: 'Group' } },
  { kind: 'sbaProfile', parent: { at: at * 4 + 1 }, values: { brand: 'Northwind', headline: 'Headline A' } },
  { kind: 'sbaProfile', parent: { at: at * 4 + 1 }, values: { brand: 'Northwind', headline: 'Headline B' } },
]);
await withAccount(async ({ workspace }) => {
  const made = await workspace.apply({ label: 'Add', source: 'user', creates: creates.flat() });
  if (!made.ok) throw new Error('the campaigns cannot be made');
});

let child = start();
let dropped = 0;
for (let kill = 0; kill < kills; kill++) {
  const until = Math.round((files * (kill + 1)) / kills);
  for (; dropped < until; dropped++) {
    const file = `brand-${Math.floor(dropped / 2)}_headline ${dropped % 2 === 0 ? 'a' : 'b'}.png`;
    writeFileSync(join(drop, file), aPng(100, 100, dropped + 1));
  }
  await new Promise((resolve) => setTimeout(resolve, 500 + random.int(2500)));
  child.process.kill('SIGKILL');
  await once(child.process, 'exit');
  child = start();
}
await child.reached(files);
child.process.kill('SIGKILL');
await once(child.process, 'exit');

const log = new DatabaseSync(join(dataDir, 'dropped.db'), { readOnly: true });
const listed = log.prepare('SELECT count(*) AS n, count(DISTINCT name) AS names FROM dropped').get();
log.close();
const outcome = await withAccount(async ({ workspace }) => {
  const trees = await workspace.readTrees('all');
  const right = trees.flatMap((tree) =>
    tree.sbaProfiles.filter(({ values: { logo, headline } }) => {
      const file = tree.media.find(({ id }) => id === logo)?.values.fileName?.toLowerCase();
      const campaign = tree.campaign.values.name?.toLowerCase().replace(' ', '-');
      return file !== undefined && file === `${campaign}_${headline?.toLowerCase()}.png`;
    }),
  ).length;
  const { total } = await workspace.history(0, 0, 'Attach');
  return { right, steps: total };
});
rmSync(dataDir, { recursive: true, force: true });
const seconds = Math.round((performance.now() - started) / 1000);
const figures = {
  seed,
  files,
  kills,
  seconds,
  listed: Number(listed?.['n']),
  names: Number(listed?.['names']),
  ...outcome,
};
console.log(JSON.stringify(figures));
const isClean = [figures.listed, figures.names, figures.right, figures.steps].every((count) => count === files);
if (isClean && values.save !== undefined) saveResult(values.save, figures);
process.exitCode = isClean ? 0 : 1;

async function withAccount<T>(work: (account: Extract<Opened, { ok: true }>['value']) => Promise<T>): Promise<T> {
  const core = await startCore(dataDir, { host: 'cli', threads: THREADS });
  try {
    const opened = await core.open.get(workspaceId);
    if (!opened.ok) throw new Error('the account cannot be opened');
    return await work(opened.value);
  } finally {
    await core.close();
  }
}

type Opened = Awaited<ReturnType<Awaited<ReturnType<typeof startCore>>['open']['get']>>;

function start(): { readonly process: ChildProcess; readonly reached: (total: number) => Promise<void> } {
  const entry = join(import.meta.dirname, 'dropped-files-child.ts');
  const started = spawn(process.execPath, [entry, dataDir, workspaceId, drop], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: started.stdout });
  const reached = async (total: number): Promise<void> => {
    for await (const line of lines) if (Number(line) >= total) return;
    throw new Error('the process ended by itself');
  };
  return { process: started, reached };
}
