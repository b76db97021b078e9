import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { DOCUMENTED_ONLY } from '../../shared/plan/plan-types.ts';
import { videoDraft } from '../sync/a-draft.ts';
import { apiOf, hastyClock, openAccount, VIDEO_FACTS } from '../sync/an-account.ts';
import { answerTruly, controlOf } from '../sync/control.ts';
import { seeded } from '../sync/simulator/seeded.ts';
import type { Go } from './killed-child.ts';
import { APART_MS } from './sync-kills.ts';
import type { UploadSaid } from './uploading-child.ts';

interface UploadKills {
  readonly kills: number;
  /** Of these, how many came while the end of the upload was being reported. */
  readonly atCompletion: number;
  readonly bytesSent: number;
  /** By how much the memory of a process grew while it uploaded, at most. */
  readonly grownMb: number;
  /** How many videos the account has in the end. */
  readonly media: number;
  readonly available: boolean;
}

const FILM = join(import.meta.dirname, '../../examples/media/kitchen-roll-spot.mp4');

/** Kills a process again and again in the middle of one large upload, then lets one finish. */
export async function playUploadKills(options: {
  readonly kills: number;
  readonly bytes: number;
  readonly seed: number;
}): Promise<UploadKills> {
  const sandbox = await startSandbox({ credentials: 'owners', scenario: 'empty', clock: 'virtual', extensions: true });
  const folder = await mkdtemp(join(tmpdir(), 'adslate-upload-'));
  const control = controlOf(sandbox);
  const random = seeded(options.seed);
  const sums = { kills: 0, atCompletion: 0, bytesSent: 0, grownMb: 0 };
  try {
    await prepare(sandbox, folder, options.bytes);
    for (let n = 0; n < options.kills; n++) {
      // Every tenth dies when all bytes are there and the end is being reported.
      const dies = n % 10 === 9 ? 'completion' : random.int(options.bytes);
      const go = { folder, ready: sandbox.ready, seed: n, extensions: false, aheadMs: n * APART_MS };
      const seen = await uploadAndDie(go, dies);
      sums.kills++;
      sums.bytesSent += seen.bytes;
      sums.grownMb = Math.max(sums.grownMb, seen.grownMb);
      if (dies === 'completion') sums.atCompletion++;
      await control.advance('PT16M');
    }
    return { ...sums, ...(await finish(sandbox, folder, options.kills)) };
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A film that is padded with a box of nothing: large, valid, and without room on the disk. */
async function prepare(sandbox: RunningSandbox, folder: string, bytes: number): Promise<void> {
  await mkdir(join(folder, 'media'), { recursive: true });
  const path = join(folder, 'film.mp4');
  const film = await readFile(FILM);
  const header = Buffer.alloc(16);
  header.writeUInt32BE(1, 0);
  header.write('free', 4, 'latin1');
  header.writeBigUInt64BE(BigInt(bytes - film.byteLength), 8);
  const file = await open(path, 'w');
  await file.write(film);
  await file.write(header, 0, header.byteLength, film.byteLength);
  await file.truncate(bytes);
  await file.close();
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  const sha256 = hash.digest('hex');
  await rename(path, join(folder, 'media', sha256));
  const account = await openAccount({ sandbox, folder, capabilities: DOCUMENTED_ONLY });
  const values = { mediaType: 'video', mediaName: 'Film', fileName: 'film.mp4', sha256, bytes };
  const row = { kind: 'media', parent: null, values: { ...values, facts: JSON.stringify(VIDEO_FACTS) } } as const;
  const [video] = await account.create([row]);
  if (video !== undefined) await account.create(videoDraft(video));
  await account.close();
}

async function uploadAndDie(
  go: Go,
  dies: 'completion' | number,
): Promise<{ readonly bytes: number; readonly grownMb: number }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'uploading-child.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const gone = once(child, 'exit');
  let bytes = 0;
  let first: number | null = null;
  let grownMb = 0;
  for await (const text of lines) {
    const line = JSON.parse(text) as UploadSaid;
    if (line.say === 'loaded') child.stdin.write(JSON.stringify(go));
    if (line.say === 'sent') {
      // The first word of progress comes when a fiftieth is out: from there on memory has no reason to grow.
      first ??= line.rssMb;
      grownMb = Math.max(grownMb, line.rssMb - first);
      bytes = Math.max(bytes, line.bytes);
    }
    const isDue = dies === 'completion' ? line.say === 'request' : line.say === 'sent' && line.bytes >= dies;
    if (isDue || line.say === 'synced') child.kill('SIGKILL');
  }
  await gone;
  return { bytes, grownMb };
}

async function finish(
  sandbox: RunningSandbox,
  folder: string,
  kills: number,
): Promise<Pick<UploadKills, 'media' | 'available'>> {
  const account = await openAccount({
    sandbox,
    folder,
    capabilities: DOCUMENTED_ONLY,
    clock: hastyClock(kills * APART_MS),
  });
  const api = apiOf(sandbox);
  try {
    for (let rounds = 0; rounds < 4; rounds++) {
      await account.run();
      // Killed while the end of the upload was reported, it is asked about: the user has looked.
      await answerTruly(account, sandbox);
      await controlOf(sandbox).advance('PT31M');
    }
    const media = await api.media(null);
    const [video] = (await account.workspace.readMedia()).filter(({ values }) => values.mediaType === 'video');
    const { changed } = await account.workspace.summary();
    return {
      media: media.ok ? media.value.length : -1,
      available: video?.values.mediaState === 'available' && changed === 0,
    };
  } finally {
    api.close();
    await account.close();
  }
}
