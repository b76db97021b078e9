import { bulk } from './en-bulk.ts';
import { commandTexts } from './en-commands.ts';
import { dialogs } from './en-dialogs.ts';
import { gridTexts } from './en-grid.ts';
import { panels } from './en-panels.ts';
import { sync } from './en-sync.ts';
import { plural } from './numbers.ts';

export type { CommandId } from './en-commands.ts';

/** Every text of the desk that is not the name of a field, an error or a finding: those of the frame, and the others by area. */
export const en = {
  ...dialogs,
  sync,
  ...bulk,
  ...gridTexts,
  ...panels,
  ...commandTexts,
  app: 'Adslate',
  frame: {
    navigation: 'Campaign list',
    inspector: 'Details',
    drawer: 'Issues, changes, sync and history',
    main: { rows: 'Rows', launch: 'Launch', reports: 'Reports' },
    toolbar: 'Main toolbar',
    status: 'Account status',
    importWord: 'Import',
    resize: (pane: string) => `Resize: ${pane}`,
  },
  account: {
    switch: 'Switch account',
    find: 'Find account',
    noneFound: 'No matching accounts.',
    practice: 'Practice',
    addPractice: 'New practice account',
    locked: 'locked',
    connect: 'Connect account…',
    mode: { normal: 'Normal', confirm: 'Confirm each sync', 'read-only': 'Read-only' },
    modeLabel: 'Sync mode',
    remove: 'Remove account…',
    removeTitle: 'Remove this account?',
    removeText: (name: string, changed: number) =>
      `Deletes all data of "${name}" from this computer, including ${plural(changed, 'unsynced row')}. Data on the service is not affected.`,
    removeKeep: 'Keep account',
    removeButton: 'Delete from this computer',
    removed: (files: number) => `Account removed. ${plural(files, 'file')} deleted.`,
  },
  welcome: {
    title: 'Welcome to Adslate',
    lead: 'Create and edit campaigns offline. Adslate checks every rule as you type and syncs your changes when you are ready.',
    practiceTitle: 'Try it with a practice account',
    practiceText: 'A simulated ad service inside Adslate. Nothing leaves this computer, so you can try anything.',
    practiceButton: 'Open practice account',
    practiceName: 'Practice',
    connectTitle: 'Connect an account',
    connectText: 'You need your advertiser ID, consumer ID, private key file and access token file.',
    connectButton: 'Connect account',
    offline: 'Works offline. Your edits are saved as you type.',
  },
  signedOut: {
    title: 'This window is not signed in',
    text: 'Run "npm start" to get a new sign-in link.',
  },
  connecting: 'Connecting…',
  broken: {
    title: 'Something went wrong in this window',
    text: 'Your edits are saved. Reload the window to continue. If it happens again, tell support what you did.',
    reload: 'Reload window',
  },
  nav: {
    lists: 'Lists',
    campaigns: 'Campaigns',
    filter: 'Find campaign',
    noMatch: 'No matching campaigns.',
  },
  colours: 'Appearance and formats',
  close: 'Close',
  retry: 'Try again',
} as const;
