export const HOST_WORDS: readonly string[];
