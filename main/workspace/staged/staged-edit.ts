import type { EditBatch } from '../types.ts';

/** A large edit that lies in a file of its own. */
export interface StagedEdit {
  readonly file: string;
  readonly label: string;
  readonly source: EditBatch['source'];
  /** Revision of the workspace the edit was worked out for; any other makes it stale. */
  readonly revision: number;
}

export interface StagedOutcome {
  readonly revision: number;
  /** The id of the first new row; the n-th has the n-th id after it. */
  readonly firstId: number;
  readonly rows: number;
}

/** Somebody has edited since the stage was worked out; it has to be worked out anew. */
export interface StaleStage {
  readonly kind: 'stale';
  readonly revision: number;
}
