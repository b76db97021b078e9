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
    navigation: 'Campaigns and lists',
    inspector: 'Details of the selection',
    drawer: 'Findings, changes, sync and history',
    main: { rows: 'Rows', launch: 'Launch', reports: 'Reports' },
    toolbar: 'Main commands',
    status: 'Status of the account',
    importWord: 'Import',
    resize: (pane: string) => `Resize: ${pane}`,
  },
  account: {
    switch: 'Switch account',
    find: 'Find an account',
    noneFound: 'No account has this in its name.',
    practice: 'Practice',
    addPractice: 'New practice account',
    locked: 'locked',
    connect: 'Connect an account…',
    mode: { normal: 'Normal', confirm: 'Confirm each sync', 'read-only': 'Read-only' },
    modeLabel: 'Sending',
    remove: 'Remove this account…',
    removeTitle: 'Remove this account?',
    removeText: (name: string, changed: number) =>
      `Everything of "${name}" on this computer is deleted, also ${plural(changed, 'row')} not sent yet. What is on the service stays there.`,
    removeKeep: 'Keep it',
    removeButton: 'Delete from this computer',
    removed: (files: number) => `The account was removed with ${plural(files, 'file')}.`,
  },
  welcome: {
    title: 'Welcome to Adslate',
    lead: 'Draft campaigns on this computer, have every rule checked as you type, and send the difference in one go.',
    practiceTitle: 'Start with the practice account',
    practiceText: 'A complete simulated service inside Adslate. Nothing leaves this computer; try everything.',
    practiceButton: 'Start practising',
    practiceName: 'Practice',
    connectTitle: 'Connect an account',
    connectText: 'You need your consumer id, private key file, access token file and advertiser id.',
    connectButton: 'Connect an account',
    offline: 'Works without a network. What you type is saved as you type it.',
  },
  signedOut: {
    title: 'This window is not signed in',
    text: 'Open Adslate with npm start: it prints or opens a link that signs in once.',
  },
  connecting: 'Connecting…',
  broken: {
    title: 'This window has stopped',
    text: 'Your edits are saved. Open the window again to go on; if it stops at the same place, tell us what you did.',
    reload: 'Open again',
  },
  nav: {
    lists: 'Lists',
    campaigns: 'Campaigns',
    filter: 'Find a campaign',
    noMatch: 'No campaign has this in its name.',
  },
  colours: 'Colours, numbers and dates',
  close: 'Close',
  retry: 'Try again',
} as const;
