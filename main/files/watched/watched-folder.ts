import { lstat, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type FSWatcher, watch } from 'chokidar';
import type { Drop, WatchedFolder } from '../../../shared/api/watched-folder.ts';
import {
  type CampaignIndex,
  type FilePattern,
  type FolderMessage,
  folderText,
  indexCampaigns,
  type MatchedName,
  matchFileName,
  parsePatterns,
  planAttachment,
} from '../../../shared/media/watched-files.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { createSerialQueue } from '../../../shared/serial-queue.ts';
import { makeFolders } from '../../app/atomic-write.ts';
import type { Clock } from '../../app/clock.ts';
import { codeOrThrow, diskWords, nullIfRefused } from '../../app/system.ts';
import { notWritableFrom } from '../../store/not-writable.ts';
import type { EditBatch, NotWritable } from '../../store/types.ts';
import type { Workspace } from '../../store/workspace.ts';
import { addMedia } from '../media/add-media.ts';
import { type MediaLibrary, sha256OfFile } from '../media/library.ts';
import type { Prober } from '../probe/prober.ts';
import { createDropLog, type DropLog, type FolderSetup, type SeenFile } from './drop-log.ts';

export interface WatchedFolderPorts {
  readonly workspace: Workspace;
  readonly library: MediaLibrary;
  readonly prober: Prober;
  readonly clock: Clock;
  /** Path of the log of the account's files. */
  readonly logFile: string;
  /** The folder that is used when none was chosen; its parent is there. */
  readonly ownFolder: string;
  /** Nothing is written for a view-only account. */
  readonly isReadOnly: boolean;
  readonly changed: () => void;
  /** Tells the user why no file is taken while the folder is watched. */
  readonly tell: (message: string) => void;
  readonly pace?: Pace;
}

/** Milliseconds. */
interface Pace {
  /** How long size, time and bytes must stay the same. */
  readonly settle: number;
  /** Between two checks whether the folder exists. */
  readonly check: number;
  /** After this, the whole folder is scanned, independent of the watcher. */
  readonly full: number;
}
const PACE: Pace = { settle: 2000, check: 5000, full: 60_000 };
const SHOWN_DROPS = 500;
/** Depth of subfolders that are scanned. */
const DEPTH = 3;
/** Temporary files of systems and browsers. */
const TEMPORARY = /^(\.|~)|\.(part|partial|crdownload|download|tmp|filepart)$|^(thumbs\.db|desktop\.ini)$/i;
/** Captions are taken after the videos that they belong to. */
const isCaption = (name: string): boolean => /\.(srt|vtt)$/i.test(name);

interface Arriving extends SeenFile {
  readonly sha256: string;
  readonly sinceMs: number;
}

interface Taken {
  readonly outcome: Drop['outcome'];
  readonly message: FolderMessage;
  readonly match: MatchedName | null;
}

/**
 * Takes files from a folder that others fill. The watcher only triggers; the files are read from the folder itself, so a
 * missed event costs time but no file.
 *
 *   new, or another size or time --> arriving --same size, time and bytes for a while--> taken --> attached, or a reason
 *                                       ^  differs |
 *                                       '----------'
 *
 * The folder may disappear and return, like a network share: it is checked every few seconds. After an unexpected
 * failure the state is `failed` until the next full scan, which tries everything again.
 */
