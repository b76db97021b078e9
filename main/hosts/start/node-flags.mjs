/**
 * Memory limits of a host. All programs that start one use these: the scripts, the launcher of the package, which
 * includes this file, and the desktop host, which can set them only from inside (`start-options.ts`).
 *
 * For Node, in all threads: by default V8 lets the space for new objects grow to 128 MB in each thread once many
 * survive a while, and lets garbage reach three times the memory in use before it collects. A program that stays open
 * for days needs neither.
 */
export const NODE_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=50'];

/**
 * For the C library of Linux; other systems ignore it.
 *
 * - It opens a memory pool for nearly every thread and returns little of it: every sync makes its backup in a separate
 *   thread, and over 130 days of the soak test that grew to 35 MB and did not stop, while two pools stay the same.
 * - Once a large block was freed, it also allocates such blocks from its pools, and keeps up to twice their size free
 *   at the end of a pool: after 200 days 25 MB were free but not returned. An explicit threshold stays fixed.
 */
export const NODE_ENVIRONMENT = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };
