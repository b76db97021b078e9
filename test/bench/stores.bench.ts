import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { systemClock } from '../../main/app/clock.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { fill } from './big-workspace.ts';
import { bundledStore } from './bundled-store.ts';
import { said, timed } from './figure.ts';
import { editBid } from './workspace-edits.ts';
import { keywordView, openedView, WINDOW } from './workspace-views.ts';

/**
 * The store beside two others on the same keywords, each in a process of its own: one JSON file, and a document
 * database. `node test/bench/stores.bench.ts [KEYWORDS]`. There are no limits here but that ours is not the slower one
 * where people wait for it; what theirs do without (history, base, checks, other processes) they are given.
 */
const Line = z.object({ work: z.string(), ms: z.number() });

const WORKS = {
  create: 'create all rows',
  open: 'open to the first window',
  sort: 'sort by bid',
  filter: 'filter by two fields to a count',
  edit: 'one edit, durable',
  bulk: 'bulk edit of 100,000 rows',
} as const;

async function ours(folder: string, keywords: number): Promise<ReadonlyMap<string, number>> {
  const { openWorkspace } = await bundledStore(join(folder, 'store'));
  const profile = defaultDeploymentSettings('shop.example');
  const file = join(folder, 'workspace.db');
  const open = async () => {
    const opened = await openWorkspace({ file, workspaceId: 'bench', profile, clock: systemClock, migrated: true });
    if (!opened.ok) throw new Error(JSON.stringify(opened.error));
    return opened.value;
  };
  const times = new Map<string, number>();
  let workspace = await open();
  times.set('create', await timed(() => fill(workspace, keywords)));
  await workspace.rowsWithErrors();
  await workspace.close();
  times.set(
    'open',
    await timed(async () => {
      workspace = await open();
      const { viewId } = await openedView(workspace, keywordView());
      await workspace.readWindow(viewId, 0, WINDOW);
    }),
  );
  times.set('sort', await timed(() => openedView(workspace)));
  times.set('filter', await timed(() => openedView(workspace, keywordView({ filter: 'bid<2.5 matchType:exact' }))));
  const view = await openedView(workspace, keywordView());
  const first = (await workspace.readWindow(view.viewId, 0, 1))?.rows[0]?.id ?? 0;
  await editBid(workspace, first, 400);
  times.set('edit', await timed(() => editBid(workspace, first, 401)));
  const scope = { viewId: view.viewId, ranges: [{ from: 0, count: Math.min(100_000, view.length) }] };
  const raise = { tool: 'amount', field: 'bid', expression: '+10%', min: null, max: null, roundTo: 0 } as const;
  times.set('bulk', await timed(() => workspace.applyTool(scope, raise, 'Raise', { jobId: 'bench' })));
  await workspace.close();
  return times;
}

async function theirs(
  store: 'json' | 'documents',
  file: string,
  keywords: number,
): Promise<ReadonlyMap<string, number>> {
  const child = spawn(
    process.execPath,
    ['--max-old-space-size=6000', join(import.meta.dirname, 'stores-child.ts'), store, file, String(keywords)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const times = new Map<string, number>();
  for await (const line of createInterface({ input: child.stdout })) {
    const { work, ms } = Line.parse(JSON.parse(line));
    times.set(work, ms);
  }
  return times;
}

async function bench(keywords: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'adslate-bench-stores-'));
  const verdicts: boolean[] = [];
  try {
    const mine = await ours(folder, keywords);
    for (const [store, name] of [
      ['json', 'a JSON file'],
      ['documents', 'a document database (NeDB)'],
    ] as const) {
      const other = await theirs(store, join(folder, `${store}.db`), keywords);
      for (const [work, title] of Object.entries(WORKS)) {
        const value = mine.get(work);
        const peerValue = other.get(work);
        if (value === undefined || peerValue === undefined) throw new Error(`${store} said nothing of "${work}"`);
        // What a person waits for in the middle of their work has to be the faster of the two, at the size that is
        // meant; a bulk edit of theirs is without undo, base and checks, so it is only shown.
        const isBarred = keywords >= 500_000 && (work === 'open' || work === 'edit');
        verdicts.push(
          said(`${title}, beside ${name}`, value, 'ms', { peer: name, peerValue, ratioBar: isBarred ? 1 : null }),
        );
      }
      // Ours is in workspace.bench.ts, in a process that holds nothing else.
      verdicts.push(said(`memory of ${name}`, other.get('memory') ?? 0, 'MB'));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return verdicts.every(Boolean);
}

if (import.meta.main) process.exitCode = (await bench(Number(process.argv[2] ?? 1_000_000))) ? 0 : 1;