export function createWatchedFolder(ports: WatchedFolderPorts) {
  const { workspace, library, prober, clock, changed, tell } = ports;
  const pace = ports.pace ?? PACE;
  const log: DropLog = createDropLog(ports.logFile);
  const inTurn = createSerialQueue();
  const arriving = new Map<string, Arriving>();
  let watcher: FSWatcher | null = null;
  let loop: { readonly stop: AbortController; readonly over: Promise<void> } | null = null;
  let wake = new AbortController();
  let state: WatchedFolder['state'] = 'off';
  let problem: FolderMessage | null = null;

  const pathOf = ({ path }: FolderSetup): string => path ?? ports.ownFolder;

  const enter = (next: WatchedFolder['state'], why: FolderMessage | null = null): void => {
    if (state === next && isDeepStrictEqual(problem, why)) return;
    const isNews = why !== null && why.code !== problem?.code;
    [state, problem] = [next, why];
    changed();
    if (isNews && loop !== null) tell(`Watched folder "${basename(pathOf(log.setup()))}": ${folderText(why)}`);
  };

  const show = (): WatchedFolder => {
    const setup = log.setup();
    const { drops, total } = log.list(SHOWN_DROPS);
    return {
      on: setup.on,
      folder: basename(pathOf(setup)),
      isOwn: setup.path === null,
      state: setup.on ? state : 'off',
      problem: setup.on ? problem : null,
      patterns: setup.patterns,
      polling: setup.polling,
      arriving: arriving.size,
      drops: [...drops],
      total,
    };
  };

  const take = async (
    path: string,
    file: Arriving,
    patterns: readonly FilePattern[],
    campaigns: CampaignIndex,
  ): Promise<Result<Taken, NotWritable> | 'changed'> => {
    const fileName = basename(file.name);
    const refused = (reason: string, params: Readonly<Record<string, string | number>>) =>
      ok<Taken>({
        outcome: 'refused',
        message: { code: 'refused', facts: { ...params, file: fileName, reason } },
        match: null,
      });
    const probed = await prober.probe(path);
    if (!probed.ok) return refused(probed.error.reason, probed.error.params);
    const kept = await library.keep(path);
    if (!kept.ok) return refused(kept.error.reason, kept.error.params);
    if (kept.value.sha256 !== file.sha256) return 'changed';
    // From the copy, which no other program writes.
    const granted = { grant: '', path: kept.value.path, fileName, bytes: kept.value.bytes, spooled: false, held: null };
    const added = await addMedia({ workspace, library, prober }, [ok(granted)]);
    if (!added.ok) return added;
    const [media] = added.value.files;
    if (media === undefined || media.outcome === 'refused') return refused(media?.reason ?? '', media?.params ?? {});
    const match = matchFileName(patterns, fileName, campaigns);
    if (!match.ok) return ok({ outcome: 'not-attached', message: match.error, match: null });
    return attach(media.mediaId, fileName, match.value, patterns);
  };

  const attach = async (
    mediaId: number,
    fileName: string,
    match: MatchedName,
    patterns: readonly FilePattern[],
  ): Promise<Result<Taken, NotWritable> | 'changed'> => {
    const { campaign, creative } = match;
    const here = indexCampaigns([campaign]);
    const creativeOf = (name: string): string | null => {
      const read = matchFileName(patterns, name, here);
      return read.ok ? read.value.creative : null;
    };
    const [tree] = await workspace.readTrees([campaign.id]);
    const row = (await workspace.readMedia()).find(({ id }) => id === mediaId);
    // Reading a long video takes time, in which the user may delete its campaign, or the file from the library.
    if (tree === undefined)
      return ok({
        outcome: 'not-attached',
        message: { code: 'no-campaign', facts: { name: campaign.name } },
        match: null,
      });
    if (row === undefined) return 'changed';
    const planned = planAttachment(tree, row, creative, creativeOf);
    if (!planned.ok) {
      const { why, waits } = planned.error;
      return ok({ outcome: waits ? 'waiting' : 'not-attached', message: why, match });
    }
    const { updates, createIn, as } = planned.value;
    if (updates.length === 0 && createIn === null)
      return ok({ outcome: 'unchanged', message: { code: 'is-there', facts: { name: campaign.name } }, match });
    const batch: EditBatch = {
      label: `Attach ${fileName} to "${campaign.name}"`,
      source: 'media',
      updates: updates.map((update) => ({ ...update, value: mediaId })),
      creates:
        createIn === null ? [] : [{ kind: 'videoProfile', parent: { id: createIn }, values: { video: mediaId } }],
    };
    const applied = await workspace.apply(batch);
    if (!applied.ok) {
      if (applied.error.code === 'NOT_WRITABLE') return err(applied.error);
      throw new Error(`an attachment was refused: ${JSON.stringify(applied.error)}`);
    }
    return ok({ outcome: 'attached', message: { ...as, facts: { ...as.facts, name: campaign.name } }, match });
  };

  /** One scan of the folder. */
  const scanNow = async (setup: FolderSetup): Promise<void> => {
    const folder = pathOf(setup);
    const patterns = parsePatterns(setup.patterns);
    if (!patterns.ok || ports.isReadOnly) return;
    const found = await filesIn(folder);
    if (!found.ok) {
      arriving.clear();
      return enter('missing', found.error);
    }
    enter('watching');
    for (const name of arriving.keys()) if (!found.value.has(name)) arriving.delete(name);
    const ready: Arriving[] = [];
    const before = arriving.size;
    const taken = log.taken(folder);
    for (const file of found.value.values()) {
      if (loop?.stop.signal.aborted === true) return;
      const known = taken.get(file.name);
      if (known !== undefined && isSame(known, file)) continue;
      const path = join(folder, file.name);
      const seen = arriving.get(file.name);
      if (seen !== undefined && isSame(seen, file) && clock.monotonicMs() - seen.sinceMs < pace.settle) continue;
      const sha256 = await sha256OfFile(path).catch(nullIfRefused); // it may not be readable at the moment
      if (sha256 === null) continue;
      if (seen !== undefined && isSame(seen, file) && seen.sha256 === sha256) {
        if (known?.sha256 === sha256) {
          log.touch(folder, file);
          arriving.delete(file.name);
        } else ready.push(seen);
      } else arriving.set(file.name, { ...file, sha256, sinceMs: clock.monotonicMs() });
    }
    if (ready.length > 0) await takeAll(folder, ready, patterns.value);
    if (ready.length > 0 || arriving.size !== before) changed();
  };

  const takeAll = async (
    folder: string,
    ready: readonly Arriving[],
    patterns: readonly FilePattern[],
  ): Promise<void> => {
    const campaigns = indexCampaigns(await workspace.campaignFacts());
    const ordered = ready.toSorted(
      (a, b) => Number(isCaption(a.name)) - Number(isCaption(b.name)) || (a.name < b.name ? -1 : 1),
    );
    for (const file of ordered) {
      if (loop?.stop.signal.aborted === true) return;
      arriving.delete(file.name);
      const done = await take(join(folder, file.name), file, patterns, campaigns);
      if (done === 'changed') continue;
      // After an error of the disk nothing is logged, so the file is tried again.
      if (!done.ok) return enter('read-only', withDetail('not-writable', done.error.data.detail));
      const { outcome, message, match } = done.value;
      const { id: campaignId = null, name: campaign = null } = match?.campaign ?? {};
      log.add(folder, file, { at: clock.nowMs(), outcome, message, campaignId, campaign });
      if (outcome === 'attached' && !isCaption(file.name)) log.forget(['waiting']);
    }
  };

  const scan = (): Promise<void> =>
    inTurn(async () => {
      const setup = log.setup();
      if (setup.on) await scanNow(setup);
    });

  /** Watches the folder while it exists; a folder that returned needs a new watcher. */
  const follow = async ({ polling }: FolderSetup, folder: string, known: string | null): Promise<string | null> => {
    const identity = await identityOf(folder);
    if (identity === known && (identity === null || watcher !== null)) return identity;
    await watcher?.close();
    watcher = null;
    if (identity === null) return null;
    const started = watch(folder, {
      ignoreInitial: true,
      followSymlinks: false,
      depth: DEPTH,
      usePolling: polling,
      interval: pace.settle,
      binaryInterval: pace.settle,
    });
    // Files added while the watcher started have no event; the next full scan finds what it missed.
    for (const event of ['ready', 'all', 'error'] as const) started.on(event, () => wake.abort());
    watcher = started;
    wake.abort();
    return identity;
  };

  const run = async (setup: FolderSetup, stop: AbortSignal): Promise<void> => {
    const folder = pathOf(setup);
    let identity: string | null = null;
    let lookedMs = Number.NEGATIVE_INFINITY;
    let isMade = setup.path !== null;
    const look = async (): Promise<void> => {
      if (!isMade) await makeFolders(ports.ownFolder);
      isMade = true;
      const before = identity;
      identity = await follow(setup, folder, identity);
      const isDue = clock.monotonicMs() - lookedMs >= pace.full || arriving.size > 0 || before !== identity;
      if (!wake.signal.aborted && !isDue) return;
      wake = new AbortController();
      lookedMs = clock.monotonicMs();
      await scan();
    };
    while (!stop.aborted) {
      try {
        await look();
      } catch (error) {
        // Nobody waits for this loop, so its failure would end the program. Files that were not logged are tried again.
        lookedMs = Number.NEGATIVE_INFINITY;
        if (!stop.aborted) enter('failed', withDetail('failed', detailOf(error)));
        await clock.sleep(pace.full, stop);
        continue;
      }
      const pauseMs = arriving.size > 0 ? pace.settle : pace.check;
      await clock.sleep(pauseMs, AbortSignal.any([stop, wake.signal]));
    }
    await watcher?.close();
    watcher = null;
  };

  const stop = async (): Promise<void> => {
    loop?.stop.abort();
    await loop?.over;
    loop = null;
    arriving.clear();
  };

  const start = async (): Promise<void> => {
    const setup = log.setup();
    if (!setup.on || loop !== null) return;
    const ends = new AbortController();
    loop = { stop: ends, over: run(setup, ends.signal) };
  };

  return {
    state: show,
    /** The patterns were validated before. */
    set: async (change: Partial<FolderSetup>, watches: boolean): Promise<WatchedFolder> => {
      await stop();
      const before = log.setup();
      const setup = { ...before, ...change };
      log.change(setup);
      // Files that matched no pattern may match one now.
      if (setup.patterns !== before.patterns) log.forget(['not-attached', 'waiting']);
      [state, problem] = [setup.on ? 'watching' : 'off', null];
      if (setup.on && setup.path === null) await makeFolders(ports.ownFolder);
      if (watches) await start();
      return show();
    },
    test: async (patterns: readonly FilePattern[], names: readonly string[]) => {
      const campaigns = indexCampaigns(await workspace.campaignFacts());
      return names.map((name) => {
        const match = matchFileName(patterns, name, campaigns);
        return match.ok
          ? { name, campaign: match.value.campaign.name, creative: match.value.creative, problem: null }
          : { name, campaign: null, creative: null, problem: match.error };
      });
    },
    scan: async (again: boolean): Promise<WatchedFolder> => {
      if (again) log.forget(['not-attached', 'waiting', 'refused']);
      await scan();
      return show();
    },
    /** Takes all files, and waits for those still being written, up to a minute. `taken` has those of this call. */
    takeSettled: async (again: boolean) => {
      if (again) log.forget(['not-attached', 'waiting', 'refused']);
      const newest = log.list(1).drops[0]?.id ?? 0;
      for (let waitedMs = 0; waitedMs <= pace.full; waitedMs += pace.settle) {
        await scan();
        if (arriving.size === 0) break;
        await clock.sleep(pace.settle);
      }
      return { state: show(), taken: log.list(-1, newest).drops };
    },
    /** Begins to watch, where that is switched on. */
    start,
    close: async () => {
      await stop();
      log.close();
    },
  };
}

