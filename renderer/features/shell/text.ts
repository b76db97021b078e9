import { bytesText, countText } from '../../app/locale/numbers.ts';

export const shellTexts = {
  status: {
    online: 'Online',
    offline: 'Offline',
    away: 'Service not responding',
    awayText: 'The service did not respond to the last request. You can keep working and sync later.',
    offlineText: "This computer is offline. You can keep working and sync when you're back online.",
    waiting: {
      offline: 'Waiting for the network. Everything else still works.',
      away: 'Waiting for the service, which is not responding. Everything else still works.',
    },
    practice: 'Practice account',
    practiceText: 'This account uses a simulated service inside Adslate. It needs no network.',
    budget: (left: number, of: number) => `${countText(left)} of ${countText(of)} changes left this hour`,
    budgetText: (limit: string) => `${limit} A change counts for an hour after it was sent.`,
    nextPoll: (time: string) => `Next check ${time}`,
    nextPollText: 'Adslate checks reviews and videos automatically.',
    looking: 'Checking…',
    lowSpace: (bytes: number) => `Low disk space: ${bytesText(bytes)}`,
    lowSpaceText:
      'The disk of this account is almost full. Free up space so that edits, videos and backups can be saved.',
  },
} as const;
