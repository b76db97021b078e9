import type { NotificationConstructorOptions } from 'electron';
import type { AppEvent } from '../../../shared/api/app.ts';
import { isQuiet as isQuietAt, type QuietHours } from '../../../shared/model/plain-date.ts';
import { sentIn } from '../../core/notification-log.ts';

/**
 * Indicators outside the window: a progress bar on the app icon during a sync, and system notifications while no
 * window is in front, when a sync ends or stops, reviews are decided, videos are ready, or the token is no longer
 * accepted.
 *
 *   sync.progress (phase) --> bar moves --> phase `done` --> bar is removed, notification if no window is in front
 *   upload.progress --------> bar shows the current file until its last byte
 *   task.progress ----------> bar during an import, an export or a change of many rows, with its progress if known
 */
export type SyncIndicators = ReturnType<typeof createSyncIndicators>;

export interface SignPorts {
  /** Progress from 0 to 1, or `busy` if unknown; null removes the bar. */
  readonly setBar: (share: number | 'busy' | null) => void;
  readonly isInFront: () => boolean;
  readonly note: ShowNotification;
}

export function createSyncIndicators({ setBar, isInFront, note }: SignPorts) {
  const running = new Map<string, number>();
  const tasks = new Map<string, number | null>();
  let upload: number | null = null;
  const show = (): void => {
    if (running.size > 0) setBar(upload ?? Math.min(...running.values()));
    else setBar(tasks.size === 0 ? null : (leastOf(tasks) ?? 'busy'));
  };
  const hearTask = (event: AppEvent): void => {
    if (event.type !== 'task.progress') return;
    if (event.isOver) tasks.delete(event.taskId);
    else tasks.set(event.taskId, event.share);
    show();
  };
  return {
    /** True while a sync runs. */
    isBusy: () => running.size > 0,
    /** True during an import, an export or a change of many rows. */
    hasTasks: () => tasks.size > 0,
    hear: (event: AppEvent) => {
      if (!isInFront()) noteDecisions(event, note);
      hearTask(event);
      if (event.type === 'upload.progress') {
        upload = event.sentBytes < event.totalBytes ? event.sentBytes / event.totalBytes : null;
        show();
      }
      if (event.type !== 'sync.progress') return;
      if (event.phase !== 'done') {
        running.set(event.runId, event.batchesTotal === 0 ? 0 : event.batchesDone / event.batchesTotal);
        show();
        return;
      }
      running.delete(event.runId);
      // A canceled upload sends no more events; the end of its sync does.
      upload = null;
      show();
      if (!isInFront()) note(event.workspaceId, 'Sync finished', endText(event), 'account');
    },
  };
}

/** The lowest progress of all tasks; null when none is known. */
function leastOf(tasks: ReadonlyMap<string, number | null>): number | null {
  const shares = [...tasks.values()].filter((share) => share !== null);
  return shares.length === 0 ? null : Math.min(...shares);
}

/** Notifies of decisions of the service: reviews, and refused credentials. */
function noteDecisions(event: AppEvent, note: ShowNotification): void {
  if (event.type === 'reviews.decided') {
    const { approved, rejected } = event;
    note(event.workspaceId, 'Review results', countsText({ approved, rejected }), 'reviews');
  }
  if (event.type === 'media.finished')
    note(event.workspaceId, 'Videos', countsText({ ready: event.ready, "can't be used": event.failed }), 'media');
  if (event.type === 'report.job' && event.isNews)
    note(event.workspaceId, 'Reports', REPORT_NOTES[event.state], 'reports');
  if (event.type === 'notification.added' && event.workspaceId !== null && event.entry.place === 'alerts')
    note(event.workspaceId, 'Alert', event.entry.text, 'alerts');
  if (event.type === 'access.refused') {
    note(
      event.workspaceId,
      'Credentials not accepted',
      'The service no longer accepts the token or the key of this account.',
      'access',
    );
  }
}

/** A word, and no name: the screen may be locked. */
const REPORT_NOTES = {
  waiting: '1 in progress.',
  ready: '1 ready.',
  failed: '1 failed.',
  expired: '1 expired.',
} as const;

/** Those that are above 0, such as "2 approved, 1 rejected." */
const countsText = (counts: Readonly<Record<string, number>>): string =>
  `${Object.entries(counts)
    .flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []))
    .join(', ')}.`;

const ENDED = {
  paused: 'paused',
  away: 'the service is not responding',
  deadline: 'the deadline has passed',
  'plan-changed': 'the plan changed',
  team: "your team's database is not available",
} as const;

/** Numbers only: campaign names must not appear on a lock screen. */
function endText(event: Extract<AppEvent, { type: 'sync.progress' }>): string {
  const { elementsRefused, elementsInDoubt, ended } = event;
  const parts = [`${sentIn(event)} sent`];
  if (ended !== undefined) parts.unshift(ENDED[ended]);
  if (elementsRefused > 0) parts.push(`${elementsRefused} failed`);
  if (elementsInDoubt > 0) parts.push(`${elementsInDoubt} unconfirmed`);
  return `${parts.join(', ')}.`;
}

/** The parts of a system notification that are used here; Electron's own class fits. */
interface SystemNote {
  on(event: 'click', listener: () => void): unknown;
  show(): void;
}

/** The place in the account that a notification opens. */
type NotePlace = (typeof PRESSING)[number];

interface NotePorts {
  readonly isSupported: () => boolean;
  readonly make: (options: NotificationConstructorOptions) => SystemNote;
  /** Brings the window of the account to the front and shows the place in it. */
  readonly follow: (workspaceId: string, place: NotePlace) => void;
}

/** So many notifications stay referenced: without a reference, one may be garbage collected before it is clicked. */
const HELD_MAX = 20;

/** Shows a notification about an account. */
type ShowNotification = (workspaceId: string, title: string, body: string, place: NotePlace) => void;

/** @returns shows a notification that opens its account; no effect where the system has none */
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
 * Combines events of about the same time into one system notification, and shows none in quiet hours; the
 * notifications in the window still list every entry.
 *
 *   event --> waits for more of the account --GROUP_MS--> one notification, or none in quiet hours
 */
interface NoticePorts {
  readonly show: ShowNotification;
  /** Whether nothing may pop up at this moment. */
  readonly isQuiet: () => boolean;
  readonly later: (delayMs: number, run: () => void) => void;
}

const GROUP_MS = 3000;

/** Order of importance: a notification opens one place only. */
const PRESSING = ['access', 'reviews', 'media', 'alerts', 'reports', 'account'] as const;

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
    const title = only ? first.title : `${told.length} notifications`;
    const body = only ? first.body : told.map((each) => `${each.title}: ${each.body}`).join('\n');
    show(workspaceId, title, body, first.place);
  };
  return (workspaceId, title, body, place) => {
    const before = waiting.get(workspaceId);
    waiting.set(workspaceId, [...(before ?? []), { title, body, place }]);
    if (before === undefined) later(GROUP_MS, () => tell(workspaceId));
  };
}

/** Whether a time is within the quiet hours, in local time. */
export const isQuietHour = (hours: QuietHours | null, now: Date): boolean =>
  hours !== null && isQuietAt(hours, now.getHours() * 60 + now.getMinutes());
