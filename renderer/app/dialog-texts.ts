import { countText } from './locale/numbers.ts';

/** Texts shared by dialogs. They are loaded with the first dialog, which keeps them out of the first script. */
export const dialogTexts = {
  bulk: {
    leftAlone: 'Skipped',
    cancel: 'Cancel',
  },
  copies: {
    noGroup: 'This campaign has no ad group to copy to.',
  },
  create: {
    groupName: (campaign: string) => `${campaign} group`,
  },
  sync: {
    stop: 'Stop after this request',
    emptyValue: '(empty)',
  },
  history: {
    copyFailed:
      'Your browser does not allow copying from buttons. Allow clipboard access for this page, or export the changes.',
    what: { field: 'Changed', made: 'Added', removed: 'Removed', deleted: 'Marked for deletion', held: 'Put on hold' },
    /** Results of removing these marks. */
    without: { deleted: 'No longer marked for deletion', held: 'Released from hold' },
  },
  pendingSync: {
    pause: 'Pause',
  },
  requests: {
    requests: 'Requests',
    correlationId: 'Correlation ID',
    cut: (shown: number, all: number) => `Showing ${countText(shown)} of ${countText(all)} characters.`,
  },
  responses: {
    title: 'Original response',
  },
  syncErrors: {
    correlationId: 'Correlation ID',
  },
} as const;
