import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkIntegrity } from '../../main/store/backup.ts';
import { openDb } from '../../main/store/db/open-db.ts';
import { aFolder, aSmallCampaign, aWorkspace, create, edit } from './a-workspace.ts';

const OTHER = fileURLToPath(new URL('./other-process.ts', import.meta.url));

/** Starts a process that edits without end, kills it after some acknowledged edits, and answers the last of them. */
async function editAndKill(file: string, edits: number): Promise<number> {
  const child = spawn(process.execPath, [OTHER, 'edit', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let acknowledged = 0;
  for await (const chunk of child.stdout) {
    acknowledged = Number(String(chunk).trim().split('\n').at(-1));
    if (acknowledged >= edits) child.kill('SIGKILL');
  }
  await ended;
  return acknowledged;
}

test('after kill -9 in the middle of edits, every acknowledged one is there and none is half there', async () => {
  const file = join(aFolder(), 'workspace.db');
  const first = await aWorkspace(file);
  const keywords = Array.from({ length: 400 }, (_, i) =>
    create('keyword', { at: 1 }, { text: `keyword ${i}`, bid: 100 }),
  );
  await edit(first, { creates: [...aSmallCampaign(), ...keywords] });
  await first.close();
  for (const edits of [3, 7, 12]) {
    const acknowledged = await editAndKill(file, edits);
    const survivor = await aWorkspace(file);
    const bids = new Set(
      (await survivor.readTrees('all')).flatMap((tree) => tree.keywords.map((row) => row.values.bid)),
    );
    const newest = (await survivor.history(0, 1)).steps[0];
    await survivor.close();
    expect(bids.size).toBe(1);
    expect([...bids][0]).toBeGreaterThanOrEqual(acknowledged);
    expect(newest?.label).toBe(`Bid ${[...bids][0]}`);
    const db = openDb(file);
    expect(checkIntegrity(db)).toEqual([]);
    expect(db.get('PRAGMA integrity_check')).toEqual(['ok']);
    db.close();
  }
}, 60_000);
