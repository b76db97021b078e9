import type { BrowserWindowConstructorOptions, WebPreferences } from 'electron';
import { z } from 'zod';
import type { Log } from '../../app/log.ts';
import { createUiStateFile } from './ui-state-file.ts';

/** Where the window stood when it was closed, in pixels of the desktop. */
const WindowPlace = z.strictObject({
  x: z.int(),
  y: z.int(),
  width: z.int().min(400).max(20_000),
  height: z.int().min(300).max(20_000),
  maximized: z.boolean(),
});
type WindowPlace = z.infer<typeof WindowPlace>;

type Area = Readonly<Omit<WindowPlace, 'maximized'>>;

/** So much of the window's top must lie on a display that it can be taken hold of, in pixels. */
const GRIP = 100;

/** Remembers the place in `window.json` of the data folder. */
export function createWindowBounds(
  dataDir: string,
  log: Log,
): {
  read(areas: readonly Area[]): WindowPlace | null;
  write(place: WindowPlace): void;
} {
  const file = createUiStateFile(dataDir, 'window.json', WindowPlace, log);
  return {
    read: (areas) => {
      const place = file.read();
      return place !== null && isWithinReach(place, areas) ? place : null;
    },
    write: file.write,
  };
}

/** False for a place on a display that is no longer there. */
function isWithinReach(place: Area, areas: readonly Area[]): boolean {
  return areas.some((area) => {
    const shared = Math.min(place.x + place.width, area.x + area.width) - Math.max(place.x, area.x);
    return shared >= GRIP && place.y >= area.y && place.y <= area.y + area.height - GRIP;
  });
}

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
