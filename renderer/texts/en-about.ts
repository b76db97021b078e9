/** What the program says about itself. */
export const enAbout = {
  title: 'About Adslate',
  versions: {
    version: 'Adslate',
    electron: 'Electron',
    node: 'Node',
    sqlite: 'SQLite',
    platform: 'System',
  },
  webHost: 'none: this window is in your browser',
  newer: (version: string) => `Adslate ${version} is out.`,
  newerLink: 'What is new, and how to get it',
  tabs: { support: 'For support', reliability: 'Reliability', licences: 'Licences' },
  support:
    'Read what a helper would get: versions and the end of the log, without names, places on the disk or secrets. Nothing leaves this computer unless you send it.',
  save: 'Save this text',
  notBuilt: 'This build does not bring the text along. "npm run package" makes one that does.',
  reading: 'Reading…',
  signOut: 'Sign out everywhere',
  signOutHint: 'Ends this and every other window of this host; a new link signs in again.',
  signOutFailed: 'Signing out did not work: the host cannot be reached. Close the window to be safe.',
} as const;
