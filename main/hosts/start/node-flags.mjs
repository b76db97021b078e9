/**
 * How much memory a host may take beyond what it has in use. Everything that starts one says so in these words: the
 * scripts, the launcher of the package, which carries this file, and the desktop host, which can say them only from
 * inside (`start-options.ts`).
 *
 * To Node, for all threads: V8 lets the space for new objects grow to 128 MB in each of them once many survive a while,
 * and lets three times as much garbage as there is in use gather before it looks. A desk that stays open for days has
 * no need of either.
 */
export const NODE_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=50'];

/**
 * To the C library of Linux; other systems pass it over.
 *
 * - It opens a pool of memory for nearly each thread and gives little of it back: every sync makes its backup in a thread
 *   of its own, and over 130 days of the soak that came to 35 MB and went on growing, where two pools stay as they are.
 * - Once a large block was given back it takes such blocks from its pools as well, and keeps up to twice their size at the
 *   end of a pool: after 200 days 25 MB were free and still held. Said outright, the size it begins with stays.
 */
export const NODE_ENVIRONMENT = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };
