import type { BrowserWindowConstructorOptions, WebPreferences } from 'electron';
import { z } from 'zod';
import type { Log } from '../../app/log.ts';
import { createUiStateFile } from './ui-state-file.ts';

/** Bounds of the window when it was closed, in pixels of the desktop. */
const WindowPlace = z.strictObject({
  x: z.int(),
  y: z.int(),
  width: z.int().min(400).max(20_000),
  height: z.int().min(300).max(20_000),
  maximized: z.boolean(),
});
type WindowPlace = z.infer<typeof WindowPlace>;

type Area = Readonly<Omit<WindowPlace, 'maximized'>>;

/** At least so much of the window's top must be on a display, so that it can be dragged, in pixels. */
const GRIP = 100;

/** Displays that are there together, as a text: at the desk, on the road, with a projector. */
const arrangementOf = (areas: readonly Area[]): string =>
  areas
    .map(({ x, y, width, height }) => [x, y, width, height].join(' '))
    .toSorted()
    .join(', ');

/** Number of stored arrangements; the least recently used ones are dropped. */
const ARRANGEMENTS_MAX = 20;
const Places = z.strictObject({
  /** Newest last. */
  places: z.array(z.strictObject({ displays: z.string().max(2000), place: WindowPlace })).max(ARRANGEMENTS_MAX),
});

/**
 * Stores the window's place for each arrangement of displays in `window-places.json` of the data folder. A new
 * arrangement starts with the last place, if a display shows it.
 */
export function createWindowBounds(
  dataDir: string,
  log: Log,
): {
  read(areas: readonly Area[]): WindowPlace | null;
  write(place: WindowPlace, areas: readonly Area[]): void;
} {
  const file = createUiStateFile(dataDir, 'window-places.json', Places, log);
  const known = () => file.read()?.places ?? [];
  return {
    read: (areas) => {
      const displays = arrangementOf(areas);
      const places = known();
      const found = places.find((each) => each.displays === displays) ?? places.at(-1);
      return found !== undefined && isWithinReach(found.place, areas) ? found.place : null;
    },
    write: (place, areas) => {
      const displays = arrangementOf(areas);
      const others = known().filter((each) => each.displays !== displays);
      file.write({ places: [...others, { displays, place }].slice(-ARRANGEMENTS_MAX) });
    },
  };
}

/** False for bounds on a display that is no longer connected. */
function isWithinReach(place: Area, areas: readonly Area[]): boolean {
  return areas.some((area) => {
    const shared = Math.min(place.x + place.width, area.x + area.width) - Math.max(place.x, area.x);
    return shared >= GRIP && place.y >= area.y && place.y <= area.y + area.height - GRIP;
  });
}

/**
 * Settings of every window. The page is sandboxed, has no Node and shares no object with the preload. The settings of
 * Electron's security checklist are all explicit, so that a changed default has no effect.
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

/** @param place last bounds of the window, if they are still on a display */
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
  // The background of the page, so that opening does not flash.
  backgroundColor: isDark ? '#1a1b1e' : '#ffffff',
  webPreferences: webPreferences(preload),
});
