/**
 * What Node is told when it runs a host, in all its threads. V8 lets the space for new objects grow to 128 MB in each
 * of them once many survive a while, and lets three times as much garbage as there is in use gather before it looks; a
 * desk that stays open for days has no need of either.
 */
export const HOST_WORDS = ['--max-semi-space-size=8', '--heap-growing-percent=50'];
