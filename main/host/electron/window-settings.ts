import type { BrowserWindowConstructorOptions, WebPreferences } from 'electron';
import type { WindowPlace } from './window-place.ts';

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

/** @param place where the window stood last, when that is still on a display */
export const windowOptions = (
  preload: string,
  isDark: boolean,
  place: Pick<WindowPlace, 'x' | 'y' | 'width' | 'height'> | null,
): BrowserWindowConstructorOptions => ({
  width: place?.width ?? 1440,
  height: place?.height ?? 900,
  ...(place === null ? {} : { x: place.x, y: place.y }),
  minWidth: 900,
  minHeight: 600,
  show: false,
  title: 'Adslate',
  // The page's own colours, so that opening does not flash.
  backgroundColor: isDark ? '#1a1b1e' : '#ffffff',
  webPreferences: webPreferences(preload),
});
