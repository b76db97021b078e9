import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { jsonOrNull } from '../../../shared/json-or-null.ts';
import { nullIfNotFound } from '../../null-if-missing.ts';
import { writeFileAtomic } from '../../write-whole.ts';

/** Whose signed files were taken over here before, by the fingerprint of their key: `known-signers.json`, no secret. */
export interface KnownSigners {
  /** The name under which the key was first seen; null for a new one. */
  nameOf(fingerprint: string): Promise<string | null>;
  remember(fingerprint: string, name: string, nowMs: number): Promise<void>;
}

const Known = z.object({
  version: z.literal(1),
  signers: z.array(z.object({ fingerprint: z.string().max(60), name: z.string().max(200), since: z.int() })),
});

export function createKnownSigners(file: string): KnownSigners {
  const read = async (): Promise<z.infer<typeof Known>['signers']> => {
    const text = await readFile(file, 'utf8').catch(nullIfNotFound);
    const known = Known.safeParse(jsonOrNull(text ?? ''));
    // A list that cannot be read makes every key new again, which asks for a closer look and never for less.
    return known.success ? known.data.signers : [];
  };
  const find = async (fingerprint: string) => (await read()).find((signer) => signer.fingerprint === fingerprint);
  return {
    nameOf: async (fingerprint) => (await find(fingerprint))?.name ?? null,
    remember: async (fingerprint, name, nowMs) => {
      if ((await find(fingerprint)) !== undefined) return;
      const signers = [...(await read()), { fingerprint, name, since: nowMs }];
      await writeFileAtomic(file, `${JSON.stringify({ version: 1, signers }, null, 2)}\n`);
    },
  };
}
