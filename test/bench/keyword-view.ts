import type { Workspace } from '../../main/store/workspace.ts';
import type { ViewSpec } from '../../shared/api/workspace.ts';
import { aView } from '../store/a-view.ts';

// In a file of its own, because a process whose memory is measured loads it and should load nothing else of ours.

/** Rows of a window, as many as a screen asks for. */
export const WINDOW = 100;

export const byBid = aView({ sort: [{ column: 'bid', descending: false }] });

export async function openedView(workspace: Workspace, spec: ViewSpec = byBid) {
  const view = await workspace.openView(spec);
  if (!view.ok) throw new Error(view.error.problem);
  return view.value;
}
