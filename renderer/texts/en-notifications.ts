import { bytesText, countText } from './numbers.ts';

/** Texts about what happened while nobody looked, and about the line to the service. */
export const enNotifications = {
  button: (unread: number) => (unread === 0 ? 'What happened' : `What happened, ${countText(unread)} new`),
  title: 'What happened',
  none: 'Nothing yet',
  noneText: 'Ends of syncs, decided reviews, finished videos and reports, and problems are listed here.',
  clear: 'Clear the list',
  go: 'Show',
  quiet: 'Quiet hours',
  quietText: 'No notes of the system pop up; everything is listed here.',
  from: 'From',
  to: 'To',
  status: {
    online: 'Online',
    offline: 'Offline',
    away: 'No answer',
    awayText:
      'The service did not answer the last time it was asked. Go on drafting; what you send waits until it answers again.',
    offlineText: 'This computer has no network. Go on drafting; what you send waits until it is back.',
    waiting: {
      offline: 'Waiting for the network. Everything else goes on without it; this goes when it is back.',
      away: 'Waiting for the service, which did not answer the last time it was asked. Everything else goes on without it.',
    },
    practice: 'Practice service',
    practiceText: 'The simulated service runs inside Adslate and needs no network.',
    budget: (left: number, of: number) => `${countText(left)} of ${countText(of)} changes left`,
    budgetText: 'What the service still takes in this hour. It fills up again by itself.',
    nextPoll: (time: string) => `Next look ${time}`,
    nextPollText: 'When reviews and videos are looked at by themselves.',
    looking: 'Looking now',
    lowSpace: (bytes: number) => `Disk nearly full: ${bytesText(bytes)}`,
    lowSpaceText:
      'Little room is left on the disk of this account. Make room before an edit, a video or a backup finds none.',
  },
} as const;
