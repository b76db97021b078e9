export const HOST_WORDS: readonly string[];
export const HOST_ENVIRONMENT: Readonly<Record<string, string>>;
