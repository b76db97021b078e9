import { PATCH_MAX } from '../../../shared/api/limits.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import type { Conflict } from '../../../shared/api/sync.ts';
import type { DeploymentSettings } from '../../../shared/deployment/deployment-settings.ts';
import type { AnyValues } from '../../../shared/model/fields.ts';
import { type Kind, kindCode } from '../../../shared/model/kinds.ts';
import type { AnyRow } from '../../../shared/model/row.ts';
import { asRowId, type RemoteId, type RowId } from '../../../shared/model/scalars.ts';
import type { Result } from '../../../shared/result.ts';
import type { Finding } from '../../../shared/rules/rule.ts';
import { type Db, numberOf, rowIdOf } from '../db/db.ts';
import { NoRowNumbers } from '../not-writable.ts';
import { noteChecked } from '../rows/revision.ts';
import type { MergeOutcome, RemoteRow } from '../types.ts';

/**
 * What code in the writer's thread works with: the connection and the operations that keep rows, base, marks and
 * findings in step. Everything here is synchronous and belongs to the transaction that is open.
 *
 * Operations of the outbox are called inside a transaction already; `tx` joins it, so calling it again is harmless.
 */
export interface WriterStore {
  readonly db: Db;
  readonly profile: DeploymentSettings;
  /** Wall clock of the call that is being answered, in milliseconds since 1970. */
  nowMs(): number;
  /** Runs `work` in a transaction, or as part of the one that is open. What it throws rolls everything back. */
  tx<T>(work: () => T): T;
  /** Marks these kinds as changed; the transaction gets one new revision however often this is called. */
  bumpRevision(kinds: Iterable<Kind>): void;
  /** Checks these campaigns again before the transaction ends, and the account when it is concerned. */
  recheck(campaignIds: Iterable<RowId>): void;
  readRow(ref: RowRef): AnyRow | null;
  /**
   * Records that the service has what was sent. `sent` becomes the base; a field stays dirty when the row holds
   * something else by now. A new row stops being new; `remoteId` null keeps the id the row has (multipliers and
   * logos have none).
   */
  acceptSent(
    ref: RowRef,
    pushed: { readonly remoteId: RemoteId | null; readonly sent: AnyValues; readonly serviceFields?: AnyValues },
  ): Result<null, AcceptProblem>;
  mergeRemoteRows(rows: readonly RemoteRow[]): MergeOutcome;
  /** Remembers the service's own words about a row it refused; null forgets them. */
  setRefusal(ref: RowRef, message: string | null): void;
  /** Open disagreements between a local edit and the service, oldest first. */
  listConflicts(): Conflict[];
  /**
   * Ends a conflict as steps of the history that can be undone and hold both values: the service's value is taken over;
   * with `mine` the user's is written again after it. `by` names the rule of a policy that decided, null the user.
   */
  resolveConflict(ref: RowRef, field: string, take: 'mine' | 'theirs', by: string | null): void;
  getMeta(key: string): string | null;
  setMeta(key: string, value: string): void;
}

export type AcceptProblem =
  | { readonly kind: 'no-row' }
  /** Another row of this kind already stands for that id; one id belongs to one row. */
  | { readonly kind: 'remote-id-taken'; readonly by: RowId };

/** Row ids fit an Int32Array, which is how views keep their order. */
const HIGHEST_ID = 2 ** 31 - 1;

/**
 * Hands out consecutive row ids that no row of any kind ever had.
 *
 * @returns the first of them
 */
export function takeIds(db: Db, count: number): RowId {
  if (db.get('SELECT 1 FROM team_meta') !== undefined) return takeFromBlock(db, count);
  const last = numberOf(db, `UPDATE counter SET value = value + ? WHERE name = 'row' RETURNING value`, count);
  if (last > HIGHEST_ID) throw new Error('this workspace has used up all its row numbers');
  return asRowId(last - count + 1);
}

/** In a team each computer gives out numbers of its own blocks, so that a row has one number on all of them. */
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

/** What the open transaction has touched so far. Empty again when it ends, either way. */
export class AffectedRows {
  readonly kinds = new Set<Kind>();
  readonly grown = new Set<Kind>();
  readonly shuffled = new Set<Kind>();
  /** Kinds of which nothing but findings differs, because rows were checked that had been edited before. */
  readonly checked = new Set<Kind>();
  /** In a team new rows may have lower numbers than those of colleagues, so a view cannot look behind its highest alone. */
  isTeam = false;
  /** True when a check of the whole account is due: campaigns or media came, went or changed. */
  account = false;
  /** A colleague changed the rules by which rows are judged. */
  standards = false;
  /** A campaign's name changed, which stands in rows of other kinds. */
  renamed = false;
  /** The id of an item changed, whose picture may stand for its campaign in rows of other kinds. */
  repictured = false;
  /** What the checks of this transaction found, by campaign; under `ACCOUNT` what they found in the whole account. */
  readonly findings = new Map<number, readonly Finding[]>();
  /** Rows that differ, while an edit wants to answer with them. */
  readonly #rows = new Map<Kind, Set<RowId>>();
  #wanted: 'no' | 'yes' | 'too many' = 'no';
  #rowCount = 0;
  /** Per campaign the rows of which only cells changed, or null when anything in it may have. */
  readonly #rowsByCampaign = new Map<RowId, RowRef[] | null>();

  /** Campaigns to check again, with the few rows that changed, or null for all of them. */
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

  /** From now on rows that differ are remembered, up to `PATCH_MAX` of them. */
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

  /** The rows that differ, by kind; null when there are too many. */
  get rows(): ReadonlyMap<Kind, ReadonlySet<RowId>> | null {
    return this.#wanted === 'too many' ? null : this.#rows;
  }

  clear(): void {
    const sets = [this.kinds, this.grown, this.shuffled, this.checked, this.#rowsByCampaign, this.findings, this.#rows];
    for (const set of sets) set.clear();
    this.account = false;
    this.renamed = false;
    this.repictured = false;
    this.standards = false;
    this.#wanted = 'no';
    this.#rowCount = 0;
  }

  /** Writes the new revision and what it means for views. Null when nothing was touched. */
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
