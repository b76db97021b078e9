import type { Client } from '../app/transport/connection.ts';
import type { Events } from './events.ts';
import { createWindowSource, type ViewRequest, type WindowSource } from './window-source.ts';

/** A press that was not followed by a click, because the pointer was dragged away, opens nothing. */
const KEPT_MS = 1000;

/**
 * Opens the view of a list while its name is being pressed, so that its rows are mostly here when the button is let go
 * and the list is asked for:
 *
 *   press -> prepare --> view under way --> take -> shown
 *                            \--> closed after a second, or when rows have changed meanwhile
 */
export interface PrefetchedView {
  prepare(workspaceId: string, request: ViewRequest): void;
  /** The view, if this is the one that was prepared; from then on it is the caller's to close. */
  take(workspaceId: string, request: ViewRequest): WindowSource | null;
}

export function createPreparedView(client: Client, events: Events): PrefetchedView {
  let held: { readonly key: string; readonly source: WindowSource } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const drop = (): void => {
    clearTimeout(timer);
    held?.source.close();
    held = null;
  };
  events.on((event) => {
    if (event.type === 'workspace.changed' || event.type === 'reconnected') drop();
  });
  return {
    prepare: (workspaceId, request) => {
      drop();
      held = { key: keyOf(workspaceId, request), source: createWindowSource(client, workspaceId, request) };
      timer = setTimeout(drop, KEPT_MS);
    },
    take: (workspaceId, request) => {
      if (held?.key !== keyOf(workspaceId, request)) return null;
      const { source } = held;
      clearTimeout(timer);
      held = null;
      return source;
    },
  };
}

const keyOf = (workspaceId: string, { kind, campaignId, filter, only, sort, report = null }: ViewRequest): string =>
  JSON.stringify([workspaceId, kind, campaignId, filter, only, sort, report]);

/** Every row of a kind, in the account or in one campaign, in its own order: what a list shows when it is gone to. */
export const wholeList = (kind: ViewRequest['kind'], campaignId: number | null): ViewRequest => ({
  kind,
  campaignId,
  filter: '',
  only: 'all',
  sort: [],
});
