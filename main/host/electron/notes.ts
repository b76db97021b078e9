import type { NotificationConstructorOptions } from 'electron';

/** A note of the operating system, as this folder needs it; Electron's own class fits. */
export interface SystemNote {
  on(event: 'click', listener: () => void): unknown;
  show(): void;
}

export interface NotePorts {
  readonly isSupported: () => boolean;
  readonly make: (options: NotificationConstructorOptions) => SystemNote;
  /** Brings the window of the account to the front. */
  readonly follow: (workspaceId: string) => void;
}

/** So many notes are held: one that nobody holds may be gone before it is clicked. */
const HELD_MAX = 20;

/** @returns leaves a note that leads to its account; where the system has no notes, nothing happens */
export function systemNotes(ports: NotePorts): (workspaceId: string, title: string, body: string) => void {
  let held: readonly SystemNote[] = [];
  return (workspaceId, title, body) => {
    if (!ports.isSupported()) return;
    const note = ports.make({ title, body });
    note.on('click', () => ports.follow(workspaceId));
    held = [...held, note].slice(-HELD_MAX);
    note.show();
  };
}
