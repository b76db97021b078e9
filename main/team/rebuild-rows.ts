import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ok } from '../../shared/result.ts';
import { makeFolders } from '../app/atomic-write.ts';
import { type OpenWorkspaceOptions, openWorkspace, type Workspace } from '../store/workspace.ts';
import type { Queries } from './connection.ts';
import { takeAll } from './share-round.ts';
import type { Signing } from './signing.ts';
import { openSnapshots, SNAPSHOT_DUE } from './snapshots.ts';
import { openTeamLog } from './team-log.ts';

/** A temporary, empty workspace of the same account. */
export interface EmptyWorkspace {
  readonly workspace: Workspace;
  /** Closes it and deletes its file. */
  drop(): Promise<void>;
}

/** Opens a temporary workspace in the account's folder. Files left by a crash are deleted first. */
export async function openEmptyWorkspace(
  folder: string,
  options: Pick<OpenWorkspaceOptions, 'profile' | 'clock' | 'threads'>,
): Promise<EmptyWorkspace | null> {
  const own = join(folder, 'team-read-again');
  await rm(own, { recursive: true, force: true });
  await makeFolders(folder, own);
  const opened = await openWorkspace({ ...options, file: join(own, 'workspace.db'), migrated: null });
  if (!opened.ok) return null;
  const workspace = opened.value;
  return {
    workspace,
    drop: async () => {
      await workspace.close();
      await rm(own, { recursive: true, force: true });
    },
  };
}

export interface RebuildDeps {
  readonly account: string;
  readonly store: Pick<Workspace, 'teamState' | 'teamSnapshot' | 'teamTakeSnapshot'>;
  /** Null if no file can be written. */
  readonly openBeside: () => Promise<EmptyWorkspace | null>;
  readonly signing: Signing | null;
}

/**
 * Repairs rows that differ between two computers at the same place of the log. As neither can tell which one is right,
 * each reads the snapshot and the log into a temporary workspace, up to its own last entry. If its rows differ from
 * that, it takes those; unshared changes stay, and the user is asked about no value that was right.
 *
 * @returns whether its own rows were wrong; null if something was edited or taken meanwhile
 */
export async function rebuildRows(
  client: Queries,
  { account, store, openBeside, signing }: RebuildDeps,
): Promise<boolean | null> {
  const state = await store.teamState();
  if (state === null) return null;
  const { desk, position } = state;
  const { seen, lastPush } = position;
  const beside = await openBeside();
  if (beside === null) return null;
  try {
    const { workspace } = beside;
    const { member, incarnation } = state;
    // No computer has number 0, so every entry counts as a colleague's.
    await workspace.teamJoin({ workspace: account, desk: 0, member, incarnation, firstRow: 1, rows: 0 });
    const log = openTeamLog(client, account, desk, signing);
    const upkeep = { due: SNAPSHOT_DUE, measureAtMs: 0 };
    const snapshots = openSnapshots(client, { account, desk, store: workspace, nowMs: () => 0, upkeep });
    const read = await takeAll({
      store: workspace,
      log: {
        ...log,
        after: async (place) =>
          place.seq >= seen.seq ? ok([]) : log.after(place, Math.min(seen.seq - place.seq, ENTRIES)),
      },
      pause: async () => undefined,
      takeSnapshot: () => snapshots.take({ seen: 0, isNew: true }),
      goesBack: () => undefined,
    });
    if (!read.ok) return null;
    const [right, own] = [await workspace.teamSnapshot(), await store.teamSnapshot()];
    if (right === null || own === null || own.place.hash !== seen.hash || right.place.hash !== seen.hash) return null;
    if (right.digest === own.digest) return false;
    await store.teamTakeSnapshot((from) => right.parts.slice(from), {
      place: right.place,
      digest: right.digest,
      lastPush,
    });
    await client.query('SELECT adslate.report_digest_v1($1, $2, $3, $4)', [
      account,
      desk,
      seen.seq,
      Buffer.from(right.digest, 'hex'),
    ]);
    return true;
  } finally {
    await beside.drop();
  }
}

/** How many entries are read at once. */
const ENTRIES = 2000;
