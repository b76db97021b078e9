import type { NotificationConstructorOptions } from 'electron';

/** A note of the operating system, as this folder needs it; Electron's own class fits. */
export interface SystemNote {
  on(event: 'click', listener: () => void): unknown;
  show(): void;
}

/** Where a note leads within its account. */
export type NotePlace = 'account' | 'reviews' | 'media' | 'access' | 'reports';

export interface NotePorts {
  readonly isSupported: () => boolean;
  readonly make: (options: NotificationConstructorOptions) => SystemNote;
  /** Brings the window of the account to the front, and shows the place in it. */
  readonly follow: (workspaceId: string, place: NotePlace) => void;
}

/** So many notes are held: one that nobody holds may be gone before it is clicked. */
const HELD_MAX = 20;

/** Leaves a note about an account. */
export type SyncNote = (workspaceId: string, title: string, body: string, place: NotePlace) => void;

/** @returns leaves a note that leads to its account; where the system has no notes, nothing happens */
export function systemNotes(ports: NotePorts): SyncNote {
  let held: readonly SystemNote[] = [];
  return (workspaceId, title, body, place) => {
    if (!ports.isSupported()) return;
    const note = ports.make({ title, body });
    note.on('click', () => ports.follow(workspaceId, place));
    held = [...held, note].slice(-HELD_MAX);
    note.show();
  };
}
