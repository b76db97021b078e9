import type { DeskEvent, Events } from '../../renderer/app/queries.ts';

/** Events of main as a window hears them, said by a test. */
export function deskEvents(): { readonly events: Events; tell(event: Partial<DeskEvent>): void } {
  const listeners = new Set<(event: DeskEvent) => void>();
  const events = {
    on: (listener: (event: DeskEvent) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => listeners.clear(),
  };
  const tell = (event: Partial<DeskEvent>): void => {
    for (const listener of listeners) listener({ workspaceId: 'acme', ...event } as DeskEvent);
  };
  return { events, tell };
}
