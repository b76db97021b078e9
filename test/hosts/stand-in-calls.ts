import { readSurface } from './electron-surface.ts';
import { createGuard } from './stand-in-guard.ts';

/** The one guard of a process that runs on the stand-in. */
export const guard = createGuard(readSurface());
