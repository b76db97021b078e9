import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Where the window stood when it was closed, in pixels of the desktop. */
const WindowPlace = z.strictObject({
  x: z.int(),
  y: z.int(),
  width: z.int().min(400).max(20_000),
  height: z.int().min(300).max(20_000),
  maximized: z.boolean(),
});
export type WindowPlace = z.infer<typeof WindowPlace>;

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** So much of the window's top must lie on a display that it can be taken hold of, in pixels. */
const GRIP = 100;

/** Remembers the place in `window.json` of the data folder. It is a convenience: a file that does not fit counts as none. */
export function windowPlaces(dataDir: string): {
  read(areas: readonly Area[]): WindowPlace | null;
  write(place: WindowPlace): void;
} {
  const file = join(dataDir, 'window.json');
  return {
    read: (areas) => {
      if (!existsSync(file)) return null;
      const place = WindowPlace.safeParse(parsed(readFileSync(file, 'utf8')));
      return place.success && isWithinReach(place.data, areas) ? place.data : null;
    },
    write: (place) => writeFileSync(file, JSON.stringify(WindowPlace.parse(place)), { mode: 0o600 }),
  };
}

/** False for a place on a display that is no longer there. */
export function isWithinReach(place: Area, areas: readonly Area[]): boolean {
  return areas.some((area) => {
    const shared = Math.min(place.x + place.width, area.x + area.width) - Math.max(place.x, area.x);
    return shared >= GRIP && place.y >= area.y && place.y <= area.y + area.height - GRIP;
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
