import { readFile, stat } from 'node:fs/promises';

/** Is an uploaded caption file one? A .vtt begins with WEBVTT, an .srt with a counter and a line of times. */
const CAPTIONS_MAX_BYTES = 10 * 1024 * 1024;

export async function isCaptionFile(path: string): Promise<boolean> {
  if ((await stat(path)).size > CAPTIONS_MAX_BYTES) return false;
  const text = (await readFile(path)).toString('utf8').replace(/^\ufeff/, '');
  if (/^WEBVTT(?:[ \t\r\n]|$)/.test(text)) return true;
  return /^\s*\d+[ \t]*\r?\n\d{2}:\d{2}:\d{2},\d{3} --> \d{2}:\d{2}:\d{2},\d{3}/.test(text);
}
