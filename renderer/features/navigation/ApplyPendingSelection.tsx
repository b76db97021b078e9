import { useEffect, useSyncExternalStore } from 'react';
import { useAppContext, useView } from '../../app/app-context.ts';
import type { OpenView } from '../../grid/window.ts';

/**
 * Waits until the rows of an errand are those on screen, then selects them and opens what was wanted with them. Draws
 * nothing. A view that still shows other rows is passed over, so that nothing is ever done with those.
 */
export function ApplyPendingSelection({ view }: { readonly view: OpenView }) {
  const { store } = useAppContext();
  const errand = useView((s) => s.errand);
  const { source } = view;
  const version = useSyncExternalStore(source.subscribe, source.version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that have arrived are told by the version.
  useEffect(() => {
    const { kind, filter, campaignId } = source.request;
    if (errand === null || kind !== errand.kind || filter !== errand.filter || campaignId !== null) return;
    if (!source.ready()) return;
    const { selectRows, errandDone, openTool } = store.getState();
    errandDone();
    if (source.length() === 0) return;
    selectRows(0, source.length() - 1);
    if (errand.tool !== null) openTool(errand.tool.step, errand.tool.field);
  }, [errand, source, version, store]);
  return null;
}
