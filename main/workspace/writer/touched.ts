import type { RowRef } from '../../../shared/contract/scalars.ts';
import { type Kind, kindCode } from '../../../shared/model/kinds.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import type { Db } from '../db/db.ts';
import { noteChecked } from '../rows/revision.ts';
import { nextRevision } from './ids.ts';

/** What the open transaction has touched so far. Empty again when it ends, either way. */
export class AffectedRows {
  readonly kinds = new Set<Kind>();
  readonly grown = new Set<Kind>();
  readonly shuffled = new Set<Kind>();
  /** Kinds of which nothing but findings differs, because rows were checked that had been edited before. */
  readonly checked = new Set<Kind>();
  /** True when a check of the whole account is due: campaigns or media came, went or changed. */
  account = false;
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

  clear(): void {
    for (const set of [this.kinds, this.grown, this.shuffled, this.checked, this.#rowsByCampaign]) set.clear();
    this.account = false;
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
        this.shuffled.has(kind) ? 1 : 0,
      );
    }
    return revision;
  }
}
