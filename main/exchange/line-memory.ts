import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { KINDS, type Kind } from '../../shared/model/kinds.ts';
import { writeWhole } from '../write-whole.ts';

/**
 * Remembers from which line of which sheet a row came, so that findings and refusals can point at the sheet. It is
 * a convenience beside the workspace: without the file, rows have no line and nothing else changes.
 */
export interface LineMemory {
  /** Answers with the line of a row, or null for rows that came from no sheet. */
  read(): Promise<(kind: Kind, id: number) => number | null>;
  remember(lines: Iterable<readonly [Kind, number, number]>): Promise<void>;
}

const Stored = z.record(z.enum(KINDS), z.array(z.tuple([z.int(), z.int()]))).catch(() => emptyLines());
type Stored = Record<Kind, [number, number][]>;

export function createLineMemory(path: string): LineMemory {
  let known: Map<string, number> | null = null;
  const load = async (): Promise<Map<string, number>> => {
    if (known !== null) return known;
    known = new Map();
    for (const [kind, pairs] of Object.entries(await readStored(path))) {
      for (const [id, line] of pairs) known.set(`${kind}:${id}`, line);
    }
    return known;
  };
  return {
    read: async () => {
      const lines = await load();
      return (kind, id) => lines.get(`${kind}:${id}`) ?? null;
    },
    remember: async (lines) => {
      const all = await load();
      for (const [kind, id, line] of lines) all.set(`${kind}:${id}`, line);
      const stored = emptyLines();
      for (const [key, line] of all) {
        const [kind, id] = key.split(':');
        const named = KINDS.find((name) => name === kind);
        if (named !== undefined) stored[named].push([Number(id), line]);
      }
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeWhole(path, JSON.stringify(stored));
    },
  };
}

function emptyLines(): Stored {
  return {
    campaign: [],
    adGroup: [],
    adItem: [],
    keyword: [],
    sbaProfile: [],
    videoProfile: [],
    placementMultiplier: [],
    platformMultiplier: [],
    media: [],
  };
}

async function readStored(path: string): Promise<Stored> {
  try {
    return Stored.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    // Missing or damaged: the lines are forgotten, the rows are not.
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return emptyLines();
    throw error;
  }
}
