import type { DatabaseProblem } from '../../shared/error-help/database-problem.ts';
import { err, ok, type Result, unreachable } from '../../shared/result.ts';
import { changesIn } from '../../shared/team/change-set.ts';
import type { Position, Push, PushAnswer, SetKind, TeamEntry } from '../../shared/team/position.ts';
import { CHANGE_SET_FORMAT, type EntryError, type TeamLog } from './team-log.ts';

/** The team functions of the store that sharing uses. Each call is one transaction. */
export interface SharingStore {
  teamState(): Promise<{
    readonly desk: number;
    readonly position: Pick<Position, 'seen'>;
    readonly isNew: boolean;
  } | null>;
  /** The pending push, or the next one; null if nothing is to be shared, or the log has to be read first. */
  teamOffer(): Promise<(Push & { readonly label: string; readonly kind: SetKind }) | null>;
  teamAnswer(answer: PushAnswer): Promise<unknown>;
  teamFold(entries: readonly TeamEntry[]): Promise<unknown>;
  /** Called when the log was read to its end. */
  teamPulled(): Promise<unknown>;
  /** Reverts all entries after one: the database has lost them. @returns false if too old to be reverted */
  teamForget(toSeq: number): Promise<boolean>;
}

/** How many changes were shared and taken, as counted by `changesIn` and by the state of the store. */
export interface Exchanged {
  readonly shared: number;
  readonly taken: number;
}

/**
 *   old-version  an entry, or the team, requires a newer version of Adslate: nothing is shared, only earlier entries are taken
 *   damaged      an entry does not match its hash, or the computer that it names: entries after it are not taken
 *   behind       the log that this computer needs was pruned: it continues from a snapshot
 *   closed       the account is no longer in a team
 */
export type SharingStop =
  | { readonly is: 'old-version'; readonly needs: string }
  | { readonly is: 'damaged'; readonly seq: number; readonly why: EntryError['is'] }
  | { readonly is: 'behind' }
  | { readonly is: 'closed' };

export interface RoundDeps {
  readonly store: SharingStore;
  readonly log: TeamLog;
  /** Waits before a push is tried again while another computer has the turn. */
  readonly pause: () => Promise<void>;
  /** Continues from the newest snapshot of the database; false if there is none. */
  readonly takeSnapshot: () => Promise<Result<boolean, SharingStop>>;
  /** Called when the database has lost entries. */
  readonly goesBack: () => void;
}

/** The failure of a computer that must be updated before it can share again. */
export const needsFormat = (what: string, format: number): SharingStop => ({
  is: 'old-version',
  needs:
    format > CHANGE_SET_FORMAT
      ? `${what} has format ${format}, and this Adslate reads up to format ${CHANGE_SET_FORMAT}`
      : `${what} was written by a newer Adslate`,
});

/** The same as a problem with the database, while an account is joining. */
export function stopStep(stop: SharingStop): Pick<DatabaseProblem, 'step' | 'detail'> {
  if (stop.is === 'old-version') return { step: stop.is, detail: stop.needs };
  if (stop.is === 'damaged') return { step: stop.is, detail: `entry ${stop.seq} ${DAMAGE[stop.why]}` };
  return { step: stop.is === 'behind' ? 'pruned' : stop.is, detail: '' };
}

export function stopText(stop: SharingStop): string {
  switch (stop.is) {
    case 'old-version':
      return `Your team uses a newer Adslate. Update Adslate to share. (${stop.needs})`;
    case 'damaged':
      return `Entry ${stop.seq} in the database of the team ${DAMAGE[stop.why]}. Nothing after it is taken, and your edits stay here. Ask the administrator of the database to compare it with a backup.`;
    case 'behind':
      return 'The database no longer has entries that this computer needs. Ask an admin of the team to make a snapshot.';
    case 'closed':
      return 'This account has left its team.';
    default:
      return unreachable(stop);
  }
}

const DAMAGE: Readonly<Record<EntryError['is'], string>> = {
  'wrong-hash': 'was changed after it was shared',
  forged: 'has no valid signature of the computer that it names',
  damaged: 'is damaged',
  newer: 'was written by a newer Adslate',
};

/** Reads the log to its end. The state of the store advances only here, also for this computer's own entries. */
export async function takeAll({
  store,
  log,
  takeSnapshot,
  goesBack,
}: RoundDeps): Promise<Result<Exchanged, SharingStop>> {
  let [shared, taken] = [0, 0];
  for (;;) {
    const state = await store.teamState();
    if (state === null) return err({ is: 'closed' });
    const { desk } = state;
    const { seen } = state.position;
    if (state.isNew) {
      const begun = await takeSnapshot();
      if (!begun.ok) return begun;
      if (begun.value) continue;
    }
    const read = await log.after(seen);
    if (read === null) {
      goesBack();
      const back = await backToCommonEntry(store, log);
      if (back.ok) continue;
      const begun = back.error.is === 'behind' ? await takeSnapshot() : back;
      if (!begun.ok) return begun;
      if (!begun.value) return back;
      continue;
    }
    if (!read.ok) {
      const { is, seq, format } = read.error;
      return err(is === 'newer' ? needsFormat(`entry ${seq} of the log`, format) : { is: 'damaged', seq, why: is });
    }
    if (read.value.length === 0) {
      await store.teamPulled();
      return ok({ shared, taken });
    }
    await store.teamFold(read.value);
    for (const entry of read.value) {
      if (entry.desk === desk) shared += changesIn(entry.changes);
      else taken += changesIn(entry.changes);
    }
  }
}

/**
 * Shares all local changes, and takes the entries that arrive meanwhile. A refused push is rebuilt on the entries
 * taken. A push whose answer was lost is found in the log, or repeated with the same number.
 */
export async function shareAll(deps: RoundDeps): Promise<Result<Exchanged, SharingStop>> {
  let total: Exchanged = { shared: 0, taken: 0 };
  for (;;) {
    const offered = await deps.store.teamOffer();
    if (offered === null) return ok(total);
    const answer = await deps.log.append(offered, offered.label, offered.kind);
    await deps.store.teamAnswer(answer);
    switch (answer) {
      case 'wait':
        await deps.pause();
        continue;
      case 'ok':
      case 'duplicate':
      case 'behind':
      case 'gap':
      case 'other-history':
      case 'old-format': {
        const read = await takeAll(deps);
        if (!read.ok) return read;
        total = { shared: total.shared + read.value.shared, taken: total.taken + read.value.taken };
        if (answer === 'old-format') return err(needsFormat('the team', CHANGE_SET_FORMAT + 1));
        break;
      }
      default:
        unreachable(answer);
    }
  }
}

/**
 * Reverts the entries that the database has lost, back to the last common entry: first all beyond its head, then in
 * steps that double. Entries reverted too far are read again with the next page.
 */
async function backToCommonEntry(store: SharingStore, log: TeamLog): Promise<Result<null, SharingStop>> {
  for (let step = 1; ; step *= 2) {
    const state = await store.teamState();
    if (state === null) return err({ is: 'closed' });
    const { seen } = state.position;
    const { head, prunedTo, hash } = await log.look(seen.seq);
    if (hash === seen.hash) return ok(null);
    if (seen.seq < prunedTo) return err({ is: 'behind' });
    const isTaken = await store.teamForget(seen.seq > head ? head : Math.max(0, seen.seq - step));
    if (!isTaken) return err({ is: 'behind' });
  }
}