const isSame = (a: SeenFile, b: SeenFile): boolean => a.bytes === b.bytes && a.modifiedMs === b.modifiedMs;

const withDetail = (code: FolderMessage['code'], detail: string): FolderMessage => ({ code, facts: { detail } });

const detailOf = (error: unknown): string =>
  notWritableFrom(error)?.data.detail ?? diskWords(error) ?? (error instanceof Error ? error.message : 'unknown');

/** Why the folder can't be read. A file in its place counts as a missing folder. */
function unreadable(error: unknown): FolderMessage {
  switch (codeOrThrow(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return { code: 'folder-missing', facts: {} };
    case 'EACCES':
    case 'EPERM':
      return { code: 'folder-no-permission', facts: {} };
    default:
      return withDetail('folder-unreadable', detailOf(error));
  }
}

/** Regular files below the folder that are not temporary. */
async function filesIn(folder: string): Promise<Result<ReadonlyMap<string, SeenFile>, FolderMessage>> {
  const found = new Map<string, SeenFile>();
  const walk = async (below: string, depth: number): Promise<void> => {
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      if (TEMPORARY.test(entry.name)) continue;
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory() && depth < DEPTH) await walk(name, depth + 1).catch(codeOrThrow);
      // Links are not followed: they could lead out of the folder.
      if (!entry.isFile()) continue;
      const facts = await lstat(join(folder, name)).catch(nullIfRefused);
      if (facts?.isFile() === true && facts.size > 0)
        found.set(name, { name, bytes: facts.size, modifiedMs: facts.mtimeMs });
    }
  };
  try {
    await walk('', 0);
    return ok(found);
  } catch (error) {
    return err(unreadable(error));
  }
}

async function identityOf(folder: string): Promise<string | null> {
  const found = await stat(folder, { bigint: true }).catch(nullIfRefused);
  return found?.isDirectory() === true ? `${found.dev} ${found.ino}` : null;
}
