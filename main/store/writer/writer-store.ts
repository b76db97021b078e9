import { PATCH_MAX } from '../../../shared/api/limits.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import type { Conflict } from '../../../shared/api/sync.ts';
import type { DeploymentSettings } from '../../../shared/deployment/deployment-settings.ts';
import type { AnyValues } from '../../../shared/model/fields.ts';
import { type Kind, kindCode } from '../../../shared/model/kinds.ts';
import type { AnyRow } from '../../../shared/model/row.ts';
import { asRowId, type RemoteId, type RowId } from '../../../shared/model/scalars.ts';
import type { Result } from '../../../shared/result.ts';
import type { Issue } from '../../../shared/rules/rule.ts';
import { type Db, numberOf, rowIdOf } from '../db/db.ts';
import { NoRowNumbers } from '../not-writable.ts';
import { noteChecked } from '../rows/revision.ts';
import type { EditBatch, RemoteRow } from '../types.ts';

/**
 * The interface for code in the writer's thread: the connection, and the operations that keep rows, base, marks and
 * issues consistent. All calls are synchronous and part of the open transaction.
 *
 * Operations of the outbox are called inside a transaction; `tx` joins it, so a nested call is allowed.
 */
export interface WriterStore {
  readonly db: Db;
  readonly profile: DeploymentSettings;
  /** Wall clock of the current call, in milliseconds since 1970. */
  nowMs(): number;
  /** Runs `work` in a transaction, or as part of the open one. A thrown error rolls everything back. */
  tx<T>(work: () => T): T;
  /** Marks these kinds as changed; the transaction gets one new revision however often this is called. */
  bumpRevision(kinds: Iterable<Kind>): void;
  /** Records that rows of this kind were removed, so that open views drop them. */
  noteRemoved(kind: Kind): void;
  /** Checks these campaigns again before the transaction ends, and the account if needed. */
  recheck(campaignIds: Iterable<RowId>): void;
  readRow(ref: RowRef): AnyRow | null;
  /** Applies an edit as one step of the history. Throws if it is refused. */
  applyEdit(edit: EditBatch): void;
  /**
   * Records that the service accepted what was sent. `sent` becomes the base; a field stays changed if the row has
   * another value by now. A new row is no longer new.
   */
  acceptSent(ref: RowRef, pushed: Pushed): Result<null, AcceptProblem>;
  /** Merges values read from the service, field by field (`merge-remote.ts`). */
  mergeRemoteRows(rows: readonly RemoteRow[]): void;
  /** Stores the service's message about a refused row; null deletes it. */
  setRefusal(ref: RowRef, message: string | null): void;
  /** Open conflicts between a local edit and the service, oldest first. */
  listConflicts(): Conflict[];
  /**
   * Resolves a conflict with steps of the history that can be undone and contain both values: the service's value is
   * written, and with `mine` the user's again after it. `by` is the policy rule that decided, null for the user.
   */
  resolveConflict(ref: RowRef, field: string, take: 'mine' | 'theirs', by: string | null): void;
  getMeta(key: string): string | null;
  setMeta(key: string, value: string): void;
}

export interface Pushed {
  /** Null keeps the row's ID: multipliers and logos have none. */
  readonly remoteId: RemoteId | null;
  readonly sent: AnyValues;
  readonly serviceFields?: AnyValues;
}

export type AcceptProblem =
  | { readonly kind: 'no-row' }
  /** Another row of this kind already has that service ID. */
  | { readonly kind: 'remote-id-taken'; readonly by: RowId };

/** Row IDs fit an Int32Array, in which views store their order. */
const HIGHEST_ID = 2 ** 31 - 1;

/**
 * Assigns consecutive row IDs that no row of any kind ever had.
 *
 * @returns the first of them
 */
export function takeIds(db: Db, count: number): RowId {
  if (db.get('SELECT 1 FROM team_meta') !== undefined) return takeFromBlock(db, count);
  const last = numberOf(db, `UPDATE counter SET value = value + ? WHERE name = 'row' RETURNING value`, count);
  if (last > HIGHEST_ID) throw new Error('this workspace has used up all its row numbers');
  return asRowId(last - count + 1);
}

