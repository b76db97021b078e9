import { patternOf, stepOf } from './keys.ts';
import { type MovesSeen, strangeMoves } from './moves-seen.ts';

/**
 * Holds a case to what it claims: a message that it proves must have been in an answer, a move must have been made. One
 * case runs at a time in a file, so what is gathered here is gathered by that case.
 */
let heard: string[] = [];
let moves: MovesSeen | null = null;

/** Every answer that a client of the suite reads passes here. */
export function hear(text: string): void {
  heard.push(text);
}

export function watch(seen: MovesSeen): void {
  moves = seen;
}

export function beginCase(): void {
  heard = [];
  moves?.forget();
}

/** @returns what the case claims without having shown it, and moves that nobody may make */
export function contradictions(proves: readonly string[]): readonly string[] {
  const seen = moves?.list() ?? [];
  return [
    ...proves.filter((key) => isUnheard(key) || isUnseen(key, seen)).map((key) => `not shown: ${key}`),
    // A case may load a scenario, whose rows begin as anything.
    ...strangeMoves(seen.filter((move) => !move.includes('(new)'))).map((move) => `not in the document: ${move}`),
  ];
}

function isUnheard(key: string): boolean {
  const pattern = patternOf(key);
  return pattern !== null && !heard.some((text) => pattern.test(text));
}

function isUnseen(key: string, seen: readonly string[]): boolean {
  const step = stepOf(key);
  return step !== null && !seen.includes(step);
}
