import { useEffect, useSyncExternalStore } from 'react';
import { useAppContext, useView } from '../../app/app-context.ts';
import type { OpenView } from '../../grid/window.ts';

/**
 * Waits until the rows of an pendingSelection are those on screen, then selects them and opens what was wanted with them. Draws
 * nothing. A view that still shows other rows is passed over, so that nothing is ever done with those.
 */
export function ApplyPendingSelection({ view }: { readonly view: OpenView }) {
  const { store } = useAppContext();
  const pendingSelection = useView((s) => s.pendingSelection);
  const { source } = view;
  const version = useSyncExternalStore(source.subscribe, source.version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that have arrived are told by the version.
  useEffect(() => {
    const { kind, filter, campaignId } = source.request;
    if (
      pendingSelection === null ||
      kind !== pendingSelection.kind ||
      filter !== pendingSelection.filter ||
      campaignId !== null
    )
      return;
    if (!source.ready()) return;
    const { selectRows, selectionDone, openTool } = store.getState();
    selectionDone();
    if (source.length() === 0) return;
    selectRows(0, source.length() - 1);
    if (pendingSelection.tool !== null) openTool(pendingSelection.tool.step, pendingSelection.tool.field);
  }, [pendingSelection, source, version, store]);
  return null;
}
