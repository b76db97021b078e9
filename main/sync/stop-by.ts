import type { Stop } from './core/context.ts';

/**
 * What it means for a run that something threw. The store throws when a write is refused, by an error of SQLite or of the
 * system; errors of the language itself are faults of ours, and nobody should free space because of one. Their names are
 * what remains of an error that came from a thread.
 */
export function stopBy(thrown: unknown): Stop {
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  const isDefect = OF_THE_LANGUAGE.some((kind) => thrown instanceof kind);
  return { cause: isDefect ? 'defect' : 'disk', detail };
}

const OF_THE_LANGUAGE = [TypeError, RangeError, ReferenceError, SyntaxError] as const;
