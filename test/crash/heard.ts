import type { Kind } from '../../shared/model/kinds.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import type { Said } from './killed-child.ts';

/**
 * What the children said: all that a user could have seen, and so all that may be held against the end.
 *
 *   announced      the old bid or the new one: the process may have died before the edit or after it
 *   acknowledged   the new bid and no other, until the next announcement
 */
export class Heard {
  readonly made = new Map<RowId, Kind>();
  edits = 0;
  private readonly bids = new Map<RowId, readonly number[]>();

  hear(line: Said): void {
    if (line.say === 'made') for (const { kind, id } of line.rows) this.made.set(id, kind);
    if (line.say === 'will') this.bids.set(line.id, [...(this.bids.get(line.id) ?? [line.from]), line.bid]);
    if (line.say === 'edited') {
      this.edits++;
      this.bids.set(line.id, [line.bid]);
    }
  }

  /** Bids in cents with which an item may end, or null when nobody edited it. */
  allowedBids(id: RowId): readonly number[] | null {
    return this.bids.get(id) ?? null;
  }
}
