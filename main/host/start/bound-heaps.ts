import { setFlagsFromString } from 'node:v8';
import { HOST_WORDS } from './host-words.mjs';

/**
 * Bounds the memory of this process from inside, where nobody could say the words of a host when it was started. To be
 * called before the first thread: the space for new objects of a thread is decided when it begins, so that of the main
 * thread stays as it is; how much garbage may gather counts for all from now on.
 */
export function boundHeaps(): void {
  for (const word of HOST_WORDS) setFlagsFromString(word);
}
