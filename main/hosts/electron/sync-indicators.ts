import type { AppEvent } from '../../../shared/api/app.ts';
import type { ShowNotification } from './system-notifications.ts';

/**
 * What is shown outside the window: a bar on the program's symbol while a sync runs, and notes while nobody looks: when it
 * ends or stops, when reviews were decided or videos are ready, and when the service takes the token no longer.
 *
 *   sync.progress (phase) --> bar moves --> phase `done` --> bar goes, note if the window is not in front
 *   upload.progress --------> bar shows the file under way until its last byte
 *   task.progress ----------> bar while an import, an export or a change of many rows goes on, by its share if that is known
 */
export interface SyncIndicators {
  hear(event: AppEvent): void;
  /** True while a sync is under way. */
  isBusy(): boolean;
}

export interface SignPorts {
  /** A share from 0 to 1, or that nobody knows it; null takes the bar away. */
  readonly setBar: (share: number | 'busy' | null) => void;
  readonly isInFront: () => boolean;
  readonly note: ShowNotification;
}

export function createSyncIndicators({ setBar, isInFront, note }: SignPorts): SyncIndicators {
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
    isBusy: () => running.size > 0,
    hear: (event) => {
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
      // A file that was broken off says nothing more; the end of its sync does.
      upload = null;
      show();
      if (!isInFront()) note(event.workspaceId, 'Sync ended', endText(event), 'account');
    },
  };
}

/** The share of what is furthest from its end; null when nobody knows one. */
function leastOf(tasks: ReadonlyMap<string, number | null>): number | null {
  const shares = [...tasks.values()].filter((share) => share !== null);
  return shares.length === 0 ? null : Math.min(...shares);
}

/** What happened by itself: the service decided, or shut the door. */
function noteDecisions(event: AppEvent, note: ShowNotification): void {
  if (event.type === 'reviews.decided') note(event.workspaceId, 'Reviews decided', decidedText(event), 'reviews');
  if (event.type === 'media.finished') note(event.workspaceId, 'Videos', finishedText(event), 'media');
  if (event.type === 'report.job' && event.isNews)
    note(event.workspaceId, 'Reports', REPORT_NOTES[event.state], 'reports');
  if (event.type === 'access.refused') {
    note(event.workspaceId, 'Access refused', 'The service no longer takes the token or the key.', 'access');
  }
}

/** A word, and no name: the screen may be locked. */
const REPORT_NOTES = {
  waiting: '1 under way.',
  ready: '1 ready.',
  failed: '1 failed.',
  expired: '1 expired.',
} as const;

function finishedText({ ready, failed }: Extract<AppEvent, { type: 'media.finished' }>): string {
  const parts = [...(ready > 0 ? [`${ready} ready`] : []), ...(failed > 0 ? [`${failed} cannot be used`] : [])];
  return `${parts.join(', ')}.`;
}

function decidedText({ approved, rejected }: Extract<AppEvent, { type: 'reviews.decided' }>): string {
  const parts = [...(approved > 0 ? [`${approved} approved`] : []), ...(rejected > 0 ? [`${rejected} rejected`] : [])];
  return `${parts.join(', ')}.`;
}

const ENDED = {
  paused: 'paused',
  away: 'the service is not available',
  deadline: 'the deadline has passed',
  'plan-changed': 'the plan has changed',
} as const;

/** Numbers only: names of campaigns do not belong on a locked screen. */
function endText(event: Extract<AppEvent, { type: 'sync.progress' }>): string {
  const { elementsDone, elementsRefused, elementsInDoubt, ended } = event;
  const parts = [`${elementsDone} done`];
  if (ended !== undefined) parts.unshift(ENDED[ended]);
  if (elementsRefused > 0) parts.push(`${elementsRefused} refused`);
  if (elementsInDoubt > 0) parts.push(`${elementsInDoubt} without an answer`);
  return `${parts.join(', ')}.`;
}