/** In a team each computer assigns IDs from its own blocks, so that a row has the same ID on all of them. */
function takeFromBlock(db: Db, count: number): RowId {
  const block = db.get('SELECT next FROM id_block WHERE last - next + 1 >= ? ORDER BY next LIMIT 1', count);
  if (block === undefined) throw new NoRowNumbers();
  const first = rowIdOf(block[0]);
  db.run('UPDATE id_block SET next = next + ? WHERE next = ?', count, first);
  db.run('DELETE FROM id_block WHERE next > last');
  return first;
}

function nextRevision(db: Db): number {
  return numberOf(db, `UPDATE counter SET value = value + 1 WHERE name = 'revision' RETURNING value`);
}

/** What the open transaction has changed so far. Cleared when it ends, committed or not. */
export class AffectedRows {
  readonly kinds = new Set<Kind>();
  readonly grown = new Set<Kind>();
  readonly shuffled = new Set<Kind>();
  /** Kinds of which only issues changed, because earlier edits were checked. */
  readonly checked = new Set<Kind>();
  /** In a team, new rows may have lower IDs than existing ones, so views can't rely on their highest ID alone. */
  isTeam = false;
  /** True if the whole account must be checked: campaigns or media were added, removed or changed. */
  account = false;
  /** True if a colleague changed the custom rules or other check settings. */
  standards = false;
  /** True if a campaign's name changed, which rows of other kinds display. */
  renamed = false;
  /** True if an item's ID changed, whose picture rows of other kinds may display for the campaign. */
  repictured = false;
  /** Issues of this transaction's checks by campaign; those of the whole account under `ACCOUNT`. */
  readonly issues = new Map<number, readonly Issue[]>();
  /** Changed rows, while an edit collects them for its answer. */
  readonly #rows = new Map<Kind, Set<RowId>>();
  #wanted: 'no' | 'yes' | 'too many' = 'no';
  #rowCount = 0;
  /** By campaign: rows of which only cells changed, or null if anything may have. */
  readonly #rowsByCampaign = new Map<RowId, RowRef[] | null>();

  /** Campaigns to check again, with their few changed rows, or null for all rows. */
  get campaigns(): ReadonlyMap<RowId, readonly RowRef[] | null> {
    return this.#rowsByCampaign;
  }

  campaign(id: RowId): void {
    this.#rowsByCampaign.set(id, null);
  }

  cellsOf(campaignId: RowId, ref: RowRef): void {
    const rows = this.#rowsByCampaign.get(campaignId);
    if (rows === null) return;
    if (rows === undefined) this.#rowsByCampaign.set(campaignId, [ref]);
    else rows.push(ref);
  }

  /** From now on changed rows are collected, up to `PATCH_MAX` of them. */
  wantRows(): void {
    this.#wanted = 'yes';
  }

  get wantsRows(): boolean {
    return this.#wanted === 'yes';
  }

  row(kind: Kind, id: RowId): void {
    if (this.#wanted !== 'yes') return;
    const ids = this.#rows.get(kind) ?? new Set();
    this.#rows.set(kind, ids);
    if (ids.has(id)) return;
    ids.add(id);
    if (++this.#rowCount > PATCH_MAX) this.#wanted = 'too many';
  }

  /** The changed rows by kind; null if there are too many. */
  get rows(): ReadonlyMap<Kind, ReadonlySet<RowId>> | null {
    return this.#wanted === 'too many' ? null : this.#rows;
  }

  clear(): void {
    const sets = [this.kinds, this.grown, this.shuffled, this.checked, this.#rowsByCampaign, this.issues, this.#rows];
    for (const set of sets) set.clear();
    this.account = false;
    this.renamed = false;
    this.repictured = false;
    this.standards = false;
    this.#wanted = 'no';
    this.#rowCount = 0;
  }

  /** Writes the new revision and its meaning for views. Null if nothing was touched. */
  record(db: Db): number | null {
    if (this.kinds.size + this.checked.size === 0) return null;
    const revision = nextRevision(db);
    if (this.checked.size > 0) noteChecked(db, revision);
    for (const kind of this.kinds) {
      db.run(
        `INSERT INTO kind_state(kind, changed, grown, shuffled) VALUES (?1, ?2, ?2, ?2) ON CONFLICT DO UPDATE SET
           changed = ?2, grown = iif(?3, ?2, grown), shuffled = iif(?4, ?2, shuffled)`,
        kindCode(kind),
        revision,
        this.grown.has(kind) ? 1 : 0,
        this.shuffled.has(kind) || (this.isTeam && this.grown.has(kind)) ? 1 : 0,
      );
    }
    return revision;
  }
}
