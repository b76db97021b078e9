import type { NotificationConstructorOptions } from 'electron';
import { isQuiet as isQuietAt, type QuietHours } from '../../../shared/model/plain-date.ts';

/** A note of the operating system, as this folder needs it; Electron's own class fits. */
interface SystemNote {
  on(event: 'click', listener: () => void): unknown;
  show(): void;
}

/** Where a note leads within its account. */
type NotePlace = 'account' | 'reviews' | 'media' | 'access' | 'reports';

interface NotePorts {
  readonly isSupported: () => boolean;
  readonly make: (options: NotificationConstructorOptions) => SystemNote;
  /** Brings the window of the account to the front, and shows the place in it. */
  readonly follow: (workspaceId: string, place: NotePlace) => void;
}

/** So many notes are held: one that nobody holds may be gone before it is clicked. */
const HELD_MAX = 20;

/** Leaves a note about an account. */
export type ShowNotification = (workspaceId: string, title: string, body: string, place: NotePlace) => void;

/** @returns leaves a note that leads to its account; where the system has no notes, nothing happens */
export function createSystemNotifications(ports: NotePorts): ShowNotification {
  let held: readonly SystemNote[] = [];
  return (workspaceId, title, body, place) => {
    if (!ports.isSupported()) return;
    const note = ports.make({ title, body });
    note.on('click', () => ports.follow(workspaceId, place));
    held = [...held, note].slice(-HELD_MAX);
    note.show();
  };
}

/**
 * Puts together what happens at about the same time, so that one note of the system tells of it, and keeps silent in
 * quiet hours; the news of the window has every entry all the same.
 *
 *   told --> waits for more of the account --GROUP_MS--> one note, or none in quiet hours
 */
interface NoticePorts {
  readonly show: ShowNotification;
  /** Whether nothing may pop up at this moment. */
  readonly isQuiet: () => boolean;
  readonly later: (delayMs: number, run: () => void) => void;
}

const GROUP_MS = 3000;

/** What needs the user comes first: a note leads to one place only. */
const PRESSING: readonly NotePlace[] = ['access', 'reviews', 'media', 'account'];

interface Told {
  readonly title: string;
  readonly body: string;
  readonly place: NotePlace;
}

export function batchNotifications({ show, isQuiet, later }: NoticePorts): ShowNotification {
  const waiting = new Map<string, readonly Told[]>();
  const tell = (workspaceId: string): void => {
    const told = waiting.get(workspaceId) ?? [];
    waiting.delete(workspaceId);
    const [first] = told.toSorted((a, b) => PRESSING.indexOf(a.place) - PRESSING.indexOf(b.place));
    if (first === undefined || isQuiet()) return;
    const only = told.length === 1;
    const title = only ? first.title : `${told.length} things happened`;
    const body = only ? first.body : told.map((each) => `${each.title}: ${each.body}`).join('\n');
    show(workspaceId, title, body, first.place);
  };
  return (workspaceId, title, body, place) => {
    const before = waiting.get(workspaceId);
    waiting.set(workspaceId, [...(before ?? []), { title, body, place }]);
    if (before === undefined) later(GROUP_MS, () => tell(workspaceId));
  };
}

/** Whether a moment lies within the quiet hours, by the clock on the wall. */
export const isQuietHour = (hours: QuietHours | null, now: Date): boolean =>
  hours !== null && isQuietAt(hours, now.getHours() * 60 + now.getMinutes());
