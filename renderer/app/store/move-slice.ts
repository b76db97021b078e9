import type { StateCreator } from 'zustand';
import type { WindowRow } from '../../../shared/api/workspace.ts';
import type { Kind } from '../../../shared/model/kinds.ts';

/** Rows on their way to another campaign, as they were when they were picked up. */
export interface RowsToMove {
  readonly kind: Kind;
  readonly rows: readonly WindowRow[];
  /** False leaves the originals where they are. */
  readonly move: boolean;
}

export interface MoveTarget {
  readonly id: WindowRow['id'];
  readonly name: string;
}

/**
 * Rows that are picked up by keys or commands wait here until they are put down; a drag with the pointer only tells
 * which campaign it is over.
 *
 *   nothing -- pickUp --> carried -- put down or let go --> nothing
 */
export interface MoveSlice {
  readonly carried: RowsToMove | null;
  /** The campaign of the list that a drag is over. */
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
