import type { StateCreator } from 'zustand';
import type { WindowRow } from '../../../shared/api/workspace.ts';
import type { Kind } from '../../../shared/model/kinds.ts';

/** Rows cut or copied for another campaign, as they were at that time. */
export interface RowsToMove {
  readonly kind: Kind;
  readonly rows: readonly WindowRow[];
  /** True for cut; false for copy, which leaves the originals unchanged. */
  readonly move: boolean;
}

export interface MoveTarget {
  readonly id: WindowRow['id'];
  readonly name: string;
}

/**
 * Rows cut or copied by keys or commands are kept here until they are pasted. A drag with the pointer only sets the
 * campaign under the pointer.
 *
 *   nothing -- pickUp: cut or copied --> carried -- pasted, or letGo --> nothing
 */
export interface MoveSlice {
  readonly carried: RowsToMove | null;
  /** The campaign of the list under the pointer of a drag. */
  readonly carryOver: number | null;
  readonly pickUp: (carried: RowsToMove) => void;
  readonly letGo: () => void;
  readonly hoverCampaign: (campaignId: number | null) => void;
}

export const createCarrySlice: StateCreator<MoveSlice> = (set) => ({
  carried: null,
  carryOver: null,
  pickUp: (carried) => set({ carried }),
  letGo: () => set({ carried: null }),
  hoverCampaign: (carryOver) => set({ carryOver }),
});
