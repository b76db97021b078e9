/**
 * What Node is told when it runs a host, in all its threads. V8 lets the space for new objects grow to 128 MB in each
 * of them once many survive a while, and gives it back rarely; with 16 MB the same work takes as long.
 */
export const HOST_WORDS = ['--max-semi-space-size=8'];
