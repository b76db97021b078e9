/** How long a thread that others wait for works on without a break, in milliseconds: half of what a frame may take. */
const TURN_MS = 8;

/**
 * Carries out long work of the thread that answers windows, in turns between which it answers them.
 *
 * @param work yields where it can be left off; between two yields it should take a millisecond at most
 */
export async function runInSlices<T>(work: Generator<void, T>): Promise<T> {
  let endsAt = performance.now() + TURN_MS;
  for (let part = work.next(); ; part = work.next()) {
    if (part.done === true) return part.value;
    if (performance.now() < endsAt) continue;
    await new Promise((resolve) => setImmediate(resolve));
    endsAt = performance.now() + TURN_MS;
  }
}
