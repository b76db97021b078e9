import type { BrowserWindowConstructorOptions, WebPreferences } from 'electron';

/**
 * The settings of every window. The page runs sandboxed, sees no Node and shares no object with the preload; what
 * is written here is what Electron's security checklist asks for, spelt out so that a changed default is no change.
 */
export const webPreferences = (preload: string): WebPreferences => ({
  preload,
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  safeDialogs: true,
  spellcheck: false,
  // A middle click would open a second window.
  disableBlinkFeatures: 'Auxclick',
});

export const windowOptions = (preload: string, isDark: boolean): BrowserWindowConstructorOptions => ({
  width: 1440,
  height: 900,
  minWidth: 900,
  minHeight: 600,
  show: false,
  title: 'Adslate',
  // The page's own colours, so that opening does not flash.
  backgroundColor: isDark ? '#1a1b1e' : '#ffffff',
  webPreferences: webPreferences(preload),
});
