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
 *   none -- setRowsToMove: cut or copied --> rowsToMove -- pasted, or clearRowsToMove --> none
 */
export interface MoveSlice {
  readonly rowsToMove: RowsToMove | null;
  /** The campaign of the list under the pointer of a drag. */
  readonly dropCampaignId: number | null;
  readonly setRowsToMove: (rowsToMove: RowsToMove) => void;
  readonly clearRowsToMove: () => void;
  readonly hoverCampaign: (campaignId: number | null) => void;
}

export const createMoveSlice: StateCreator<MoveSlice> = (set) => ({
  rowsToMove: null,
  dropCampaignId: null,
  setRowsToMove: (rowsToMove) => set({ rowsToMove }),
  clearRowsToMove: () => set({ rowsToMove: null }),
  hoverCampaign: (dropCampaignId) => set({ dropCampaignId }),
});
