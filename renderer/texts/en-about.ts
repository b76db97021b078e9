/** What the program says about itself. */
export const enAbout = {
  title: 'About Adslate',
  versions: {
    version: 'Adslate',
    electron: 'Electron',
    node: 'Node',
    sqlite: 'SQLite',
    platform: 'Operating system',
  },
  webHost: 'Not used: Adslate runs in your browser',
  newer: (version: string) => `Adslate ${version} is available.`,
  newerLink: 'Release notes and download',
  tabs: { support: 'Diagnostics', reliability: 'Reliability', licences: 'Licenses' },
  support:
    'Diagnostic report for support: versions and recent log entries, without names, file paths or credentials. Adslate never sends it; you decide whether to share it.',
  save: 'Save report',
  notBuilt: 'This build does not include the text. Run "npm run package" to create a build that does.',
  reading: 'Loading…',
  signOut: 'Sign out everywhere',
  signOutHint: 'Signs out this window and all others. You need a new link to sign in again.',
  signOutFailed: "Couldn't sign out: Adslate is not responding. Close this window to be safe.",
} as const;
