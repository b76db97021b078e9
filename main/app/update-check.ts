import { z } from 'zod';
import type { NewerVersion } from '../../shared/api/app.ts';

/**
 * Whether a newer Adslate is out. Only that is told, with the place to get it: the app replaces nothing of itself. Until
 * there is a place where releases are announced, no host brings a source, and nothing is asked of anybody.
 */
export interface ReleaseSource {
  /** The announcement as it came, or null when the place could not be reached. */
  read(): Promise<unknown>;
}

/** What such a place says: the newest release, and the page about it. */
const Announcement = z.object({
  version: z.string().regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/),
  url: z.url({ protocol: /^https$/ }).max(500),
});

/** @param own the version that runs, as `1.2.3` */
export async function checkForUpdate(own: string, source: ReleaseSource | null): Promise<NewerVersion> {
  if (source === null) return { state: 'not-announced' };
  const announced = Announcement.safeParse(await source.read());
  if (!announced.success) return { state: 'unknown' };
  const { version, url } = announced.data;
  return isNewer(version, own) ? { state: 'newer', version, url } : { state: 'newest' };
}

function isNewer(one: string, other: string): boolean {
  const [left, right] = [one, other].map((version) => version.split('.').map(Number));
  for (const at of [0, 1, 2]) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
