import type { Events, WindowEvent } from '../../renderer/app/queries.ts';

/** Events of main as a window hears them, said by a test. */
export function deskEvents(): { readonly events: Events; tell(event: Partial<WindowEvent>): void } {
  const listeners = new Set<(event: WindowEvent) => void>();
  const events = {
    on: (listener: (event: WindowEvent) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => listeners.clear(),
  };
  const tell = (event: Partial<WindowEvent>): void => {
    for (const listener of listeners) listener({ workspaceId: 'acme', ...event } as WindowEvent);
  };
  return { events, tell };
}
