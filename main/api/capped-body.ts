import { ANSWER_MAX } from './json.ts';

/**
 * The text of an answer, read piece by piece so that an endless or well-packed body stops at the limit.
 *
 * @returns null when the body is longer than the limit, ends early, or is not UTF-8
 */
export async function readCapped(response: Response, limitBytes: number = ANSWER_MAX): Promise<string | null> {
  if (response.body === null) return '';
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reader = response.body.getReader();
  let text = '';
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      bytes += value.byteLength;
      if (bytes > limitBytes) {
        await reader.cancel();
        return null;
      }
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // The status line came whole, so the answer exists; that its body did not is what null says.
    return null;
  }
}
