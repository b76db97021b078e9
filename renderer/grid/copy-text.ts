/** Lines of some rows of a view, how many rows the view has, and which view it was. */
export interface Lines {
  readonly lines: string;
  readonly length: number;
  readonly viewId: number;
}

export interface LinesSource {
  /** Most rows that may be asked for at once. */
  readonly most: number;
  /** The view that answers now: another one after rows were sorted anew. */
  viewId(): number;
  read(from: number, count: number): Promise<Lines>;
}

/** Rows came or went while they were copied, each time it was tried. */
export class Disturbed extends Error {}

const TRIES = 3;

/**
 * The lines of a range of any length, read a part at a time, so that the window and others stay served. Begins anew when
 * rows come or go or are sorted meanwhile: a table of rows half from before and half from after would be neither.
 *
 * @param onProgress told how many rows are there after each part
 * @param signal ends it with the reason of its abort
 */
export async function readLines(
  source: LinesSource,
  from: number,
  count: number,
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<string> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const lines = await readOnce(source, from, count, onProgress, signal);
    if (lines !== null) return lines;
  }
  throw new Disturbed();
}

/** Null when the rows did not stay as they were. */
async function readOnce(
  source: LinesSource,
  from: number,
  count: number,
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<string | null> {
  const viewId = source.viewId();
  const parts: string[] = [];
  let length: number | null = null;
  for (let done = 0; done < count; done += source.most) {
    let part: Lines;
    try {
      part = await source.read(from + done, Math.min(source.most, count - done));
    } catch (error) {
      if (source.viewId() === viewId) throw error;
      return null;
    }
    signal.throwIfAborted();
    length ??= part.length;
    if (part.viewId !== viewId || part.length !== length) return null;
    parts.push(part.lines);
    onProgress(Math.min(count, done + source.most));
  }
  return parts.join('\n');
}
