import { expect, test } from 'vitest';
import { beginCase, contradictions } from './evidence.ts';

/**
 * A case of the conformance suite: the section of the partner API document it rests on, the sentence it proves, and
 * the messages, limits and moves it accounts for. Messages and moves that it claims must have been met while it ran.
 */
export interface Case {
  readonly file: string;
  readonly section: string;
  readonly sentence: string;
  readonly proves: readonly string[];
}

/** Set while the coverage check reads the files: then cases are noted instead of registered. */
let collecting: { readonly file: string; readonly cases: Case[] } | null = null;

/** Registers a case; what it accounts for is named behind it: `conform(…).proves('message.unexpected')`. */
export function conform(
  section: string,
  sentence: string,
  work: () => Promise<void>,
): { readonly proves: (...keys: readonly string[]) => void } {
  const keys: string[] = [];
  if (collecting !== null) collecting.cases.push({ file: collecting.file, section, sentence, proves: keys });
  else {
    test(`${section}: ${sentence}`, async () => {
      beginCase();
      await work();
      expect(contradictions(keys)).toEqual([]);
    });
  }
  return { proves: (...more) => void keys.push(...more) };
}

/** True while files are loaded for their cases only, and nothing needs to be started. */
export function isCollecting(): boolean {
  return collecting !== null;
}

/** The cases of a file. @param load imports it; one file at a time */
export async function casesOf(file: string, load: () => Promise<unknown>): Promise<readonly Case[]> {
  const cases: Case[] = [];
  collecting = { file, cases };
  try {
    await load();
  } finally {
    collecting = null;
  }
  return cases;
}
