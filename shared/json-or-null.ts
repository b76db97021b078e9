/** What a JSON text says; null for a text that is no JSON, and for `null` itself. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
